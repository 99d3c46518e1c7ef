import { readFile } from 'node:fs/promises'

export async function load(url, context, next) {
  if (!/\.(sql|html|css)$/.test(url)) return next(url, context)
  const text = await readFile(new URL(url), 'utf8')
  return { format: 'module', shortCircuit: true, source: `export default ${JSON.stringify(text)}` }
}
