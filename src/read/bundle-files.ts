import { createHash } from 'node:crypto'
import type { Evidence, Exit, Freeze, LockCopy, Problem, Run, Toolchain } from './evidence.ts'
import { readExit } from './exit.ts'
import { readFreeze } from './freeze.ts'
import { readTestReport } from './junit.ts'
import { readRun } from './run-file.ts'
import { readToolchain } from './toolchain.ts'

const KiB = 1024
const MiB = 1024 * KiB

/** The kinds of file that a bundle is made of: how each is named, and the most bytes that are read of that kind. */
const KINDS = [
  { kind: 'toolchain', name: /^toolchain\.txt$/, cap: 64 * KiB },
  { kind: 'run', name: /^run\.txt$/, cap: 64 * KiB },
  { kind: 'sums', name: /^SHA256SUMS$/, cap: 64 * KiB },
  { kind: 'exit', name: /^[A-Za-z0-9][\w.-]{0,63}\.exit$/, cap: 64 * KiB },
  { kind: 'lock', name: /^lock(?:-[\w.-]{1,64})?\.copy$/, cap: 32 * MiB },
  { kind: 'freeze', name: /^freeze(?:-[\w.-]{1,64})?\.txt$/, cap: 32 * MiB },
  { kind: 'junit', name: /^junit(?:-[\w.-]{1,64})?\.xml$/, cap: 128 * MiB },
] as const

/** Files beyond this many are not read. */
export const FILE_CAP = 64

/**
 * Git pathspecs, in glob syntax and relative to the bundle's directory, of the bundle's own files: what is left out of
 * every tree. `capture_run.sh` has the same list.
 */
export const OWN_FILES = [
  'toolchain.txt',
  'run.txt',
  'SHA256SUMS',
  '*.exit',
  'lock.copy',
  'lock-*.copy',
  'freeze.txt',
  'freeze-*.txt',
  'junit.xml',
  'junit-*.xml',
] as const

/** Whether a file of that name is part of a bundle. */
export function isOwnFile(name: string): boolean {
  return KINDS.some((kind) => kind.name.test(name))
}

/** A directory entry as git or the file system lists it, before anything of it is read. */
export interface Entry {
  readonly name: string
  readonly what: 'file' | 'symbolic link' | 'directory' | 'submodule' | 'special file'
  /** Bytes; 0 for what is no regular file. */
  readonly size: number
}

/** Names by which people often save a file of the bundle, and the name it should have. */
const OTHER_NAMES: readonly [RegExp, string][] = [
  [/^(\w[\w-]*)\.exit\.txt$/i, '$1.exit'],
  [/^(?:exit[-_.]?(?:code|status)?|rc|status)(?:\.txt)?$/i, 'command.exit'],
  [/^(?:results?|test-?results?|report|pytest|test-.*|TEST-.*)\.xml$/i, 'junit.xml'],
  [/^(?:tool-?chain|env|environment|versions?)(?:\.\w+)?$/i, 'toolchain.txt'],
  [/^(?:pip-?)?(?:freeze|installed)(?:[.-]\w+)*$/i, 'freeze.txt'],
  [/^(?:requirements.*|lock(?:file)?\.\w+|.*\.lock|package-lock\.json|go\.sum|pnpm-lock\.yaml)$/i, 'lock.copy'],
]

/**
 * Chooses what is read of a bundle's directory, before a byte is read.
 *
 * @param entries everything in the directory
 * @returns the regular files with a bundle's name, within the caps and sorted, and a problem for each other entry
 */
export function chooseFiles(entries: readonly Entry[]): { files: Entry[]; problems: Problem[] } {
  const problems: Problem[] = []
  const files: Entry[] = []
  const read = new Map<string, number>()
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = entry.name
    const kind = KINDS.find(({ name }) => name.test(file))
    if (kind === undefined) {
      const other = OTHER_NAMES.find(([pattern]) => pattern.test(file))
      problems.push({ kind: 'unexpected-file', file, expected: other ? file.replace(other[0], other[1]) : null })
    } else if (entry.what !== 'file') problems.push({ kind: 'not-regular', file, what: entry.what })
    else {
      const sum = (read.get(kind.kind) ?? 0) + entry.size
      if (sum > kind.cap) problems.push({ kind: 'over-cap', file, bytes: entry.size, cap: kind.cap })
      else {
        read.set(kind.kind, sum)
        files.push(entry)
      }
    }
  }
  if (entries.length > FILE_CAP) problems.unshift({ kind: 'too-many-files', count: entries.length, cap: FILE_CAP })
  return { files: files.slice(0, FILE_CAP), problems: problems.slice(0, 2 * FILE_CAP) }
}

