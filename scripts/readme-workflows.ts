/**
 * The workflows that the README gives to copy: the tests run them, and CI lints them.
 *
 *     node scripts/readme-workflows.ts DIR      writes each to a file there
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @param heading the line of the section that they stand in; all of them without one
 * @param owner whom the action is taken from
 * @returns their texts, in their order
 */
export function readmeWorkflows(heading: string | null, owner: string): string[] {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const section = heading === null ? readme : (readme.split(`${heading}\n`)[1]?.split(/^##/m)[0] ?? '')
  return [...section.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => (text ?? '').replaceAll('<owner>', owner))
}

const directory = process.argv[2]
if (process.argv[1] === import.meta.filename && directory !== undefined) {
  const folder = join(directory, '.github', 'workflows')
  mkdirSync(folder, { recursive: true })
  readmeWorkflows(null, 'octo').forEach((text, index) => {
    writeFileSync(join(folder, `${index + 1}.yml`), text)
  })
}
