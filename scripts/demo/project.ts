import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The versions that the demo's project locks. */
export const LOCK = `# Locked by hand, for the demo.
colorama==0.4.6 ; sys_platform == "win32"
exceptiongroup==1.3.0 ; python_version < "3.11"
iniconfig==2.1.0
packaging==25.0
pluggy==1.6.0
pygments==2.19.2
pytest==8.4.2
tabulate==0.9.0
tomli==2.2.1 ; python_version < "3.11"
typing-extensions==4.15.0 ; python_version < "3.13"
`

const PYTHON: Readonly<Record<string, string>> = {
  '.gitignore': '.venv*/\n__pycache__/\n.pytest_cache/\n',
  '.gitattributes': 'evidence/** -text\n',
  'requirements.lock': LOCK,
  'pytest.ini': '[pytest]\ntestpaths = tests\npythonpath = .\n',
  'shop/__init__.py': '',
  'shop/price.py': `def total(prices, discount=0):
    """The sum of prices in cents, less a discount in percent."""
    if not 0 <= discount <= 100:
        raise ValueError("a discount is between 0 and 100 percent")
    return round(sum(prices) * (100 - discount) / 100)
`,
  'tests/test_price.py': `import pytest

from shop.price import total


@pytest.mark.parametrize("prices, expected", [([], 0), ([250], 250), ([250, 199], 449)])
def test_total(prices, expected):
    assert total(prices) == expected


@pytest.mark.parametrize("discount, expected", [(0, 1000), (10, 900), (100, 0)])
def test_discount(discount, expected):
    assert total([1000], discount) == expected


@pytest.mark.parametrize("discount", [-1, 101])
def test_discount_out_of_range(discount):
    with pytest.raises(ValueError):
        total([1000], discount)
`,
  'tests/test_receipt.py': `import pytest

from shop.price import total

tabulate = pytest.importorskip("tabulate")


def test_receipt_has_a_line_for_each_price():
    assert len(tabulate.tabulate([[250], [199]], tablefmt="plain").splitlines()) == 2


def test_receipt_ends_with_the_total():
    assert tabulate.tabulate([[total([250, 199])]], tablefmt="plain") == "449"
`,
  'tests/test_rates.py': `import os
import urllib.error
import urllib.request

import pytest

RATES = os.environ.get("RATES_URL", "http://127.0.0.1:9/")


@pytest.fixture
def rates():
    try:
        with urllib.request.urlopen(RATES, timeout=2) as answer:
            return answer.read().decode()
    except urllib.error.URLError as error:
        pytest.skip(f"network unreachable: {error.reason}")


def test_rate_is_a_number(rates):
    assert float(rates) > 0


def test_rate_is_plausible(rates):
    assert 0.5 < float(rates) < 2
`,
}

const NODE: Readonly<Record<string, string>> = {
  '.gitignore': 'node_modules/\nresults.xml\n',
  '.gitattributes': 'evidence/** -text\n',
  'package.json': '{ "name": "shop", "version": "1.0.0", "private": true, "scripts": { "test": "node --test" } }\n',
  'package-lock.json':
    '{ "name": "shop", "version": "1.0.0", "lockfileVersion": 3, "packages": { "": { "name": "shop", "version": "1.0.0" } } }\n',
  'price.js': `exports.total = (prices, discount = 0) => {
  if (!(discount >= 0 && discount <= 100)) throw new RangeError('a discount is between 0 and 100 percent')
  return Math.round((prices.reduce((sum, price) => sum + price, 0) * (100 - discount)) / 100)
}
`,
  'price.test.js': `const assert = require('node:assert')
const { test } = require('node:test')
const { total } = require('./price.js')

test('total', () => assert.equal(total([250, 199]), 449))
test('discount', () => assert.equal(total([1000], 10), 900))
test('discount out of range', () => assert.throws(() => total([1000], 101)))
test('rate is plausible', { skip: process.env.RATES_URL ? false : 'network unreachable: RATES_URL is not set' }, async () => {
  const rate = Number(await (await fetch(process.env.RATES_URL)).text())
  assert.ok(rate > 0.5 && rate < 2)
})
`,
}

/** A git repository with a small real project in it, and a change of it on a branch. */
export class Project {
  readonly directory: string

  /** Writes the project into an empty directory and commits it on `main`. */
  constructor(directory: string, language: 'python' | 'node') {
    this.directory = directory
    mkdirSync(directory, { recursive: true })
    this.git('init', '--quiet', '--initial-branch=main')
    for (const [key, value] of [
      ['user.name', 'Demo'],
      ['user.email', 'demo@example.com'],
      ['commit.gpgsign', 'false'],
    ] as const)
      this.git('config', key, value)
    for (const [path, text] of Object.entries(language === 'python' ? PYTHON : NODE)) this.write(path, text)
    this.commit('A shop that can add')
  }

  write(path: string, text: string): void {
    const file = join(this.directory, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }

  commit(message: string): string {
    this.git('add', '--all')
    this.git('commit', '--quiet', '--message', message)
    return this.git('rev-parse', 'HEAD')
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', args, { cwd: this.directory, encoding: 'utf8' }).trim()
  }
}
