import { fileURLToPath } from 'node:url'
import { licences } from './scripts/licences.js'

/** One file each, readable, that runs with no `node_modules`. */
const bundle = (input, file, plugins = []) => ({
  input,
  platform: 'node',
  plugins,
  resolve: {
    alias: {
      // What it names first is a wrapper that no bundler can follow.
      'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
      // As a whole name, so that its own files are still found.
      undici$: fileURLToPath(new URL('scripts/undici.cjs', import.meta.url)),
    },
  },
  output: { file, format: 'esm', codeSplitting: false, comments: { legal: true, jsdoc: false, annotation: false } },
})

export default [
  bundle('src/action.ts', 'dist/index.js', [licences('LICENSES.txt')]),
  bundle('src/cli.ts', 'dist/cli.js'),
]
