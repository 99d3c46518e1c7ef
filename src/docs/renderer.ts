// The files of the renderer of the reference, which the artifact bears. Nothing of them is unpacked before somebody
// asks for it.

import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { createRepresentation, type Representation } from '../api/responses/representation.ts'
import license from './renderer-license.txt'
import rendererPackage from './renderer-package.json' with { type: 'json' }

const decompress = promisify(brotliDecompress)

/** The version is in it. */
export const rendererPath = `/docs/renderer/${rendererPackage.version}/`

/** Each file by its path. */
export async function rendererFiles(): Promise<ReadonlyMap<string, () => Promise<Representation>>> {
  const { files } = await import('workgate:renderer')
  const scripts = Object.entries(files).map(
    ([name, base64]) => [`${rendererPath}${name}`, () => unpack(base64)] as const,
  )
  return new Map([...scripts, [`${rendererPath}LICENSE`, async () => fileOf('text/plain', license)]])
}

async function unpack(base64: string): Promise<Representation> {
  const compressed = Buffer.from(base64, 'base64')
  return fileOf('text/javascript', await decompress(compressed), compressed)
}

function fileOf(type: string, body: string | Uint8Array, compressed?: Uint8Array): Representation {
  const headers = { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'public, max-age=31536000, immutable' }
  return createRepresentation({ status: 200, headers, body }, undefined, compressed)
}
