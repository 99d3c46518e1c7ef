// Key records are read once per owner and version.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sourceAt } from '../../src/db/database.ts'
import { createKeyRecords } from '../../src/api/access/key-records.ts'
import { ownerOfAddress, type Owner } from '../../src/db/pool/connection-shares.ts'
import type { Runner } from '../../src/db/pool/pool.ts'
import { suiteDatabase, suitePool } from '../support/suite-database.ts'
import { issueKey } from '../support/workgate.ts'

const owners = [ownerOfAddress('192.0.2.1'), ownerOfAddress('192.0.2.2'), ownerOfAddress('192.0.2.3')] as const

const { sql, url } = await suiteDatabase()
const db = suitePool(url)
const id = (await issueKey(sql, 'one')).slice(3, 15)

/** Statements get a connection when they are released; with an error, they fail instead. */
function open() {
  const statements: ((error?: Error) => void)[] = []
  const runner: Runner = {
    run: async (text, values, options) => {
      await new Promise<void>((resolve, reject) => statements.push((error) => (error ? reject(error) : resolve())))
      return db.run(text, values, options)
    },
  }
  const source = { ...sourceAt(db), directory: runner }
  const findRecord = createKeyRecords()
  return {
    statements,
    findRecord: (id: string, keyVersion: string, owner: Owner) => findRecord(id, { keyVersion, source }, owner),
  }
}

describe('a key record', () => {
  test('is read once per owner for requests of two owners that alternate', async () => {
    const { statements, findRecord } = open()
    const found = Array.from({ length: 40 }, (_, n) => findRecord(id, '1', owners[n % 2]!))
    assert.equal(statements.length, 2)
    statements[1]!()
    assert.equal((await found[1])!.key.name, 'one')
    // The record is known, although a statement of the first owner still waits.
    assert.equal(await findRecord(id, '1', owners[2]), await found[1])
    statements[0]!()
    assert.equal(new Set(await Promise.all(found)).size, 2)
    assert.equal(statements.length, 2)
  })

  test('is read again for another version', async () => {
    const { statements, findRecord } = open()
    const found = ['1', '1', '2', '2'].map((version) => findRecord(id, version, owners[0]))
    assert.equal(statements.length, 2)
    for (const release of statements) release()
    assert.deepEqual(
      (await Promise.all(found)).map((record) => record!.key.name),
      ['one', 'one', 'one', 'one'],
    )
  })

  test('that could not be read is read again', async () => {
    const { statements, findRecord } = open()
    const failed = [findRecord(id, '1', owners[0]), findRecord(id, '1', owners[0])]
    statements[0]!(new Error('the connection is lost'))
    for (const found of failed) await assert.rejects(async () => found, /is lost/)
    const found = findRecord(id, '1', owners[0])
    statements[1]!()
    assert.equal((await found)!.key.name, 'one')
  })
})
