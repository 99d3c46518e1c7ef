// Reads the files of the reference renderer from the artifact. Each file is unpacked on first use.

import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { createRepresentation, type Representation } from '../api/responses/representation.ts'
import license from './renderer-license.txt'
import rendererPackage from './renderer-package.json' with { type: 'json' }

const decompress = promisify(brotliDecompress)

/** Includes the version, so that the files can be cached forever. */
export const rendererPath = `/docs/renderer/${rendererPackage.version}/`

/** Returns functions that unpack the files, by path. */
export async function loadRendererFiles() {
  const { files } = await import('workgate:renderer')
  const scripts = Object.entries(files).map(
    ([name, base64]) => [`${rendererPath}${name}`, () => unpack(base64)] as const,
  )
  return [...scripts, [`${rendererPath}LICENSE`, () => createFile('text/plain', license)] as const]
}

async function unpack(base64: string): Promise<Representation> {
  const compressed = Buffer.from(base64, 'base64')
  return createFile('text/javascript', await decompress(compressed), compressed)
}

function createFile(type: string, body: string | Uint8Array, compressed?: Uint8Array): Representation {
  const headers = { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'public, max-age=31536000, immutable' }
  return createRepresentation({ status: 200, headers, body }, undefined, compressed)
}
