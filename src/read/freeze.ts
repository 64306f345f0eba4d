import { DocumentError } from './document.ts'
import type { Freeze, Package, PackageList } from './evidence.ts'
import { looksLikeCargoMetadata, looksLikeCargoTree, readCargoMetadata, readCargoTree } from './installed/cargo.ts'
import { looksLikeComposer, looksLikeComposerJson, readComposer, readComposerJson } from './installed/composer.ts'
import { looksLikeGems, readGems } from './installed/gems.ts'
import { looksLikeGoBinary, looksLikeGoDeps, looksLikeGoList, readGoBinary, readGoList } from './installed/go.ts'
import {
  looksLikeNpmJson,
  looksLikeNpmParseable,
  looksLikeNpmTree,
  readNpmJson,
  readNpmParseable,
  readNpmTree,
} from './installed/npm.ts'
import {
  looksLikePipInspect,
  looksLikePipJson,
  looksLikePipList,
  readPipInspect,
  readPipJson,
  readPipList,
} from './installed/pip.ts'
import { looksLikePnpmJson, looksLikePnpmTree, readPnpmJson, readPnpmTree } from './installed/pnpm.ts'
import { looksLikeYarnInfo, looksLikeYarnList, readYarnInfo, readYarnList } from './installed/yarn.ts'
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
  { form: 'pip inspect', like: looksLikePipInspect, read: readPipInspect },
  { form: 'pnpm ls --json', like: looksLikePnpmJson, read: readPnpmJson },
  { form: 'pip list --format=json', like: looksLikePipJson, read: readPipJson },
  { form: 'composer show --format=json', like: looksLikeComposerJson, read: readComposerJson },
  { form: 'yarn info --json', like: looksLikeYarnInfo, read: readYarnInfo },
  { form: 'npm ls --json', like: looksLikeNpmJson, read: readNpmJson },
  { form: 'yarn list', like: looksLikeYarnList, read: readYarnList },
  { form: 'pnpm ls', like: looksLikePnpmTree, read: readPnpmTree },
  { form: 'cargo tree', like: looksLikeCargoTree, read: readCargoTree },
  { form: 'npm ls', like: looksLikeNpmTree, read: readNpmTree },
  { form: 'npm ls --parseable', like: looksLikeNpmParseable, read: readNpmParseable },
  { form: 'bundle list', like: looksLikeGems, read: readGems },
  { form: 'pip list', like: looksLikePipList, read: readPipList },
  { form: 'go version -m', like: looksLikeGoBinary, read: readGoBinary },
  { form: 'go list -deps', like: looksLikeGoDeps, read: readGoList },
  { form: 'go list -m all', like: looksLikeGoList, read: readGoList },
  { form: 'composer show', like: looksLikeComposer, read: readComposer },
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
  const list = listOf(text, form)
  const packages = { ...list, packages: distinct(list.packages), notRead: clipEntries(list.notRead, KEPT) }
  return { file, form: form?.form ?? null, packages }
}

function listOf(text: string, form: Form | null): PackageList {
  try {
    return form?.read(text) ?? { ecosystem: null, packages: [], notRead: linesOf(text) }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return { ecosystem: null, packages: [], notRead: [{ line: error.line, text: `the text: ${error.message}` }] }
  }
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
