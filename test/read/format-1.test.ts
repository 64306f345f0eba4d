import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseFiles, readEvidence } from '../../src/read/bundle-files.ts'
import { shownName } from '../../src/read/junit-identity.ts'

test('a bundle of format 1, exactly as the published script writes it, is read in full', () => {
  const files = {
    'toolchain.txt':
      'date_utc=2026-11-30T18:02:11Z\npwd=/home/agent/project\nuname=Linux box 6.1.0 #1 SMP x86_64 GNU/Linux\npython=/usr/bin/python3\nPython 3.11.4\n/usr/bin/python3\nlinux-x86_64\n',
    'lock.copy': 'pluggy==1.6.0\npytest==8.3.4\n',
    'freeze.txt':
      'iniconfig==2.0.0\npluggy==1.6.0\npytest==8.3.4\n-e git+https://token@example.com/p.git@0123456789abcdef0123456789abcdef01234567#egg=project\n',
    'junit.xml':
      '<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite name="pytest" tests="2"><testcase classname="tests.test_a" name="test_a" time="0.001" /><testcase classname="tests.test_a" name="test_b" time="0.000"><skipped type="pytest.skip" message="no network">tests/test_a.py:4: no network</skipped></testcase></testsuite></testsuites>',
    'pytest.exit': '0\n',
  }
  const entries = Object.entries(files).map(([name, text]) => ({ name, what: 'file' as const, size: text.length }))
  const { problems } = chooseFiles(entries)
  const evidence = readEvidence(
    'evidence',
    new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])),
    problems,
  )
  assert.deepEqual(evidence.problems, [])
  assert.equal(evidence.format, 1)
  assert.deepEqual(evidence.exits, [{ file: 'pytest.exit', runner: 'pytest', code: 0, word: null }])
  assert.equal(evidence.toolchain?.facts.get('python.version')?.value, '3.11.4')
  assert.deepEqual(
    evidence.tests?.cases.map((one) => [shownName(one), one.status]),
    [
      ['tests/test_a.py::test_a', 'passed'],
      ['tests/test_a.py::test_b', 'skipped'],
    ],
  )
  assert.equal(evidence.freezes[0]?.form, 'pip freeze')
  assert.deepEqual(evidence.freezes[0]?.packages.notRead, [])
  assert.deepEqual(
    evidence.freezes[0]?.packages.packages.map((one) => one.name),
    ['iniconfig', 'pluggy', 'pytest', 'project'],
  )
  assert.doesNotMatch(JSON.stringify(evidence.freezes), /token@/)
})
