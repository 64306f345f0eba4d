import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { checkedReport, ids } from '../support/report.ts'
import { temporaryFolder } from '../support/temporary.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
)

test('the demo shows a check that names the real differences, and its page is whole in a browser', {
  skip: CHROMIUM === undefined && 'Chromium is not installed',
}, async () => {
  const demo = spawnSync(process.execPath, ['scripts/demo.ts'], { cwd: ROOT, encoding: 'utf8', timeout: 280_000 })
  assert.equal(demo.status, 0, demo.stdout + demo.stderr)
  const page = /^As a page: +(.+)$/m.exec(demo.stdout)?.[1] ?? ''
  const report = checkedReport(readFileSync(join(dirname(page), 'report.json'), 'utf8'))
  assert.equal(report.conclusion, 'success')
  assert.equal(report.witness, 'different')
  assert.equal(report.source.same, true)
  const python = report.toolchain.find((row) => row.key === 'python.version')
  if (python !== undefined) {
    assert.ok(ids(report).includes('tests/skipped-in-scratch'))
    assert.ok(ids(report).includes('installed/not-locked'))
    assert.deepEqual(report.tests.skippedInScratch.map((one) => one.cause).sort(), [
      'module',
      'module',
      'network',
      'network',
    ])
    // The two Pythons are named where they are two.
    assert.equal(ids(report).includes('toolchain/abi'), python.scratch?.split('.')[1] !== python.ci?.split('.')[1])
  }

  const browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] })
  const tab = await browser.newPage({ viewport: { width: 1012, height: 1400 } })
  const trouble: string[] = []
  tab.on('console', (line) => trouble.push(line.text()))
  tab.on('pageerror', (error) => trouble.push(error.message))
  tab.on('request', (request) => request.url().startsWith('file:') || trouble.push(request.url()))
  await tab.goto(`file://${page}`)
  assert.match((await tab.locator('h1').textContent()) ?? '', /^Scratch evidence$/)
  assert.match(
    (await tab.locator('article > p').first().textContent()) ?? '',
    /^CI passed\. The scratch PASS is a different experiment/,
  )
  assert.equal(await tab.locator('table').first().locator('tbody tr').count(), 3)
  // Nothing is wider than the page.
  assert.equal(await tab.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth'), true)
  await browser.close()
  assert.deepEqual(trouble, [])
})

test('where there is no Python, the demo does the same with node:test, and says so', () => {
  const bin = temporaryFolder('no-python-')
  for (const directory of (process.env.PATH ?? '').split(delimiter).filter((one) => existsSync(one)))
    for (const name of readdirSync(directory))
      if (!/^py|^python/.test(name) && !existsSync(join(bin, name))) symlinkSync(join(directory, name), join(bin, name))
  // Without the mark of a test that runs inside another.
  const { NODE_TEST_CONTEXT: _, ...own } = process.env
  const env = { ...own, PATH: bin, HOME: bin, PYENV_ROOT: bin }
  const demo = spawnSync(process.execPath, ['scripts/demo.ts'], { cwd: ROOT, encoding: 'utf8', timeout: 100_000, env })
  assert.equal(demo.status, 0, demo.stdout + demo.stderr)
  assert.match(demo.stdout, /The demo goes on with Node's own test runner/)
  assert.match(demo.stdout, /The scratch PASS is a different experiment: 1 test never ran there/)
})
