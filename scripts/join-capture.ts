/**
 * Joins `capture/*.sh` into `capture_run.sh`, the one file that people copy. The parts say one thing each; only functions
 * and constants stand in them, so that their order does not matter, but for the first and the last.
 */
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

if (process.argv[1] === import.meta.filename) {
  writeFileSync(new URL('../capture_run.sh', import.meta.url), joinCapture())
}
