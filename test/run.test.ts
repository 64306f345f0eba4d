import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Evidence } from '../src/read/evidence.ts'
import { PlaceError } from '../src/read/place.ts'
import { withoutRecording } from '../src/read/recording.ts'
import { type Subject, unreadableSubject } from '../src/read/subject.ts'
import { run } from '../src/run.ts'

const ended = (exitCode: number) =>
  withoutRecording({ name: 'CI', exitCode, signal: null, result: null, shared: false })

/** A bundle that makes any comparison fail, as a fault of this program would. */
const explosive: Subject = {
  ...unreadableSubject(''),
  bundle: {
    name: 'evidence',
    absent: null,
    problems: [],
    evidence: new Proxy({} as Evidence, {
      get() {
        throw new RangeError('Maximum call stack size exceeded')
      },
    }),
  },
}

for (const [exitCode, conclusion] of [
  [0, 'success'],
  [1, 'failure'],
] as const) {
  test(`a bundle that cannot be coped with does not take CI's exit ${exitCode} with it`, async () => {
    const { judgement, report } = await run(
      async () => explosive,
      async () => [ended(exitCode)],
      null,
    )
    assert.equal(judgement.conclusion, conclusion)
    assert.equal(judgement.witness, 'none')
    assert.match(JSON.stringify(judgement.findings), /could not be compared: Maximum call stack/)
    assert.match(report.title, /The bundle in evidence cannot be read/)
  })

  test(`a repository that cannot be read does not take CI's exit ${exitCode} with it`, async () => {
    const { judgement } = await run(
      () => {
        throw new Error('EIO: i/o error')
      },
      async () => [ended(exitCode)],
      null,
    )
    assert.equal(judgement.conclusion, conclusion)
    assert.match(JSON.stringify(judgement.findings), /EIO/)
  })
}

test('a wrongly named place and a command that cannot be run are errors', async () => {
  const named = () => {
    throw new PlaceError('outside the repository')
  }
  await assert.rejects(
    run(named, async () => [ended(0)], null),
    /outside the repository/,
  )
  await assert.rejects(
    run(
      async () => explosive,
      () => Promise.reject(new Error('no bash')),
      null,
    ),
    /no bash/,
  )
})
