import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders: string[] = []

process.on('exit', () => {
  for (const folder of folders) {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // A tool may leave files that its own user cannot remove, such as Go's module cache: no reason to fail.
    }
  }
})

/** A new, empty folder whose name starts with this, as an absolute path; it goes with the process. */
export function temporaryFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  folders.push(folder)
  return folder
}
