import type { Evidence } from '../read/evidence.ts'
import type { CommandComparison } from './comparison.ts'

/** Options that change what is printed or written and never which tests run, as whole words or up to their `=`. */
const REPORTING = new Set([
  '-q',
  '-qq',
  '-v',
  '-vv',
  '-vvv',
  '-s',
  '-rA',
  '-ra',
  '-l',
  '--quiet',
  '--verbose',
  '--no-header',
  '--color',
  '--durations',
  '--tb',
  '--junitxml',
  '--junit-xml',
  '--test-reporter',
  '--test-reporter-destination',
])
const TAKES_A_WORD = new Set(['--color', '--durations', '--tb', '--junitxml', '--junit-xml'])

/** Lines that put packages in place and run no test. */
const INSTALL =
  /^(?:(?:\S*python\S* -m )?pip3? |uv (?:sync|pip|venv)\b|poetry (?:install|sync)\b|pdm (?:install|sync)\b|pipenv (?:install|sync)\b|npm (?:ci|install|i)\b|(?:sudo )?apt-get |go mod download\b|cargo fetch\b)/

/** What may stand before `pytest` and only says which one is started. */
const STARTER = /^(?:(?:\S*[\\/])?python[\d.]*(?:\.exe)? -m|(?:uv|poetry|pdm|pipenv|hatch) run)$/

/**
 * Compares the two commands. They mean the same where they differ in reporting options only, in how pytest is started
 * (`python -m pytest`, a path, `uv run`) or in lines that only install packages.
 */
export function compareCommands(scratch: Evidence | null, ci: Evidence): CommandComparison {
  const there = scratch?.run?.command ?? null
  const here = ci.run?.command ?? null
  if (there === null || here === null) return { scratch: there, ci: here, same: null }
  return { scratch: there, ci: here, same: essence(there) === essence(here) }
}

function essence(command: string): string {
  const lines = command.split('\n').map((line) => line.trim())
  return lines
    .filter((line) => line !== '' && !line.startsWith('#') && !INSTALL.test(line))
    .map(essenceOfLine)
    .join('\n')
}

function essenceOfLine(line: string): string {
  const words = line.split(/\s+/)
  const start = words.findIndex((word) => /(?:^|[\\/])(?:pytest|py\.test)(?:\.exe)?$/.test(word))
  const starter = words.slice(0, Math.max(start, 0)).join(' ')
  const rest = start >= 0 && (starter === '' || STARTER.test(starter)) ? ['pytest', ...words.slice(start + 1)] : words
  const kept: string[] = []
  for (let index = 0; index < rest.length; index++) {
    const word = rest[index] ?? ''
    if (!REPORTING.has(word.split('=', 1)[0] ?? '')) kept.push(word)
    else if (TAKES_A_WORD.has(word)) index++
  }
  return kept.join(' ')
}
