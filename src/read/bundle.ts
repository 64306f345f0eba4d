import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Git, TreeEntry } from '../record/git.ts'
import { chooseFiles, type Entry, readEvidence } from './bundle-files.ts'
import type { Bundle } from './evidence.ts'
import { maskSecrets } from './secrets.ts'

/**
 * Reads the bundle that a commit holds, from git's objects: nothing of the working tree is touched, and a symbolic link
 * is seen as one.
 *
 * @param git the repository
 * @param commit a commit that the repository has
 * @param directory the bundle's directory relative to the repository
 * @throws GitError where git cannot read the commit
 */
export async function readCommittedBundle(git: Git, commit: string, directory: string): Promise<Bundle> {
  const listed = git.list(commit, directory)
  if (listed.length === 0) {
    const [itself] = directory === '.' ? [] : git.entries(commit, [directory])
    if (itself === undefined) return { name: directory, evidence: null, absent: 'no directory', problems: [] }
    return noDirectory(directory, asEntry(itself).what)
  }
  const oids = new Map(listed.map((entry) => [baseName(entry.path), entry.oid]))
  return assemble(directory, listed.map(asEntry), (files) => git.blobs(files.map((file) => oids.get(file.name) ?? '')))
}

/**
 * Reads the bundle in a directory of the file system, committed or not. Symbolic links are not followed.
 *
 * @param directory its path
 * @param name how a person names it
 */
export async function readBundleDirectory(directory: string, name: string): Promise<Bundle> {
  const top = lstatSync(directory, { throwIfNoEntry: false })
  if (top === undefined) return { name, evidence: null, absent: 'no directory', problems: [] }
  if (!top.isDirectory()) return noDirectory(name, top.isSymbolicLink() ? 'symbolic link' : 'file')
  const entries = readdirSync(directory).map((file): Entry => {
    const stat = lstatSync(join(directory, file))
    if (stat.isFile()) return { name: file, what: 'file', size: stat.size }
    const what = stat.isSymbolicLink() ? 'symbolic link' : stat.isDirectory() ? 'directory' : 'special file'
    return { name: file, what, size: 0 }
  })
  return assemble(name, entries, (files) => files.map((file) => readRegular(join(directory, file.name))))
}

/** Something else stands where the bundle's directory should be. */
function noDirectory(name: string, what: Entry['what']): Bundle {
  return { name, evidence: null, absent: 'no file can be read', problems: [{ kind: 'not-regular', file: '', what }] }
}

async function assemble(
  name: string,
  entries: readonly Entry[],
  read: (files: readonly Entry[]) => Uint8Array[],
): Promise<Bundle> {
  const { files, problems } = chooseFiles(entries)
  if (files.length === 0) {
    return { name, evidence: null, absent: entries.length === 0 ? 'empty directory' : 'no file can be read', problems }
  }
  const bytes = read(files)
  const contents = new Map(files.map((file, index) => [file.name, bytes[index] ?? new Uint8Array()]))
  const masked = await maskSecrets(contents)
  const evidence = readEvidence(name, masked.contents, [...problems, ...masked.problems], contents)
  return { name, evidence, absent: null, problems: evidence.problems }
}

/** The file may have been exchanged since it was listed: it is opened without following a link, and looked at again. */
function readRegular(path: string): Uint8Array {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    return fstatSync(file).isFile() ? readFileSync(file) : new Uint8Array()
  } finally {
    closeSync(file)
  }
}

function asEntry(entry: TreeEntry): Entry {
  const name = baseName(entry.path)
  if (entry.type === 'tree') return { name, what: 'directory', size: 0 }
  if (entry.type === 'commit') return { name, what: 'submodule', size: 0 }
  return { name, what: entry.mode === '120000' ? 'symbolic link' : 'file', size: entry.size ?? 0 }
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
