import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fromHtml } from 'hast-util-from-html'
import { sanitize } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import { marked } from 'marked'
import { chromium } from 'playwright-core'
import { makeCheckout } from '../support/checkout.ts'
import { HOSTILE, type HostileBundle } from '../support/hostile.ts'
import { commandsIn, runAction } from '../support/runner.ts'
import { temporaryFolder } from '../support/temporary.ts'

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
)

/** The commands that this action itself prints: groups of the log, a masked token, the error that fails the step, warnings. */
const OWN = /^::(?:group|endgroup|add-mask|error|warning)::/
const summaries = new Map<string, string>()

/** A folder outside of the repository, with a file in it. No bundle may read or change anything there. */
function makeOutside(): string {
  const folder = temporaryFolder('outside-')
  const secret = join(folder, 'secret.txt')
  writeFileSync(secret, `${SECRET}==1\n`)
  // Reading moves the time of access of a file that was changed after it.
  utimesSync(secret, new Date(0), new Date())
  return folder
}

const SECRET = 'what-no-report-shows'

/** What stands in a folder, and when each file was last read and written. */
function state(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((path) => {
      const { atimeMs, mtimeMs } = statSync(join(folder, path))
      return `${path} ${atimeMs} ${mtimeMs}`
    })
}

async function check(bundle: HostileBundle): Promise<void> {
  const outside = makeOutside()
  const { cwd, event } = makeCheckout({ change: bundle.files(outside), title: bundle.words, body: bundle.words })
  try {
    const before = state(outside)
    const { code, stdout, stderr, outputs, summary } = await runAction({
      cwd,
      event,
      inputs: { command: 'true', check: 'none' },
    })
    assert.equal(code, 0, stdout + stderr)
    assert.equal(outputs.conclusion, 'success')
    assert.deepEqual(
      commandsIn(stdout).filter((line) => !OWN.test(line)),
      [],
    )
    // A token is masked, and nothing else is.
    assert.deepEqual(
      commandsIn(stdout).filter((line) => line.startsWith('::add-mask::')),
      ['::add-mask::a-token'],
    )
    assert.deepEqual(
      commandsIn(stdout).filter((line) => line.startsWith('::error::')),
      [],
    )
    assert.deepEqual(commandsIn(stderr), [])
    assert.deepEqual(state(outside), before)
    assert.match(summary, /^\*\*CI passed/)
    for (const written of [summary, stdout, readFileSync(outputs.report ?? '', 'utf8')])
      assert.equal(written.includes(SECRET), false)
    summaries.set(bundle.name, summary)
  } finally {
    for (const folder of [cwd, outside]) rmSync(folder, { recursive: true, force: true })
  }
}

describe(`${HOSTILE.length} hostile bundles: no command, no output, no mask, no file outside`, {
  concurrency: 2,
}, () => {
  test('reading a file outside would be seen', (t) => {
    const read = makeOutside()
    t.after(() => rmSync(read, { recursive: true, force: true }))
    const before = state(read)
    readFileSync(join(read, 'secret.txt'))
    assert.notDeepEqual(state(read), before)
  })
  for (const bundle of HOSTILE) test(bundle.name, () => check(bundle))
})

/** What a browser makes of a report. */
interface Seen {
  readonly title: string
  readonly tags: readonly string[]
  readonly attributes: readonly string[]
  readonly links: readonly string[]
  /** Tables whose rows have not all as many cells. */
  readonly ragged: number
  readonly outside: readonly string[]
  /** What shows words of the bundle outside of a cell, and not as code. */
  readonly escaped: readonly string[]
  readonly marks: readonly string[]
}

/** Runs in the browser. */
const SEEN = String.raw`(() => {
  const all = [...document.querySelectorAll('article *')]
  // GitHub links nothing in code.
  const words = document.querySelector('article').cloneNode(true)
  for (const code of words.querySelectorAll('code, pre')) code.replaceWith('x')
  const text = words.textContent
  const rows = (table) => new Set([...table.querySelectorAll('tr')].map((row) => row.children.length))
  return {
    title: document.title,
    tags: [...new Set(all.map((one) => one.tagName.toLowerCase()))],
    attributes: [...new Set(all.flatMap((one) => one.getAttributeNames()))],
    links: [...document.querySelectorAll('article a')].map((one) => one.getAttribute('href')),
    ragged: [...document.querySelectorAll('article table')].filter((table) => rows(table).size > 1).length,
    outside: [...document.querySelectorAll('article > *')].map((one) => one.tagName).filter((tag) => !/^(?:P|H3|TABLE|OL|UL|DETAILS)$/.test(tag)),
    escaped: all.filter((one) => /MARK/.test(one.textContent) && one.closest('code, pre, td') === null && one.querySelector('code, pre, td') === null).map((one) => one.outerHTML.slice(0, 300)),
    marks: text.match(/(?:^|[^\w;\/])@[A-Za-z0-9]|(?:^|\s)#\d|GH-\d|[\u202e\u2066\u001b]/g) || [],
  }
})()`

test('their reports in a browser: nothing active, no broken table, no mention, no link but our own', {
  skip: CHROMIUM === undefined && 'Chromium is not installed',
}, async (t) => {
  assert.equal(summaries.size, HOSTILE.length)
  const browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] })
  t.after(() => browser.close())
  const tab = await browser.newPage()
  const asked: string[] = []
  tab.on('request', (request) => asked.push(request.url()))
  for (const [name, summary] of summaries) {
    const written = fromHtml(await marked.parse(summary, { gfm: true }), { fragment: true })
    const sanitised = toHtml(sanitize(written))
    assert.equal(sanitised, toHtml(written), `${name}: GitHub's rules would take something out`)
    await tab.setContent(`<title>x</title><article>${sanitised}</article>`)
    const seen = (await tab.evaluate(SEEN)) as Seen
    assert.equal(seen.title, 'x', name)
    const allowed = /^(?:p|h3|table|thead|tbody|tr|th|td|ol|ul|li|details|summary|strong|em|code|pre|a)$/
    assert.deepEqual(
      seen.tags.filter((tag) => !allowed.test(tag)),
      [],
      name,
    )
    assert.deepEqual(
      seen.attributes.filter((one) => one !== 'href' && one !== 'class'),
      [],
      name,
    )
    assert.deepEqual(
      seen.links.filter((link) => !link.startsWith('https://github.example/octo/scratch-evidence/blob/')),
      [],
      name,
    )
    assert.deepEqual([seen.ragged, seen.outside, seen.marks, seen.escaped], [0, [], [], []], name)
  }
  assert.deepEqual(asked, [])
})
