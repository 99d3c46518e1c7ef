import { readFile } from 'node:fs/promises'
import { generatedModules, textEndings } from '../../src/build/shared.mjs'

export async function resolve(specifier, context, next) {
  return specifier in generatedModules ? { url: specifier, shortCircuit: true } : next(specifier, context)
}

export async function load(url, context, next) {
  if (url in generatedModules) return { format: 'module', shortCircuit: true, source: generatedModules[url]() }
  if (!textEndings.some((ending) => url.endsWith(ending))) return next(url, context)
  const text = await readFile(new URL(url), 'utf8')
  return { format: 'module', shortCircuit: true, source: `export default ${JSON.stringify(text)}` }
}
