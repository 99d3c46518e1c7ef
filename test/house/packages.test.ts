// What npm installs.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'

interface Locked {
  link?: boolean
  resolved?: string
  dependencies?: Record<string, string>
}

const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as { packages: Record<string, Locked> }
const renderer = 'node_modules/@scalar/api-reference'

// Its browser build has them inside; as packages they are 240 MB.
test('nothing is installed for the renderer but the renderer', () => {
  const names = Object.keys(packages[renderer]!.dependencies!)
  assert.ok(names.includes('vue'))
  const installed = names.filter((name) => {
    const found = packages[`${renderer}/node_modules/${name}`] ?? packages[`node_modules/${name}`]
    return found?.link !== true || found.resolved !== renderer
  })
  assert.deepEqual(installed, [])
})

test('the lock file names no host', () => {
  assert.deepEqual(
    Object.values(packages).filter(({ resolved }) => resolved?.includes(':')),
    [],
  )
})
