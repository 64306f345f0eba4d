import { licences } from './scripts/licences.js'

/** One file each, readable, that runs with no `node_modules`. */
const bundle = (input, file, plugins = []) => ({
  input,
  platform: 'node',
  plugins,
  output: { file, format: 'esm', codeSplitting: false, comments: { legal: true, jsdoc: false, annotation: false } },
})

export default [
  bundle('src/action.ts', 'dist/index.js', [licences('LICENSES.txt')]),
  bundle('src/cli.ts', 'dist/cli.js'),
]
