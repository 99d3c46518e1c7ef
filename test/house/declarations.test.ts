// Checks that the declarations of endpoints match their SQL statements.

import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Write } from '../../src/api/endpoint.ts'
import { problems } from '../../src/api/problems/problem.ts'
import { routes } from '../../src/routes.ts'

const writes = routes.map(([, , endpoint]) => endpoint).filter((endpoint) => endpoint.kind === 'write')

/** Reads the statement of an endpoint: createTask is sql/…/create-task.sql. */
async function statementOf({ docs }: Write): Promise<string> {
  const name = `${docs.operationId.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.sql`
  const found = (await readdir('sql', { recursive: true, withFileTypes: true })).filter((entry) => entry.name === name)
  assert.equal(found.length, 1, name)
  return readFile(join(found[0]!.parentPath ?? found[0]!.path, name), 'utf8')
}

assert.equal(writes.length, 3)

for (const write of writes) {
  const { operationId } = write.docs

  test(`${operationId} declares the refusals of its statement`, async () => {
    const quoted = [...(await statementOf(write)).matchAll(/'([A-Z_]+)'/g)].map(([, text]) => text!)
    const refused = new Set(quoted.filter((text) => text in problems && text !== 'VALIDATION_FAILED'))
    // Another statement finds out whether a task that this one has not found was deleted.
    const own = write.refusals.filter((code) => code !== 'TASK_DELETED')
    assert.deepEqual(own.sort(), [...refused].sort())
  })

  test(`${operationId} accepts If-Match if and only if it can refuse a version`, () => {
    assert.equal(write.requestHeaders.includes('if-match'), write.refusals.includes('PRECONDITION_FAILED'))
  })

  test(`${operationId} has a message for each field that its statement can refuse`, async () => {
    const statement = await statementOf(write)
    const fields = Object.keys(write.body.entries).filter((field) =>
      new RegExp(`(select|array\\[)\\s*'${field}(\\.)?'`).test(statement),
    )
    assert.equal(fields.length > 0, statement.includes("'VALIDATION_FAILED'"))
    assert.deepEqual(Object.keys(write.invalidFields).sort(), fields.sort())
  })
}
