// npm run bench [-- --postgres FOLDER --only PART,PART --seconds EACH --connections 1,64 --memory SECONDS
//                --tasks COUNT --sizes 1000,1000000 --loaded COUNT --imported COUNT --vikunja FILE]
// Measures this build and prints its results as ratios within one run. No figure makes it fail.
//
// The service, the database and the load generator share the machine, so only the ratios are meaningful. Requires wrk,
// and in FOLDER the programs of PostgreSQL including pgbench (default: /usr/lib/postgresql/15/bin). The part
// "explorer" also requires Chromium. "peers" requires Go, and in FILE the program of Vikunja; it omits the peer for which
// they are missing. "citus" requires Citus: test/ci/citus/build.

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../src/db/database.ts'
import { migrate } from '../../src/db/schema/migrate.ts'
import { migrations } from '../../src/db/schema/migrations.ts'
import { quiet } from '../support/log.ts'
import { startServer } from '../support/server.ts'
import { connect } from '../support/workgate.ts'
import { benchAnalytics } from './analytics.ts'
import { benchChanges } from './changes.ts'
import { benchCitus } from './bench-citus.ts'
import { benchEmbedded } from './bench-embedded.ts'
import { benchExplorer } from './explorer.ts'
import { benchFairness } from './fairness.ts'
import { fill } from './fill.ts'
import { benchFirst } from './first.ts'
import { benchFreshness } from './freshness.ts'
import { benchImport } from './import.ts'
import { benchInputs } from './inputs.ts'
import { benchRecording } from './recording.ts'
import { benchRepeated } from './repeated.ts'
import { benchReplicas } from './bench-replicas.ts'
import { createLoad } from './bench-load.ts'
import type { Part } from './part.ts'
import { benchPeers } from './peers.ts'
import { createPgbench } from './pgbench.ts'
import { benchPooled } from './pooled.ts'
import { startService } from './bench-service.ts'
import { benchWrites } from './bench-writes.ts'
import { benchStatements } from './statements.ts'

const parts: Record<string, Part> = {
  statements: benchStatements,
  first: benchFirst,
  pooled: benchPooled,
  writes: benchWrites,
  repeated: benchRepeated,
  replicas: benchReplicas,
  citus: benchCitus,
  freshness: benchFreshness,
  fairness: benchFairness,
  embedded: benchEmbedded,
  analytics: benchAnalytics,
  inputs: benchInputs,
  import: benchImport,
  recording: benchRecording,
  changes: benchChanges,
  explorer: benchExplorer,
  peers: benchPeers,
}

const { values } = parseArgs({
  options: {
    postgres: { type: 'string', default: '/usr/lib/postgresql/15/bin' },
    only: { type: 'string', default: Object.keys(parts).join(',') },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '1,16,64,256' },
    memory: { type: 'string', default: '60' },
    tasks: { type: 'string', default: '120000' },
    sizes: { type: 'string', default: '1000,10000,100000,1000000' },
    loaded: { type: 'string', default: '200000' },
    imported: { type: 'string', default: '50000' },
    vikunja: { type: 'string' },
  },
})
const chosen = values.only.split(',').map((name) => {
  if (!Object.hasOwn(parts, name))
    throw new Error(`unknown part "${name}"; the parts are ${Object.keys(parts).join(', ')}`)
  return parts[name]!
})
if (!existsSync(join(values.postgres, 'pgbench'))) {
  throw new Error(`there is no pgbench in ${values.postgres}: install PostgreSQL, or set its folder with --postgres`)
}
if (values.vikunja && !existsSync(values.vikunja)) throw new Error(`${values.vikunja} does not exist`)
try {
  execFileSync('wrk', ['--version'], { stdio: 'ignore' })
} catch (error) {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT')
    throw new Error('wrk was not found: install the package "wrk"')
}

const folder = await mkdtemp(join(tmpdir(), 'workgate-bench-'))
const server = await startServer(values.postgres, { fsync: 'on', shared_buffers: '256MB', max_connections: '100' })
const url = server.url('postgres')
try {
  const db = openDatabase({ target: { url }, poolSize: 1, statementTimeoutMs: 600_000 })
  await migrate(db, migrations, quiet)
  await db.close()
  const sql = connect(url)
  const taskCount = Number(values.tasks)
  await fill(sql, taskCount, 874)
  const [row] = await sql`select workgate.issue_key('bench', 'all_projects') as key`
  const uncached = await startService(folder, { DATABASE_URL: url, CACHE_MB: '0' })
  console.log(`${values.seconds} rounds of one second each, ${values.postgres}`)
  try {
    for (const part of chosen) {
      await part({
        sql,
        url,
        taskCount,
        uncached,
        headers: { authorization: `Bearer ${row!['key']}` },
        load: createLoad(folder),
        pgbench: createPgbench(values.postgres, url, folder, values.seconds === '1' ? 0 : 1),
        folder,
        rounds: Number(values.seconds),
        connections: values.connections.split(',').map(Number),
        memorySeconds: Number(values.memory),
        sizes: values.sizes.split(',').map(Number),
        loaded: Number(values.loaded),
        imported: Number(values.imported),
        server,
        postgres: values.postgres,
        vikunja: values.vikunja && resolve(values.vikunja),
      })
    }
  } finally {
    await uncached.stop()
    await sql.end()
  }
} finally {
  await server.remove()
  await rm(folder, { recursive: true, force: true })
}
