import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readBundleDirectory } from '../src/read/bundle.ts'
import { readEarlierRecording } from '../src/read/recording.ts'
import { unreadableSubject } from '../src/read/subject.ts'
import { renderJson } from '../src/report/json.ts'
import { renderMarkdown } from '../src/report/markdown.ts'
import { run } from '../src/run.ts'
import { checkedReport } from './support/report.ts'

const ROOT = fileURLToPath(new URL('scenarios', import.meta.url))

/**
 * What a reviewer sees, committed to be read. After a change of wording, `UPDATE=1 npm test` writes it anew: read the
 * difference before it is committed.
 */
for (const name of readdirSync(ROOT)) {
  test(`scenario ${name}`, async () => {
    const directory = join(ROOT, name)
    const { lockfiles, ...known } = JSON.parse(readFileSync(join(directory, 'review.json'), 'utf8'))
    const { review } = unreadableSubject('')
    const subject = {
      bundle: await readBundleDirectory(join(directory, 'scratch'), 'evidence'),
      review: {
        ...review,
        limits: [],
        ...known,
        lockfiles: lockfiles.map((path: string) => ({
          path,
          bytes: readFileSync(join(directory, path)),
          changedHere: null,
        })),
      },
    }
    const recording = await readEarlierRecording(join(directory, 'ci'), 'ci', null)
    const { judgement, report } = await run(
      async () => subject,
      async () => [recording],
      'https://example.com/docs/findings.md',
    )
    const seen = {
      'expected.md': renderMarkdown([...report.summary, ...report.details]),
      'expected.json': renderJson(judgement),
    }
    checkedReport(seen['expected.json'])
    for (const [file, text] of Object.entries(seen)) {
      const path = join(directory, file)
      if (process.env.UPDATE === '1' || !existsSync(path)) writeFileSync(path, text)
      assert.equal(text, readFileSync(path, 'utf8'))
    }
  })
}
