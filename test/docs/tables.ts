// Describes the tables that people load rows into, as Markdown, from the catalog of a database.

import { savedTables, writtenByTriggers } from '../../src/commands/backup/tables.ts'
import type { Sql } from '../support/workgate.ts'

const notLoaded = [
  'user_aliases',
  'api_keys',
  'api_key_uses',
  'import_mappings',
  'sources',
  'source_progress',
  'source_items',
  ...writtenByTriggers,
]
/** In the order in which they can be loaded. */
const tables = savedTables.filter((table) => !notLoaded.includes(table))

interface Column {
  name: string
  type: string
  /** What an insert that omits the column stores. */
  omitted: string
  comment: string
}

export async function describeTables(sql: Sql): Promise<string> {
  const rows = await sql<(Column & { table: string; about: string })[]>`
    select
      c.relname as table, obj_description(c.oid) as about, a.attname as name,
      replace(format_type(a.atttypid, a.atttypmod), 'workgate.', '') as type,
      case
        when a.attgenerated <> '' then 'computed, cannot be set'
        when d.adbin is not null then regexp_replace(
          replace(replace(pg_get_expr(d.adbin, d.adrelid), 'workgate.', ''), 'new_id()', 'a new id'),
          '^present\\(\\)$', 'the current time')
        when a.attnotnull then 'required'
        else 'null'
      end as omitted,
      coalesce(col_description(c.oid, a.attnum), '') as comment
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'workgate'::regnamespace
      and c.relname = any (${tables})
      and a.attname <> 'xid'
    order by array_position(${tables}::text[], c.relname::text), a.attnum`
  return tables
    .map((table) => {
      const columns = rows.filter((row) => row.table === table)
      const lines = columns.map(({ name, type, omitted, comment }) =>
        [`\`${name}\``, type, omitted.replace(/^'(.*)'::.*$/, '`$1`'), comment.replaceAll('|', '\\|')].join(' | '),
      )
      const head = ['Column | Type | If omitted | Meaning', '--- | --- | --- | ---']
      return [`### \`${table}\``, '', columns[0]!.about, '', ...[...head, ...lines].map((line) => `| ${line} |`)].join(
        '\n',
      )
    })
    .join('\n\n')
}
