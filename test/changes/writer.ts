// Writes random transactions: with savepoints, rolled back, held open while readers read, replicated, by the API.

import type { Instance } from '../freshness/instances.ts'
import { inTurn, withoutCode } from '../support/places.ts'
import { connect, type Sql } from '../support/workgate.ts'
import {
  ordinaryWrites,
  projectOfApi,
  projects,
  replicatedProject,
  replicatedWrites,
  truncates,
  type Choice,
} from './random-writes.ts'

/** Constraints, deadlocks and locks, conflicts of isolation levels, and refusals of Workgate. */
const expected = /^(23|40|55|WG|25P02)/

export interface Writer {
  /** The number of tasks that the API has created. */
  readonly created: number
  /** Writes transactions. The last one may still be open afterwards; the next call then continues it. */
  write(transactions: number): Promise<void>
  close(): Promise<void>
}

export function createWriter(url: string, instances: Instance[], key: string, most: number, choice: Choice): Writer {
  const sql = connect(url, { max: 1 })
  const other = connect(url, { max: 1 })
  let open: (() => Promise<void>) | undefined
  let created = 0

  async function write(transactions: number) {
    await open?.()
    open = undefined
    for (let n = 1; n <= transactions; n++) {
      if (choice.chance(0.1)) await writeByApi()
      // They lock others out, so these transactions are never held open.
      else if (choice.chance(0.02)) await choice.pick([truncate, writeIntoNewProject])()
      else {
        const project = choice.pick(projects)
        const end = await begin(project)
        // The API would wait long for the locks of an open transaction.
        if (n === transactions && project !== projectOfApi && choice.chance(0.6)) open = end
        else await end()
      }
    }
  }

  async function begin(project: string): Promise<() => Promise<void>> {
    const isReplica = project === replicatedProject
    const level = choice.pick(['read committed', 'read committed', 'repeatable read', 'serializable'])
    await sql.unsafe(`begin isolation level ${level}`)
    await sql`set local lock_timeout = 10`
    if (isReplica) await sql.unsafe('set local session_replication_role = replica')
    const some = async () => {
      for (let steps = 1 + choice.below(4); steps > 0; steps--) await step(sql, project, isReplica, most, choice)
    }
    await some()
    return async () => {
      if (choice.chance(0.3)) await some()
      await sql.unsafe(choice.chance(0.12) ? 'rollback' : 'commit').catch(ignoreExpected)
    }
  }

  async function truncate() {
    const table = choice.pick(truncates)
    await inTurn(sql, 'set local lock_timeout = 10', `truncate workgate.${table}`).catch(ignoreExpected)
  }

  /** While the transaction is open, its project is deleted and created again. Its changes come before both in the order. */
  async function writeIntoNewProject() {
    const [project] = projects
    await sql.unsafe('begin')
    await sql.unsafe('set local lock_timeout = 10')
    await sql`select pg_current_xact_id()`
    await inTurn(
      other,
      'set local lock_timeout = 10',
      `delete from workgate.projects where id = '${project}'`,
      `insert into workgate.projects (id, key, name) values ('${project}', 'P${choice.below(5_000)}', 'New')`,
    ).catch(ignoreExpected)
    await sql`insert into workgate.tasks (project_id, title) values (${project!}, 'In both')`.catch(ignoreExpected)
    await sql.unsafe('commit').catch(ignoreExpected)
  }

  async function writeByApi() {
    const instance = choice.pick(instances)
    const path = `/projects/${projectOfApi}/tasks`
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const reply = await instance.ask('POST', path, headers, { title: 'By the API', tags: ['api'] })
    if (reply.status !== 201) return
    created++
    const { id } = JSON.parse(String(reply.body)).data
    if (choice.chance(0.5)) await instance.ask('POST', `${path}/${id}/complete`, headers, {})
  }

  return {
    get created() {
      return created
    },
    write,
    async close() {
      await Promise.all([sql, other].map((connection) => connection.end({ timeout: 1 })))
    },
  }
}

/** A statement, and sometimes another one that is undone, in a savepoint. */
async function step(sql: Sql, project: string, isReplica: boolean, most: number, choice: Choice): Promise<void> {
  const next = () => {
    const [statement, ...parameters] = choice.pick(isReplica ? replicatedWrites : ordinaryWrites)(project, choice, most)
    // Some statements are not about a project.
    const used = /\$1\b/.test(statement) ? parameters : []
    return sql.unsafe(statement, used)
  }
  await sql.unsafe('savepoint a')
  try {
    await next()
    if (choice.chance(0.15)) {
      await sql.unsafe('savepoint b')
      await next()
      await sql.unsafe('rollback to b')
    }
  } catch (error) {
    ignoreExpected(error)
    await sql.unsafe('rollback to a')
  }
}

function ignoreExpected(error: unknown): void {
  const { code = '', routine = '' } = error as { code?: string; routine?: string }
  if (!expected.test(code) && !withoutCode.includes(routine)) throw error
}
