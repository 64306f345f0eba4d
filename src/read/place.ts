import { realpathSync } from 'node:fs'
import { posix, relative, resolve, sep } from 'node:path'
import { type Git, literalGlob } from '../record/git.ts'
import { OWN_FILES } from './bundle-files.ts'
import { LOCKFILE_NAMES } from './lockfile/find.ts'

/** Where things are, in the words of whoever set up the workflow or typed the command. */
export interface Place {
  /** The working directory, absolute. */
  readonly directory: string
  /** The same relative to the repository, where that is not there to tell. */
  readonly within?: string
  /** The bundle's directory, relative to it. */
  readonly evidence: string
  /** Lockfiles relative to it; none: found by name. */
  readonly lockfiles: readonly string[]
  /** A directory with CI's own evidence, relative to it: what was recorded is no part of the source. */
  readonly recording?: string
}

/** The bundle's directory is named wrongly: a fault of the workflow, not of a bundle. */
export class PlaceError extends Error {}

/** The same relative to the repository, with slashes. */
export interface PlaceInRepository {
  readonly bundle: string
  /** Glob pathspecs of the bundle's own files: what is left out of every tree. */
  readonly own: readonly string[]
  /** Likewise those of CI's own evidence, where it lies in the repository. */
  readonly recorded: readonly string[]
  readonly lockfiles: readonly string[]
}

/**
 * Finds what the workflow names relative to its directory in the repository.
 *
 * @throws PlaceError where the bundle's directory is outside of it
 */
export function placeIn(git: Git, place: Place): PlaceInRepository {
  const prefix = relative(realpathSync(git.top), realpathSync(place.directory)).split(sep).join('/')
  const inside = (path: string) => posix.normalize(posix.join(prefix, path)).replace(/\/+$/, '')
  const bundle = inside(place.evidence)
  if (bundle.startsWith('../') || bundle === '..' || posix.isAbsolute(place.evidence))
    throw new PlaceError(
      `The bundle's directory, ${place.evidence}, is outside the repository. Name one inside it, relative to the working directory.`,
    )
  const recording =
    place.recording === undefined
      ? null
      : relative(realpathSync(git.top), resolve(realpathSync(place.directory), place.recording))
  const named = place.lockfiles.length > 0 ? place.lockfiles : LOCKFILE_NAMES
  const here = named.map(inside)
  return {
    bundle,
    own: ownFiles(bundle),
    recorded: recording === null || recording.startsWith('..') ? [] : ownFiles(recording.split(sep).join('/')),
    lockfiles: place.lockfiles.length > 0 ? here : [...new Set([...here, ...LOCKFILE_NAMES])],
  }
}

function ownFiles(bundle: string): string[] {
  const prefix = bundle === '.' || bundle === '' ? '' : `${literalGlob(bundle)}/`
  return OWN_FILES.map((file) => prefix + file)
}
