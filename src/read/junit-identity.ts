import { createHash } from 'node:crypto'
import type { TestCase } from './evidence.ts'
import { clip } from './text.ts'

/** What a case is known by. */
export interface CaseIdentity {
  /** The class, module or suite that it belongs to, for Playwright with its project before it; '' for none. */
  readonly scope: string
  readonly name: string
  /** It stands for a file that ran no test of its own: node:test makes a case of such a one. */
  readonly hollow: boolean
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
  // unittest-xml-reporting ends them with the time.
  const path = stablePath(unescaped(name.trim().replace(/-\d{14}$/, '')))
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
 *
 * @param suites the suites around it, as `suitePath` joins them; '' for none
 * @param project Playwright's project; '' for none
 * @param writtenClass its `classname`, as the reporter writes it
 * @param writtenName its `name`, likewise
 */
export function identify(suites: string, project: string, writtenClass: string, writtenName: string): CaseIdentity {
  const classname = writtenClass.trim()
  const written = unescaped(writtenName.trim())
  // By an option Playwright names the project here too.
  const named = project !== '' && written.startsWith(`[${project}] `)
  const name = named ? written.slice(project.length + 3) : written
  if (isPytest(suites)) return { scope: classname, name, hollow: false }
  // Of a file that runs no test node:test makes a case: in Node 20 by the absolute path, in 24 by the relative one.
  const hollow = classname === 'test' && suites === '' && isPath(name)
  const [scope, own] = hollow ? ['', baseName(name)] : scopeAndName(suites, classname, name)
  const of = project === '' ? scope : `[${project}]${scope === '' ? '' : ` ${scope}`}`
  return { scope: of, name: own, hollow }
}

/**
 * The one name of a case of jest. By jest-junit's templates class and name are each the describes, the title, or both.
 *
 * @param classname `undefined` where the case is in no describe
 */
export function jestName(classname: string, name: string): string {
  const [describes, title] = [classname.trim(), name.trim()]
  if (describes === '' || describes === 'undefined' || title === describes) return title
  if (title.startsWith(`${describes} `)) return title
  return describes.endsWith(` ${title}`) ? describes : `${describes} ${title}`
}

/** What two runs match a case by, as one text: its scope, a NUL and its name; the name alone where it has no scope. */
export function caseId({ scope, name }: Pick<CaseIdentity, 'scope' | 'name'>): string {
  return scope === '' ? name : `${scope}\u0000${name}`
}

/** A case's name as a person would write it, for showing. */
export function shownName({ scope, name, suite }: Pick<TestCase, 'scope' | 'name' | 'suite'>): string {
  const shown = isPytest(suite) ? nodeId(scope, name) : scope === '' ? name : `${clip(scope, SHOWN)}${BETWEEN}${name}`
  return clip(shown, SHOWN)
}

/**
 * The ids that a module, class, suite or parent test around a case would have, the nearest first: where one of them was
 * skipped as a whole, the case was skipped with it. `importorskip` skips a module, node:test a suite, Go a parent test.
 */
export function enclosingIds({ scope, name }: Pick<CaseIdentity, 'scope' | 'name'>): string[] {
  if (scope === '') return []
  const found: string[] = []
  let parent = name.lastIndexOf('/')
  for (let level = 0; level < 4 && parent > 0; level++, parent = name.lastIndexOf('/', parent - 1))
    found.push(caseId({ scope, name: name.slice(0, parent) }))
  found.push(scope)
  const suite = scope.lastIndexOf(BETWEEN)
  if (suite !== -1) found.push(caseId({ scope: scope.slice(0, suite), name: scope.slice(suite + BETWEEN.length) }))
  let dot = scope.lastIndexOf('.')
  for (let level = 0; level < 4 && dot > 0; level++, dot = scope.lastIndexOf('.', dot - 1))
    found.push(scope.slice(0, dot))
  return found
}

function scopeAndName(suites: string, classname: string, name: string): [scope: string, name: string] {
  if (classname === name || name.endsWith(` ${classname}`)) return ['', stablePath(name)]
  if (classname.endsWith(` ${name}`)) return ['', stablePath(classname)]
  if (classname === 'test' && suites === '') return ['', name]
  const ofSuites = classname === '' || classname === 'test' || classname === suites.replaceAll(BETWEEN, '.')
  if (!ofSuites) return [stablePath(classname), stablePath(name)]
  // Bazel has one case a target, and both have its name.
  return [suites === name ? '' : suites, stablePath(name)]
}

/** Whether suites are of pytest, which calls its one suite so, whatever is tested. */
export function isPytest(suites: string): boolean {
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

const ABSOLUTE = /^(?:file:\/\/|[A-Za-z]:[\\/]|\/)/

/** Whether a text is the path of a source file, and no sentence that ends with one. */
function isPath(text: string): boolean {
  return SOURCE.test(text) && (ABSOLUTE.test(text) || !/\s/.test(text))
}

/** The file's name of an absolute path to a source file; slashes in a relative one; other text as it is. */
function stablePath(text: string): string {
  if (!SOURCE.test(text)) return text
  if (ABSOLUTE.test(text)) return baseName(text)
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
