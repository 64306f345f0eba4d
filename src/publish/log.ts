import { endGroup, error, info as print, startGroup, warning as warn } from '@actions/core'

/**
 * Text that the runner takes for nothing but text. It scans every line that is printed: `::command::` behind leading white
 * space, `##[command]` anywhere, and a lone carriage return starts a line.
 */
export function printable(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f\u2028\u2029]/g, '\ufffd')
    .replace(/^(\s*):(?=:)/gm, '$1:\u200b')
    .replace(/##(?=\[)/g, '#\u200b#')
}

/** Prints text, line by line. */
export function info(text: string): void {
  print(printable(text))
}

/** Prints text folded under a title, so that the command's own output is easy to find. */
export function group(title: string, text: string): void {
  startGroup(printable(title))
  info(text)
  endGroup()
}

/** A warning on the run. */
export function warning(text: string): void {
  warn(printable(text))
}

/** An error on the run, and the step fails. */
export function fail(text: string): void {
  error(printable(text))
  process.exitCode = 1
}
