// The renderer of the reference as a module: the files of its browser build, compressed, by their paths.

import { readdirSync, readFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'

export const rendererName = 'workgate:renderer'

const folder = new URL('../../node_modules/@scalar/api-reference/dist/browser/', import.meta.url)

// The best quality, 11, takes seven seconds for a tenth less, and every first start waits for this.
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } }

export function rendererModule() {
  const chunks = readdirSync(new URL('chunks/', folder)).filter((name) => name.endsWith('.js'))
  const paths = ['standalone.esm.js', ...chunks.map((name) => `chunks/${name}`)]
  const files = paths.map((path) => [path, brotliCompressSync(readFileSync(new URL(path, folder)), quality)])
  const encoded = files.map(([path, bytes]) => [path, bytes.toString('base64')])
  return `export const files = ${JSON.stringify(Object.fromEntries(encoded))}`
}
