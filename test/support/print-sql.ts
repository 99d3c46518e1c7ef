// npm run sql FILE [NAME=VALUE …]
// Prints the statement of a file in sql/ as the service sends it for these parameters, ready for psql.
//
// A list takes the query parameters of a request, for example: npm run sql tasks/list-tasks.sql state=open sort=dueDate.
// With allProjects=true or projectIds=… it is the list across projects. Parameters that are not given become variables of
// psql, to set with "psql -v projectId=…". Outside of lists, NAME=null is null.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { query } from '../../src/db/statements/query.ts'
import type { Params, Value } from '../../src/db/statements/template.ts'
import { composed, lists, pageOf } from './api-statements.ts'

const [path = '', ...pairs] = process.argv.slice(2)
const file = path.replace(/^sql\//, '')
const given = Object.fromEntries(
  pairs.map((pair) => {
    const [, name, value] = /^(\w+)=(.*)$/s.exec(pair) ?? []
    if (name === undefined) throw new Error(`"${pair}" is not NAME=VALUE`)
    return [name, value!]
  }),
)

const literal = (value: Value) => `'${String(Array.isArray(value) ? `{${value}}` : value).replaceAll("'", "''")}'`

const nullable = (given: Params): Params =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value === 'null' ? null : value]))

async function printed(): Promise<string> {
  const sql = await readFile(join('sql', file), 'utf8')
  const isAcross = 'allProjects' in given || 'projectIds' in given
  // The first line of a file describes it.
  const found = lists.filter(({ list }) => list.rows.split('\n')[0] === sql.split('\n')[0])
  const { list } = found.find(({ list }) => (list.of !== 'project') === isAcross) ?? found[0] ?? {}
  const scope: Params = list?.of === 'objects of projects' ? { firstRows: 8 } : { projectId: '' }
  const [statementOf, params] = list
    ? pageOf(list, { ...(list.of === 'projects' ? {} : scope), ...given })
    : [composed[file] ?? query(sql), nullable(given)]
  const { text, names } = statementOf.statementFor(params)
  return text
    .replaceAll(/\$(\d+)/g, (_, n: string) => {
      const name = names[Number(n) - 1]!
      if (params[name] === null) return 'null'
      return params[name] ? literal(params[name]) : `:'${name}'`
    })
    .replaceAll(/\n\s*\n/g, '\n')
}

console.log(`${(await printed()).trim()};`)