/**
 * Reads a bundle whose bytes are at hand.
 *
 * @param name how a person names it: its directory relative to the repository
 * @param contents the bytes of each file that `chooseFiles` chose, by file name
 * @param problems what `chooseFiles` found, and what else is known of the files
 * @param written the bytes as they were committed, where `contents` are not all of them: sums are of those
 */
export function readEvidence(
  name: string,
  contents: ReadonlyMap<string, Uint8Array>,
  problems: readonly Problem[],
  written: ReadonlyMap<string, Uint8Array> = contents,
): Evidence {
  const found: Problem[] = [...problems]
  let toolchain: Toolchain | null = null
  let run: Run | null = null
  let lockPaths: ReadonlyMap<string, string> = new Map()
  const exits: Exit[] = []
  const freezes: Freeze[] = []
  const locks: LockCopy[] = []
  const junit: { file: string; bytes: Uint8Array }[] = []

  const of = (kind: (typeof KINDS)[number]['kind']) => {
    const pattern = KINDS.find((row) => row.kind === kind)?.name
    return [...contents].filter(([file]) => pattern?.test(file)).map(([file, bytes]) => ({ file, bytes }))
  }
  for (const { file, bytes } of of('toolchain')) {
    const read = readToolchain(file, bytes)
    toolchain = read.toolchain
    found.push(...read.problems)
  }
  for (const { file, bytes } of of('run')) {
    const read = readRun(file, bytes)
    run = read.run
    lockPaths = read.lockPaths
    found.push(...read.problems)
  }
  for (const { file, bytes } of of('exit')) {
    const read = readExit(file, bytes)
    exits.push(read.exit)
    found.push(...read.problems)
  }
  for (const { file, bytes } of of('lock')) {
    const none = bytes.length < 64 && Buffer.from(bytes).toString('latin1').trim() === 'NO_LOCKFILE'
    locks.push({ file, bytes: none ? new Uint8Array() : bytes, none, path: lockPaths.get(file) ?? null })
  }
  for (const { file, bytes } of of('freeze')) freezes.push(readFreeze(file, bytes))
  junit.push(...of('junit'))
  const tests = readTestReport(junit)
  found.push(...tests.problems)
  for (const { bytes } of of('sums')) found.push(...checkSums(bytes, written, problems))

  return {
    name,
    format: run !== null || toolchain?.format === 2 ? 2 : toolchain === null ? null : 1,
    files: [...contents.keys()],
    exits,
    toolchain,
    run,
    locks,
    freezes,
    tests: tests.report,
    problems: found,
  }
}

/**
 * Holds the files against `SHA256SUMS`. A file that it does not list, or lists with another digest, was written later; one
 * that it lists and that is not there was removed. Files that could not be read are told apart, and not judged.
 */
function checkSums(
  bytes: Uint8Array,
  contents: ReadonlyMap<string, Uint8Array>,
  unread: readonly Problem[],
): Problem[] {
  const listed = new Map<string, string>()
  for (const line of Buffer.from(bytes).toString('utf8').split(/\r?\n/)) {
    const match = /^([0-9a-f]{64}) [ *](.+)$/.exec(line)
    if (match?.[1] !== undefined && match[2] !== undefined) listed.set(match[2], match[1])
  }
  const told = new Set(unread.flatMap((problem) => ('file' in problem ? [problem.file] : [])))
  const changed = [...contents].flatMap(([file, content]): Problem[] => {
    const sum = listed.get(file)
    if (file === 'SHA256SUMS' || sum === sha256(content)) return []
    return [{ kind: sum !== undefined && isConverted(content, sum) ? 'line-endings' : 'edited-after-capture', file }]
  })
  const removed = [...listed.keys()].filter((file) => !contents.has(file) && !told.has(file))
  return [...changed, ...removed.map((file): Problem => ({ kind: 'edited-after-capture', file }))].slice(0, FILE_CAP)
}

/** Whether a file is the one that was summed but for its line endings, all of which git converts at once. */
function isConverted(content: Uint8Array, sum: string): boolean {
  const text = Buffer.from(content).toString('latin1')
  const lines = text.replaceAll('\r\n', '\n')
  return [lines, lines.replaceAll('\n', '\r\n')].some((one) => sha256(Buffer.from(one, 'latin1')) === sum)
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
