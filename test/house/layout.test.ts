// Checks the layout of src/: few top-level entries, imports in one direction, no cycles at any level. Type imports
// count.

import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'

/** From the top down: an entry imports only from the entries below it. */
// prettier-ignore
const layers = [
  'main.ts', 'commands', 'server', 'service.ts', 'docs', 'explorer', 'config', 'routes.ts', 'sources', 'import', 'resources', 'api', 'db', 'runtime', 'build',
]

interface Import {
  from: string
  to: string
}

const files = (await readdir('src', { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
const imports = (await Promise.all(files.map(importsOf))).flat()

async function importsOf(from: string): Promise<Import[]> {
  const paths = [...(await readFile(from, 'utf8')).matchAll(/(?:from|import\() ?'(\.[^']+\.tsx?)'/g)]
  return paths.map(([, path]) => ({ from, to: normalize(join(dirname(from), path!)) }))
}

/** Returns the imports between the entries of a folder. A subfolder is one entry, with everything in it. */
function importsWithin(folder: string): Import[] {
  const entryOf = (file: string) => (file.startsWith(`${folder}/`) ? file.slice(folder.length + 1).split('/')[0] : '')
  return imports.flatMap((one) => {
    const [from, to] = [entryOf(one.from), entryOf(one.to)]
    return from && to && from !== to ? [{ from, to }] : []
  })
}

/** Returns the entries that import each other, directly or through others. */
function cycleIn(edges: Import[]): string[] {
  const reachable = (start: string) => {
    const found = new Set<string>()
    const next = [start]
    while (next.length > 0) {
      const from = next.pop()
      for (const { to } of edges.filter((edge) => edge.from === from && !found.has(edge.to))) {
        found.add(to)
        next.push(to)
      }
    }
    return found
  }
  return [...new Set(edges.map(({ from }) => from))].filter((entry) => reachable(entry).has(entry))
}

test('only the entries of a cycle are found', () => {
  const edges = ['ab', 'bc', 'cb', 'cd'].map((pair) => ({ from: pair[0]!, to: pair[1]! }))
  assert.deepEqual(cycleIn(edges), ['b', 'c'])
  assert.deepEqual(cycleIn(edges.slice(0, 2)), [])
})

test('src contains only the layers and a README', async () => {
  const entries = (await readdir('src')).filter((name) => name !== 'README.md')
  assert.deepEqual(entries.sort(), [...layers].sort())
  assert.ok(layers.length <= 15)
})

test('imports point down', () => {
  assert.ok(imports.length > 500)
  const layerOf = (file: string) => layers.indexOf(file.split('/')[1]!)
  assert.deepEqual(
    imports.filter(({ from, to }) => layerOf(from) > layerOf(to)),
    [],
  )
})

for (const folder of new Set(files.map((file) => dirname(file)).flatMap(withAncestors))) {
  test(`the entries of ${folder} do not import each other in a cycle`, () => {
    assert.deepEqual(cycleIn(importsWithin(folder)), [])
  })
}

function withAncestors(folder: string): string[] {
  return folder === '.' ? [] : [folder, ...withAncestors(dirname(folder))]
}
