import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reviewed } from './pull-request.ts'

/** The facts that every machine has; others depend on what else is installed. */
const COMMON =
  /^(?:schema|os|arch|libc|emulated|python\.|pytest\.|pip\.|node\.|npm\.|go\.(?!GOARM64|GOFLAGS|GOEXPERIMENT)|rustc\.|cargo\.|java\.|mvn\.)/

/** Text with what belongs to a machine, a moment or a commit masked: versions, paths, digests, times. */
function masked(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z| UTC|[+-]\d\d:\d\d)?/g, '<time>')
    .replace(/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b/g, '<hash>')
    .replace(/(?<=[\s"'`(=:]|^)(?:~|\.|[A-Z]:)?(?:\/[\w.+@~ -]*[\w.+@~-])+\/[\w.+@~-]+/gm, '<path>')
    .replace(/\bcpython-\d+\w*-[\w-]+|\bcp3\d+\b/g, '<abi>')
    .replace(/\bv?\d+\.\d+[\w.+-]*/g, '<v>')
}

/** JUnit without what differs from run to run: times, hosts, properties, traces, output. */
function maskedJUnit(text: string): string {
  return masked(
    text
      .replace(/<properties>[\s\S]*?<\/properties>\s*/g, '')
      .replace(/<system-(out|err)[\s\S]*?<\/system-\1>\s*/g, '')
      .replace(/(<failure[^>]*>)[\s\S]*?(<\/failure>)/g, '$1…$2')
      .replace(/\b(time|timestamp|hostname|file)="[^"]*"/g, '$1="…"')
      .replace(/<!--[\s\S]*?-->\s*/g, ''),
  )
}

/** The report without the values of the toolchain's lines: how each is graded stays. */
function maskedReport(text: string): string {
  return masked(text)
    .replace(/<details><summary>Toolchain[\s\S]*?<\/details>\n*/g, '')
    .replace(/(?:`[^`]*`|[^\s;,.]+) there, (?:`[^`]*`|[^\s;,.]+) here/g, '<there> there, <here> here')
    .replace(/debian \d+|ubuntu\w*/g, '<distro>')
    .replace(/x86\\?_64|aarch64|amd64|arm64/g, '<arch>')
}

function maskedFile(name: string, text: string): string {
  if (name === 'toolchain.txt') {
    const lines = text.split('\n').filter((line) => COMMON.test(line))
    return lines.map((line) => line.replace(/=(?!2$|Linux$|no$|yes$|CPython$|stable$|linux$).*/, '=…')).join('\n')
  }
  if (name.startsWith('junit')) return maskedJUnit(text)
  if (name.startsWith('freeze') && text.startsWith('{')) {
    const { packages } = JSON.parse(text) as { packages: { name: string; version: string }[] }
    return `cargo metadata of ${packages.map((one) => `${one.name} ${one.version}`).join(', ')}\n`
  }
  return masked(text)
}

/** What a pull request left: the script's exit code and bundle, the action's exit code and report. */
export function maskedOutcome({ capture, bundle, result, report }: Reviewed): string {
  const files = readdirSync(bundle).sort()
  return [
    `== capture_run.sh: exit ${capture.status}`,
    ...files.flatMap((name) => [`-- ${name}`, maskedFile(name, readFileSync(join(bundle, name), 'utf8')).trimEnd()]),
    `== action: exit ${result.code}, ci-exit-code ${result.outputs['ci-exit-code']}, witness ${report.witness}`,
    ...report.toolchain
      .filter((row) => COMMON.test(row.key) && row.grade !== 'same')
      .map((row) => `${row.key}: ${row.grade}`),
    '',
    maskedReport(readFileSync(result.outputs.summary ?? '', 'utf8')).trimEnd(),
    '',
  ].join('\n')
}
