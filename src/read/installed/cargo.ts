import { withoutCredentials } from '../ecosystem.ts'
import type { Package, PackageList } from '../evidence.ts'
import { parseJson, tableOf } from './json.ts'
import { installed } from './lines.ts'

/** Whether it is the object that `cargo metadata` prints. */
export function looksLikeCargoMetadata(text: string): boolean {
  return /^\s*\{\s*"packages"\s*:\s*\[/.test(text) && text.includes('"workspace_members"')
}

/** Reads `cargo metadata --format-version 1`: what may be built, for all platforms. A crate without source is local. */
export function readCargoMetadata(text: string): PackageList {
  const packages: Package[] = []
  const notRead: { line: null; text: string }[] = []
  const entries = tableOf(parseJson(text)).packages
  if (!Array.isArray(entries)) notRead.push({ line: null, text: 'the text, which is no whole JSON' })
  for (const entry of Array.isArray(entries) ? entries : []) {
    const { name, version, source } = tableOf(entry)
    if (typeof name !== 'string' || typeof version !== 'string') {
      notRead.push({ line: null, text: 'a package without name or version' })
      continue
    }
    const elsewhere = typeof source === 'string' && !source.startsWith('registry+') ? withoutCredentials(source) : null
    packages.push({ ...installed(name, version, typeof source !== 'string'), source: elsewhere })
  }
  return { ecosystem: 'cargo', packages, notRead }
}
