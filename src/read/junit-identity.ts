import { createHash } from 'node:crypto'
import { clip } from './text.ts'

/** The names that a reporter gives a case, as written. */
export interface CaseNames {
  /** The suites around it, as `suitePath` joins them; '' for none. */
  readonly suites: string
  /** Playwright's project; '' for none. */
  readonly project: string
  readonly classname: string
  readonly name: string
}

/** What a case is known by: see the fields of `TestCase`. */
export interface CaseIdentity {
  readonly id: string
  readonly name: string
  readonly scope: string
}

const BETWEEN = ' › '
/** Longer paths of suites are cut: every case below repeats them, and a hostile report could make them fill the memory. */
const PATH = 512
/** The most that is shown of a name. Cases are matched by the whole one. */
const SHOWN = 1000

/**
 * The path of a suite inside another, at most about 512 characters: a longer one is cut and told apart by its digest.
 */
export function suitePath(outer: string, name: string): string {
  const path = stablePath(unescaped(name.trim()))
  const whole = outer === '' ? path : outer + BETWEEN + path
  if (whole.length <= PATH) return whole
  return `${clip(whole, PATH - 64)}${createHash('sha256').update(whole).digest('hex').slice(0, 32)}`
}

/**
 * What two runs match a case by, and what it is called.
 *
 * - The class and the name. `classname` is the module, package, class or file in nearly all reporters, so that the
 *   suites around it add nothing; they are used where it is absent or empty, and for node:test, which writes `test`
 *   there (Node 20) or the suites' names with dots (Node 24).
 * - One of the two where the other only repeats it (jest-junit, mocha-junit-reporter, CTest).
 * - Playwright's project, since it runs each case once a project.
 * - Never a file, line, host, time or place in the report: reporters write them by option, and each machine its own. Of an
 *   absolute path that stands for a name the file's name is left, so that two check-outs name it alike.
 */
export function identify(names: CaseNames): CaseIdentity {
  const { scope, name } = scopeAndName(names.suites, names.classname.trim(), unescaped(names.name.trim()))
  const inScope = scope === '' ? name : `${scope}\u0000${name}`
  const shown = isPytest(names.suites) ? nodeId(scope, name) : scope === '' ? name : clip(scope, SHOWN) + BETWEEN + name
  return {
    id: names.project === '' ? inScope : `${names.project}\u0000${inScope}`,
    name: clip(names.project === '' ? shown : `[${names.project}] ${shown}`, SHOWN),
    scope,
  }
}

/**
 * The ids that a module, class, suite or parent test around a case would have, the nearest first: where one of them was
 * skipped as a whole, the case was skipped with it. `importorskip` skips a module, node:test a suite, Go a parent test.
 */
export function enclosingIds(id: string): string[] {
  const cut = id.lastIndexOf('\u0000')
  if (cut === -1) return []
  const scope = id.slice(0, cut)
  const found: string[] = []
  let parent = id.lastIndexOf('/')
  for (let level = 0; level < 4 && parent > cut; level++, parent = id.lastIndexOf('/', parent - 1))
    found.push(id.slice(0, parent))
  found.push(scope)
  const suite = scope.lastIndexOf(BETWEEN)
  if (suite !== -1) found.push(`${scope.slice(0, suite)}\u0000${scope.slice(suite + BETWEEN.length)}`)
  let dot = scope.lastIndexOf('.')
  for (let level = 0; level < 4 && dot > 0; level++, dot = scope.lastIndexOf('.', dot - 1))
    found.push(scope.slice(0, dot))
  return found
}

function scopeAndName(suites: string, classname: string, name: string): { scope: string; name: string } {
  if (isPytest(suites)) return { scope: classname, name }
  if (classname === name || name.endsWith(` ${classname}`)) return { scope: '', name: stablePath(name) }
  if (classname.endsWith(` ${name}`)) return { scope: '', name: stablePath(classname) }
  // Of a file that runs no test node:test makes a case: in Node 20 by the absolute path, in 24 by the relative one.
  if (classname === 'test' && suites === '') return { scope: '', name: SOURCE.test(name) ? baseName(name) : name }
  const ofSuites = classname === '' || classname === 'test' || classname === suites.replaceAll(BETWEEN, '.')
  if (!ofSuites) return { scope: stablePath(classname), name: stablePath(name) }
  // Bazel has one case a target, and both have its name.
  return { scope: suites === name ? '' : suites, name: stablePath(name) }
}

/** pytest calls its one suite so, whatever is tested. */
function isPytest(suites: string): boolean {
  return suites === 'pytest'
}

/** `tests/test_price.py::TestBasket::test_add` of `tests.test_price.TestBasket` and `test_add`: what pytest takes back. */
function nodeId(scope: string, name: string): string {
  const path = scope === '' ? name : scope
  const module = /^(?:.*\.)?(?:test_[^.]*|[^.]*_test)(?=\.|$)/.exec(path)?.[0].length ?? path.search(/\.[A-Z]/)
  const end = module === -1 ? path.length : module
  const file = `${path.slice(0, end).replaceAll('.', '/')}.py${path.slice(end).replaceAll('.', '::')}`
  return scope === '' ? file : `${file}::${name}`
}

const SOURCE = /\.(?:[cm]?[jt]sx?|py|php|rb|go|rs|java|kt|cs|dart|lua|sh|bats|feature|vue|svelte)$/

/** The file's name of an absolute path to a source file; slashes in a relative one; other text as it is. */
function stablePath(text: string): string {
  if (!SOURCE.test(text)) return text
  if (/^(?:file:\/\/|[A-Za-z]:[\\/]|\/)/.test(text)) return baseName(text)
  return /\s/.test(text) ? text : text.replaceAll('\\', '/')
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}

/**
 * A name without the escapes that are a reporter's own: pytest before 9.1 writes characters beyond the BMP as `#x1F600`,
 * and ids of parameters as `\U0001f600`; node:test escapes quotes twice.
 */
function unescaped(name: string): string {
  if (!/\\U00|#x|&quot;/.test(name)) return name
  return name
    .replaceAll('&quot;', '"')
    .replace(/(?:\\U00(?=0[1-9a-f]|10)|#x(?=[1-9a-f]))([0-9a-f]{5,6})/gi, (written, hex: string) => {
      const point = Number.parseInt(hex, 16)
      return point >= 0x10000 && point <= 0x10ffff ? String.fromCodePoint(point) : written
    })
}
