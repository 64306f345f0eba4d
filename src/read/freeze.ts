import { foldName } from './ecosystem.ts'
import type { Freeze, Package, PackageList } from './evidence.ts'
import { looksLikeRequirements, readRequirements } from './lockfile/requirements.ts'
import { clip, decodeText } from './text.ts'

/** Lines that were not understood, kept to be shown; the rest is counted. */
const KEPT = 50

type Form = {
  readonly form: string
  readonly like: (text: string) => boolean
  readonly read: (text: string) => PackageList
}

/** The forms of lists of installed packages. The first whose marks a text bears is taken. */
const FORMS: readonly Form[] = [
  { form: 'npm ls --json', like: (text) => /^\s*\{/.test(text) && /"dependencies"\s*:/.test(text), read: readNpmJson },
  {
    form: 'npm ls',
    like: (text) => /^[├└]─[─┬] /m.test(text) || /^\S*@?\S+ (?:\/|~|[A-Z]:)\S*\n└── \(empty\)/.test(text),
    read: readNpmTree,
  },
  { form: 'pip list', like: (text) => /^Package\s+Version/.test(text), read: readPipList },
  { form: 'go list -m all', like: (text) => /^\S+\.\S+ v\d/m.test(text) && !/[=]=/.test(text), read: readGoList },
  { form: 'pip freeze', like: (text) => looksLikeRequirements(text), read: readRequirements },
]

/**
 * Reads a list of installed packages of any known form.
 *
 * @param file the file's name in the bundle
 * @param bytes its content, at most the cap
 * @returns the packages; with an unknown form, `form` is null and every line is `notRead`
 */
export function readFreeze(file: string, bytes: Uint8Array): Freeze {
  const { text } = decodeText(bytes)
  if (text.trim() === '') return { file, form: null, packages: { ecosystem: null, packages: [], notRead: [] } }
  const form = FORMS.find(({ like }) => like(text)) ?? null
  const packages = form?.read(text) ?? { ecosystem: null, packages: [], notRead: allLines(text) }
  return { file, form: form?.form ?? null, packages: { ...packages, notRead: cut(packages.notRead) } }
}

function allLines(text: string): { line: number; text: string }[] {
  return text
    .split(/\r?\n/)
    .flatMap((line, index) => (line.trim() === '' ? [] : [{ line: index + 1, text: clip(line.trim(), 200) }]))
}

function cut(notRead: PackageList['notRead']): PackageList['notRead'] {
  if (notRead.length <= KEPT) return notRead
  return [...notRead.slice(0, KEPT), { line: null, text: `${notRead.length - KEPT} more lines` }]
}

function installed(name: string, version: string | null): Package {
  return { name, version, source: null, hashes: [], conditional: false, local: false }
}

/** Columns under `Package` and `Version`, and for editables the project's place. */
function readPipList(text: string): PackageList {
  const packages: Package[] = []
  const notRead: { line: number; text: string }[] = []
  text.split(/\r?\n/).forEach((line, index) => {
    if (index === 0 || line.trim() === '' || /^[-\s]+$/.test(line)) return
    const [name, version, place] = line.trim().split(/\s+/)
    if (name === undefined || version === undefined) notRead.push({ line: index + 1, text: clip(line.trim(), 200) })
    else packages.push({ ...installed(foldName('python', name), version), local: place !== undefined })
  })
  return { ecosystem: 'python', packages, notRead }
}

/** The tree that `npm ls --all` prints. The first line is the project itself; what is unmet was not installed. */
function readNpmTree(text: string): PackageList {
  const packages: Package[] = []
  const notRead: { line: number; text: string }[] = []
  text.split(/\r?\n/).forEach((raw, index) => {
    const line = raw.replace(/^[│├└─┬\s]+/, '').trim()
    if (
      index === 0 ||
      line === '' ||
      line === '(empty)' ||
      /\bdeduped\b/.test(line) ||
      /^UNMET (?:OPTIONAL )?DEPENDENCY /.test(line)
    )
      return
    const match = /^(@?[^@\s]+)@(?:npm:(@?[^@\s]+)@)?(\S+)/.exec(line)
    if (match === null) notRead.push({ line: index + 1, text: clip(line, 200) })
    else packages.push({ ...installed(match[2] ?? match[1] ?? '', match[3] ?? null), local: / -> /.test(line) })
  })
  return { ecosystem: 'npm', packages, notRead }
}

function readNpmJson(text: string): PackageList {
  const packages: Package[] = []
  const open: unknown[] = []
  try {
    open.push(JSON.parse(text))
  } catch {
    return { ecosystem: 'npm', packages, notRead: [{ line: null, text: 'it is no JSON' }] }
  }
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const dependencies = typeof node === 'object' && node !== null && 'dependencies' in node ? node.dependencies : null
    if (typeof dependencies !== 'object' || dependencies === null) continue
    for (const [name, entry] of Object.entries(dependencies)) {
      const version = typeof entry === 'object' && entry !== null && 'version' in entry ? entry.version : null
      // An optional dependency of another platform stands there without a version: it was not installed.
      if (typeof version === 'string') packages.push(installed(name, version))
      open.push(entry)
    }
  }
  return { ecosystem: 'npm', packages, notRead: [] }
}

/** `module version`, with `=> module version` where it is replaced; the main module has no version. */
function readGoList(text: string): PackageList {
  const packages: Package[] = []
  const notRead: { line: number; text: string }[] = []
  text.split(/\r?\n/).forEach((raw, index) => {
    const line = raw.trim()
    if (line === '') return
    const match = /^(\S+)(?: (v\S+))?(?: => (\S+)(?: (v\S+))?)?$/.exec(line)
    if (match === null) notRead.push({ line: index + 1, text: clip(line, 200) })
    else {
      const [, name = '', version, replacement, replaced] = match
      const local =
        (version === undefined && replacement === undefined) || (replacement !== undefined && replaced === undefined)
      packages.push({
        ...installed(replaced === undefined ? name : (replacement ?? name), replaced ?? version ?? null),
        local,
      })
    }
  })
  return { ecosystem: 'go', packages, notRead }
}
