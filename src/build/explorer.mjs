// Generates the module workgate:explorer: the script and the style of the explorer, for browsers. The script is also
// compressed, better than there is time for in a request.

import { readFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
import { buildSync } from 'esbuild'

const licenseOf = (name) => readFileSync(new URL(`../../node_modules/${name}/LICENSE`, import.meta.url), 'utf8')

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
    footer: { js: `/* Contains Preact and marked.\n\n${licenseOf('preact')}\n${licenseOf('marked')}*/` },
    logLevel: 'silent',
    outdir: '.',
    write: false,
  })
  const textOf = (ending) => outputFiles.find(({ path }) => path.endsWith(ending)).text
  const script = textOf('.js')
  const contents = { script, brotliScript: brotliCompressSync(script).toString('base64'), style: textOf('.css') }
  return Object.entries(contents)
    .map(([name, text]) => `export const ${name} = ${JSON.stringify(text)}`)
    .join('\n')
}
