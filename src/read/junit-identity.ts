/** The names that a reporter gives a case. */
export interface CaseNames {
  /** The names of the suites around it, the outermost first. */
  readonly suites: readonly string[]
  /** The host that the suite names: Playwright puts its project there. */
  readonly host: string
  readonly classname: string | null
  readonly name: string
  readonly file: string | null
}

/**
 * What two runs match a case by: class and name; where a reporter gives no class (or node:test's, which is the same for
 * all), the suites around it. The file is left out: reporters write it or not by option, and absolute or not. Paths are
 * taken from the project on, with slashes, so that two machines name a case alike.
 */
export function caseId(names: CaseNames): string {
  return [...scope(names), unescaped(names.name).trim()].map(stablePath).join('\u0000')
}

/** The case as a person would write it: `tests.test_price › test_total[x]`. */
export function caseName(names: CaseNames): string {
  return [...scope(names), unescaped(names.name).trim()]
    .filter((part) => part !== '')
    .map(stablePath)
    .join(' › ')
}

/** The class, module or suites of a case, for showing and for matching a module that was skipped as a whole. */
export function caseScope(names: CaseNames): string {
  return scope(names).map(stablePath).join(' › ')
}

function scope({ suites, classname, name }: CaseNames): readonly string[] {
  // pytest names a module that it could not collect with an empty class.
  if (classname === '') return []
  if (classname === null || classname === 'test') return suites
  // jest-junit and mocha repeat the name in the class.
  return classname === name ? [] : [classname.trim()]
}

/** An absolute path from the directory on that projects have in common; other text as it is. */
function stablePath(text: string): string {
  if (!/^(?:[A-Za-z]:)?[\\/]/.test(text)) return text
  const parts = text.split(/[\\/]/)
  const root = parts.findIndex((part) => /^(?:src|lib|app|tests?|specs?|__tests__|e2e|packages)$/.test(part))
  return parts.slice(root === -1 ? -1 : root).join('/')
}

/** pytest before 9.1 escapes characters beyond the BMP in names: `\U0001f600` is the same test. */
function unescaped(name: string): string {
  return name.replace(
    /\\U000([0-9a-f]{5})|\\U0010([0-9a-f]{4})/gi,
    (_, plane: string | undefined, last: string | undefined) =>
      String.fromCodePoint(Number.parseInt(plane ?? `10${last}`, 16)),
  )
}
