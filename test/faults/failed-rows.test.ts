// A statement that fails after its first rows does not change what the next one on its connection returns.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withConnection } from '../../src/db/pool/connection.ts'
import { openPool } from '../../src/db/pool/pool.ts'
import { suiteDatabase } from '../support/suite-database.ts'

const target = { url: (await suiteDatabase()).url }
const failsAtThirdRow = 'select 1 / (3 - n) as n from generate_series(1, 4) n'
const succeeds = 'select n from generate_series(1, 2) n'

test('in a pool', async () => {
  const pool = openPool({ target, poolSize: 1, statementTimeoutMs: 60_000 }, 'custom')
  try {
    await assert.rejects(pool.run(failsAtThirdRow), { code: '22012' })
    assert.deepEqual([...(await pool.run(succeeds))], [{ n: 1 }, { n: 2 }])
  } finally {
    await pool.close()
  }
})

test('in a session', () =>
  withConnection(target, async (session) => {
    await assert.rejects(session.query(failsAtThirdRow), { code: '22012' })
    const { command, columns, rows } = await session.query(succeeds)
    assert.deepEqual([command, columns, rows], ['SELECT 2', [{ name: 'n', type: 23 }], [['1'], ['2']]])
  }))
