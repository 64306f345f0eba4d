/** Lockfiles in other arrangements: the same entries in another order, and with one taken out. */

/** Where a block of a text format begins, and which blocks are entries. */
const BLOCKS: Readonly<Record<string, readonly [start: RegExp, entry: RegExp]>> = {
  'poetry.lock': [/^(?=\[\[package\]\]|\[metadata|\[extras)/m, /^\[\[package\]\]/],
  'uv.lock': [/^(?=\[\[package\]\])/m, /^\[\[package\]\][\s\S]*source = \{ registry/],
  'pylock.toml': [/^(?=\[\[packages\]\])/m, /^\[\[packages\]\]/],
  'pdm.lock': [/^(?=\[\[package\]\])/m, /^\[\[package\]\]/],
  'Cargo.lock': [/^(?=\[\[package\]\]|\[metadata|\[root)/m, /^\[\[package\]\][\s\S]*source = /],
  'conda-lock.yml': [/^(?=- name:|[a-z])/m, /^- name:/],
  'pixi.lock': [/^(?=packages:)|^(?=- (?:conda|pypi):)/m, /^- (?:conda|pypi):/],
  'yarn.lock (Yarn 1)': [/^(?=\S.*:$)/m, /^[^#\s].*:\r?\n/],
  'yarn.lock (Yarn 2 and later)': [/^(?=\S)/m, /^"[^"]*@(?:npm|patch):/],
  'pubspec.lock': [/^(?= {2}\S)|^(?=\S)/m, /^ {2}\S+:\r?\n {4}dependency:/],
  'go.sum': [/^/m, /^\S+ v\S+ h1:/],
  'go.mod': [/^/m, /^\t\S+ v\d/],
  'gradle.lockfile': [/^/m, /^[^#=]+:[^=]+=/],
  'mix.lock': [/^/m, /^ {2}"/],
  requirements: [/^(?=[A-Za-z0-9])/m, /^[A-Za-z0-9][\w.-]*(?:\[[^\]]*\])?\s*==/],
}

/** Where a JSON format keeps its entries. */
const TABLES: Readonly<Record<string, (document: Json) => Json[]>> = {
  'package-lock.json': (document) => [document.packages ?? document.dependencies],
  'Pipfile.lock': (document) => [document.default, document.develop],
  'deno.lock': ({ packages, npm, jsr, remote }) => [packages?.npm ?? npm, packages?.jsr ?? jsr, remote].filter(Boolean),
  'packages.lock.json': (document) => Object.values(document.dependencies),
  'composer.lock': (document) => [document.packages, document['packages-dev']],
  'Package.resolved': (document) => [document.pins ?? document.object.pins],
}

// biome-ignore lint/suspicious/noExplicitAny: what a lockfile holds
type Json = any

/** With the entries in the opposite order, and the hashes of each where they are a list. */
export function reordered(format: string, text: string): string {
  const table = TABLES[format]
  if (table !== undefined) {
    const document = JSON.parse(text)
    for (const entries of table(document)) {
      if (Array.isArray(entries)) entries.reverse()
      else {
        const pairs = Object.entries<Json>(entries).reverse()
        for (const [key] of pairs) delete entries[key]
        for (const [key, entry] of pairs)
          entries[key] = Array.isArray(entry?.hashes) ? { ...entry, hashes: entry.hashes.toReversed() } : entry
      }
    }
    return JSON.stringify(document, null, 1)
  }
  const blocks = split(format, `${text.trimEnd()}\n`)
  const at = blocks.flatMap(({ entry }, index) => (entry ? [index] : []))
  const opposite = at.toReversed()
  return blocks
    .map(({ text: own }, index) => {
      const place = at.indexOf(index)
      const block = place === -1 ? own : (blocks[opposite[place] ?? index]?.text ?? own)
      return place !== -1 && format === 'requirements' ? hashesReversed(block) : block
    })
    .join('')
}

/** A requirement with its hashes in the opposite order. */
function hashesReversed(block: string): string {
  const hashes = block.match(/--hash=\S+/g)?.reverse() ?? []
  return block.replace(/--hash=\S+/g, () => hashes.shift() ?? '')
}

/** With a comment that names another machine, where the format has comments. */
export function withComment(format: string, text: string): string {
  if (/json|Pipfile|composer|Package\.resolved|deno|mix|go\.sum|Gemfile|yarn.*1\)/.test(format)) return text
  const mark = format === 'go.mod' || format === 'bun.lock' ? '//' : '#'
  return `${mark} made in /home/someone/else with version 99\n${text}`
}

/** The text without one of its entries, several times: the first, the last and some between. */
export function* without(format: string, text: string): Generator<string> {
  const table = TABLES[format]
  if (table !== undefined) {
    const size = table(JSON.parse(text)).map((entries) => Object.keys(entries).length)
    for (const [which, length] of size.entries()) {
      for (const index of some(length)) {
        const document = JSON.parse(text)
        const entries = table(document)[which]
        if (Array.isArray(entries)) entries.splice(index, 1)
        else delete entries[Object.keys(entries)[index] ?? '']
        yield JSON.stringify(document)
      }
    }
    return
  }
  const blocks = split(format, text)
  const at = blocks.flatMap(({ entry }, index) => (entry ? [index] : []))
  for (const index of some(at.length)) {
    yield blocks
      .filter((_, place) => place !== at[index])
      .map((block) => block.text)
      .join('')
  }
}

function some(length: number): number[] {
  return [...new Set([0, 1, length >> 2, length >> 1, length - 2, length - 1])].filter((at) => at >= 0 && at < length)
}

/** pnpm's, Bun's and Bundler's entries, by the section that they stand in. */
function split(format: string, text: string): { text: string; entry: boolean }[] {
  const [begin, entry] = BLOCKS[format] ?? []
  if (begin !== undefined && entry !== undefined)
    return text.split(begin).map((block) => ({ text: block, entry: entry.test(block) }))
  const [section, block, own] = SECTIONS[format] ?? [/^$/, /^$/, /^$/]
  let inside = false
  // The lockfile is the last of several documents.
  const start = text.lastIndexOf('\n---\n') + 1
  const head = { text: text.slice(0, start), entry: false }
  return text
    .slice(start)
    .split(/^/m)
    .reduce(
      (blocks, line) => {
        if (/^\S|^ {2}"\w+": /.test(line)) inside = section.test(line)
        const last = blocks.at(-1)
        if (inside && block.test(line)) blocks.push({ text: line, entry: own.test(line) })
        else if (inside && last?.entry && /^\s{3,}\S/.test(line)) last.text += line
        else blocks.push({ text: line, entry: false })
        return blocks
      },
      [head],
    )
}

/** The line of the section, the first line of an entry in it, and which entries are packages of a registry. */
const SECTIONS: Readonly<Record<string, readonly [RegExp, RegExp, RegExp]>> = {
  'pnpm-lock.yaml': [/^packages:/, /^ {2}\S/, /^ {2}['/@a-z]/i],
  'bun.lock': [/^ {2}"packages": /, /^ {4}"/, /^ {4}"[^"]*": \["(?!.*@workspace:)/],
  'Gemfile.lock': [/^GEM/, /^ {4}\S/, /^ {4}\S/],
}
