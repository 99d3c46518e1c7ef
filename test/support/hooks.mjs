import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { loadGuide } from '../../src/build/guide.mjs'
import { rendererModule, rendererName } from '../../src/build/renderer.mjs'
import { textEndings } from '../../src/build/shared.mjs'

export async function resolve(specifier, context, next) {
  return specifier === rendererName ? { url: specifier, shortCircuit: true } : next(specifier, context)
}

export async function load(url, context, next) {
  if (url === rendererName) return { format: 'module', shortCircuit: true, source: rendererModule() }
  if (url.endsWith('.md')) {
    const guide = loadGuide(fileURLToPath(url))
    return { format: 'module', shortCircuit: true, source: `export default ${JSON.stringify(guide)}` }
  }
  if (!textEndings.some((ending) => url.endsWith(ending))) return next(url, context)
  const text = await readFile(new URL(url), 'utf8')
  return { format: 'module', shortCircuit: true, source: `export default ${JSON.stringify(text)}` }
}
