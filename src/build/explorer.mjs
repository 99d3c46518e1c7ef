// Generates the module workgate:explorer: the script and the style of the explorer, for browsers.

import { readFileSync } from 'node:fs'
import { buildSync } from 'esbuild'

const license = new URL('../../node_modules/preact/LICENSE', import.meta.url)

/** Returns the source of the module. */
export function explorerModule() {
  const { outputFiles } = buildSync({
    entryPoints: ['src/explorer/main.tsx'],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    tsconfigRaw: {},
    jsx: 'automatic',
    jsxImportSource: 'preact',
    footer: { js: `/* Contains Preact.\n\n${readFileSync(license, 'utf8')}*/` },
    logLevel: 'silent',
    outdir: '.',
    write: false,
  })
  const textOf = (ending) => JSON.stringify(outputFiles.find(({ path }) => path.endsWith(ending)).text)
  return `export const script = ${textOf('.js')}\nexport const style = ${textOf('.css')}`
}
