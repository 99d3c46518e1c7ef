// workgate.kinds says of every column of a shown table whether its changes are recorded, and guides name all tables.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { kinds } from '../../src/resources/changes/change.ts'
import { suiteDatabase } from '../support/suite-database.ts'

const { sql } = await suiteDatabase()

test('every column of an object is shown, maintained, its id, or listed here as not shown', async () => {
  const rows = await sql`
    select k.table_name as table, array_agg(a.attname::text order by a.attname) as columns
    from workgate.kinds k
    join pg_attribute a on a.attrelid = format('workgate.%I', k.table_name)::regclass and a.attnum > 0 and not a.attisdropped
    where k.rank is not null
      and a.attname <> all (k.shown || k.maintained || array[k.scope, k.id])
    group by 1`
  assert.deepEqual(Object.fromEntries(rows.map(({ table, columns }) => [table, columns])), {
    comments: ['xid'],
    // Its digest is shown.
    documents: ['markdown'],
    project_teams: ['added_at'],
    users: ['created_at'],
  })
})

test('the feed names the kinds in the order of their ranks', async () => {
  const rows = await sql`select kind from workgate.kinds where rank is not null group by kind, rank order by rank`
  assert.deepEqual(
    rows.map(({ kind }) => kind as string),
    kinds,
  )
})

const guide = (name: string) => readFile(`src/docs/guides/${name}.md`, 'utf8')
const namesIn = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name!)

test('the guide to replication says of every table whether to publish it', async () => {
  const [, table] = /## Logical replication.*?\n\| ---.*?\n(.*?)\n\n/s.exec(await guide('loading-data'))!
  const rows = await sql`
    select relname as name from pg_class where relnamespace = 'workgate'::regnamespace and relkind in ('r', 'p') and not relispartition`
  assert.deepEqual(namesIn(table!).toSorted(), rows.map(({ name }) => name as string).toSorted())
})

test('the guide to changes names the kinds', async () => {
  const [, row] = /\| `kind` +\| (.*?)\. Ignore/.exec(await guide('changes'))!
  assert.deepEqual(namesIn(row!), kinds)
})
