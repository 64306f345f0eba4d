import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * A bundler plugin that writes, beside the bundle, the licence of every package that is in it.
 *
 * @param {string} fileName the file's name in the output directory
 */
export function licences(fileName) {
  return {
    name: 'licences',
    generateBundle(_options, bundle) {
      const packages = new Map()
      for (const output of Object.values(bundle)) {
        for (const id of output.type === 'chunk' ? output.moduleIds : []) {
          if (!id.includes('node_modules')) continue
          const root = packageRoot(id)
          packages.set(root, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
        }
      }
      const parts = [...packages]
        .map(([root, { name, version, license }]) => `${name} ${version} (${license})\n\n${text(root)}`)
        .sort()
      this.emitFile({ type: 'asset', fileName, source: `${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n` })
    },
  }
}

/** The nearest directory above a module whose manifest names a package and its version. */
function packageRoot(id) {
  let directory = dirname(id.replace(/^\0/, ''))
  while (!names(join(directory, 'package.json'))) directory = dirname(directory)
  return directory
}

function names(manifest) {
  if (!existsSync(manifest)) return false
  const { name, version } = JSON.parse(readFileSync(manifest, 'utf8'))
  return Boolean(name && version)
}

/** The package's own licence text; its name is spelled in many ways. */
function text(root) {
  const file = readdirSync(root).find((name) => /^licen[cs]e/i.test(name))
  if (file === undefined) return 'The package brings no licence text; its manifest names the licence above.'
  return readFileSync(join(root, file), 'utf8').trim()
}
