import type { Freeze, Package, PackageList } from './evidence.ts'
import { looksLikeCargoMetadata, readCargoMetadata } from './installed/cargo.ts'
import { looksLikeGems, readGems } from './installed/gems.ts'
import { looksLikeGoList, readGoList } from './installed/go.ts'
import {
  looksLikeNpmJson,
  looksLikeNpmParseable,
  looksLikeNpmTree,
  readNpmJson,
  readNpmParseable,
  readNpmTree,
} from './installed/npm.ts'
import { looksLikePipList, readPipList } from './installed/pip.ts'
import { looksLikeRequirements, readRequirements } from './lockfile/requirements.ts'
import { clip, clipEntries, decodeText } from './text.ts'

/** Lines that were not understood, kept to be shown; the rest is counted. */
const KEPT = 50

type Form = {
  readonly form: string
  readonly like: (text: string) => boolean
  readonly read: (text: string) => PackageList
}

/** The forms of lists of installed packages. The first whose marks a text bears is taken. */
const FORMS: readonly Form[] = [
  { form: 'cargo metadata', like: looksLikeCargoMetadata, read: readCargoMetadata },
  { form: 'npm ls --json', like: looksLikeNpmJson, read: readNpmJson },
  { form: 'npm ls', like: looksLikeNpmTree, read: readNpmTree },
  { form: 'npm ls --parseable', like: looksLikeNpmParseable, read: readNpmParseable },
  { form: 'bundle list', like: looksLikeGems, read: readGems },
  { form: 'pip list', like: looksLikePipList, read: readPipList },
  { form: 'go list -m all', like: looksLikeGoList, read: readGoList },
  // What pip says beside the list is often in the file too: half of the lines suffice, and the rest is reported.
  { form: 'pip freeze', like: (text) => looksLikeRequirements(text, 0.5), read: readRequirements },
]

/**
 * Reads a list of installed packages of any known form.
 *
 * @param file the file's name in the bundle
 * @param bytes its content, at most the cap
 * @returns each package once; with an unknown form, `form` is null and every line is `notRead`. Of `notRead` the first 50
 *   are kept, and one more entry counts the rest
 */
export function readFreeze(file: string, bytes: Uint8Array): Freeze {
  const { text } = decodeText(bytes)
  const form = FORMS.find(({ like }) => like(text)) ?? null
  const list = form?.read(text) ?? { ecosystem: null, packages: [], notRead: linesOf(text) }
  const packages = { ...list, packages: distinct(list.packages), notRead: clipEntries(list.notRead, KEPT) }
  return { file, form: form?.form ?? null, packages }
}

function linesOf(text: string): { line: number; text: string }[] {
  return text
    .split(/\r?\n/)
    .flatMap((line, index) => (line.trim() === '' ? [] : [{ line: index + 1, text: clip(line.trim(), 200) }]))
}

/** A package that is installed at several places is listed at each. */
function distinct(packages: readonly Package[]): Package[] {
  return [...new Map(packages.map((one) => [[one.name, one.version, one.source, one.local].join(' '), one])).values()]
}
