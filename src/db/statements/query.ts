// Turns a .sql file into a function. The file can have parts that only some requests need; see template.ts.

import { setNewest } from '../../runtime/newest-entries.ts'
import type { Plans, Runner } from '../pool/pool.ts'
import { bind, parseTemplate, prepare, type Params, type Statement } from './template.ts'

export type Query<Row> = ((db: Runner, params: Params) => Promise<Row[]>) & {
  /** The names of all parameters. */
  names: readonly string[]
  /** The statement without the parts that these parameters do not need. */
  statementFor(params: Params): PlannedStatement
}

interface PlannedStatement extends Statement {
  /** By default, the pool decides how statements are planned. */
  plans?: Plans
}

/** Clients choose the filters of lists: many combinations are possible, few are used. */
const maxShapes = 100

/**
 * `plansFor` must return the same for all parameters that need the same parts. `source` is the same for statements that
 * need the same tables.
 */
export function query<Row>(sql: string, plansFor?: (params: Params) => Plans, source = sql): Query<Row> {
  const template = parseTemplate(sql)
  const names = new Set([...prepare(template.everything).names, ...template.conditionNames])
  const statements = new Map<string, PlannedStatement>()

  function create(shape: string, params: Params): PlannedStatement {
    // A misspelled filter would silently not be applied.
    const unknown = Object.keys(params).filter((name) => !names.has(name))
    if (unknown.length > 0) throw new Error(`the statement has no parameter ${unknown.join(', ')}`)
    const statement = { ...prepare(template.textOf(shape)), ...(plansFor && { plans: plansFor(params) }) }
    setNewest(statements, shape, statement, maxShapes)
    return statement
  }

  function statementFor(params: Params): PlannedStatement {
    const shape = template.shapeOf(params)
    return statements.get(shape) ?? create(shape, params)
  }

  const run = (db: Runner, params: Params) => {
    const statement = statementFor(params)
    const { text, plans } = statement
    const projectId = String(params['projectId'] ?? '')
    return db.run<Row>(text, bind(statement, params), { projectId, source, ...(plans && { plans }) })
  }
  return Object.assign(run, { names: [...names], statementFor })
}
