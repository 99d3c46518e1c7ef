// Generates the module workgate:renderer: the browser build of the API reference renderer, compressed, by file path.

import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { cache, listPackage, unpackPackage, writeCached } from './packages.mjs'

const rendererPackage = JSON.parse(readFileSync(new URL('../docs/renderer-package.json', import.meta.url), 'utf8'))

// The best quality, 11, takes seven seconds and saves a tenth. The first start of every installation waits for this.
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } }

/** Returns the source of the module, from the cache if neither the package nor this file has changed. */
export function rendererModule() {
  const recipe = createHash('sha256')
    .update(rendererPackage.integrity)
    .update(readFileSync(new URL(import.meta.url)))
  const path = join(cache, `renderer-${recipe.digest('hex').slice(0, 12)}.mjs`)
  if (!existsSync(path)) writeCached(path, makeModule)
  return readFileSync(path, 'utf8')
}

function makeModule(scratch) {
  const served = listPackage(rendererPackage).filter((file) =>
    /^dist\/browser\/(standalone\.esm|chunks\/[^/]+)\.js$/.test(file),
  )
  unpackPackage(rendererPackage, scratch, served)
  const files = served.sort().map((file) => {
    const compressed = brotliCompressSync(readFileSync(join(scratch, file)), quality)
    return [file.slice('dist/browser/'.length), compressed.toString('base64')]
  })
  return `export const files = ${JSON.stringify(Object.fromEntries(files))}`
}
