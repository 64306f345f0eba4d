/**
 * Joins `capture/*.sh` into `capture_run.sh`, the one file that people copy, and writes its digest beside those of earlier
 * versions, by which a bundle's script is known again. The parts say one thing each; only functions
 * and constants stand in them, so that their order does not matter, but for the first and the last.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const FIRST = ['head.sh', 'options.sh', 'text.sh', 'command.sh']
const LAST = [
  'toolchain.sh',
  'system.sh',
  'lockfile.sh',
  'source.sh',
  'junit.sh',
  'ask.sh',
  'go-report.sh',
  'run.sh',
  'main.sh',
]

/** The text of `capture_run.sh`. */
export function joinCapture(): string {
  const folder = new URL('../capture/', import.meta.url)
  const ecosystems = readdirSync(folder).filter((name) => !FIRST.includes(name) && !LAST.includes(name))
  return [...FIRST, ...ecosystems, ...LAST].map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n')
}

/** The digests of the script in each version, with that of a text as the one of the version at hand. */
export function publishedDigests(script: string): Record<string, string> {
  const { version } = JSON.parse(read('../package.json')) as { version: string }
  return {
    ...JSON.parse(read('../src/read/published-scripts.json')),
    [version]: createHash('sha256').update(script).digest('hex'),
  }
}

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8')
}

if (process.argv[1] === import.meta.filename) {
  const script = joinCapture()
  writeFileSync(new URL('../capture_run.sh', import.meta.url), script)
  writeFileSync(
    new URL('../src/read/published-scripts.json', import.meta.url),
    `${JSON.stringify(publishedDigests(script), null, 2)}\n`,
  )
}
