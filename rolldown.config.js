import { licences } from './scripts/licences.js'

/** One file each, readable, that runs with no `node_modules`. */
const bundle = (input, file, plugins = []) => ({
  input,
  platform: 'node',
  plugins,
  // What it names first is a wrapper that no bundler can follow.
  resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
  output: { file, format: 'esm', codeSplitting: false, comments: { legal: true, jsdoc: false, annotation: false } },
})

export default [
  bundle('src/action.ts', 'dist/index.js', [licences('LICENSES.txt')]),
  bundle('src/cli.ts', 'dist/cli.js'),
]
