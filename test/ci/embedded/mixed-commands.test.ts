// Twenty rounds of five commands at once on one embedded database. No command may end the server of another one.

import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { dataFolder, postmasterPid, temporaryFolder, until } from '../../faults/fixtures/embedded.ts'
import { runRound } from '../../support/commands-at-once.ts'

const rounds = 10

describe('of five commands at once on one embedded database, none fails', () => {
  test('on an existing folder', async (t) => {
    const dataDir = await dataFolder(t)
    // The doctor would report the settings of the template as a fault.
    await appendFile(join(dataDir, 'postgres', 'postgresql.auto.conf'), 'fsync = on\nfull_page_writes = on\n')
    for (let round = 0; round < rounds; round++) await runRound(dataDir, { isNew: false, kills: round % 2 === 1 })
    await until('the last server has stopped', async () => (await postmasterPid(dataDir)) === undefined)
  })

  test('on a new folder', async (t) => {
    for (let round = 0; round < rounds; round++) {
      const dataDir = await temporaryFolder(t)
      await runRound(dataDir, { isNew: true, kills: round % 2 === 1 })
      await until('the last server has stopped', async () => (await postmasterPid(dataDir)) === undefined)
    }
  })
})
