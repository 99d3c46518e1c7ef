// Inserts the rows that are written and read: similar projects, each with one row of every kind.

import { issueKey, type KeyOptions, type Sql } from '../support/workgate.ts'
import {
  bareId,
  doneTask,
  guestId,
  hereId,
  historyTask,
  movingId,
  projectIds,
  transientIds,
  someProjectIds,
  teamId,
  userIds,
} from './ids.ts'
import { kinds, type Kind } from './kinds.ts'
import { createRegister, type Register } from './registers.ts'

export interface World {
  registers: Register[]
  /** Returns the register of a kind. */
  register(kind: string, id?: string): Register
}

const idsOf: Record<Kind['of'], readonly string[]> = {
  project: projectIds,
  transient: transientIds,
  bare: [bareId],
  moving: [movingId],
  pair: [hereId],
  user: userIds,
  team: [teamId],
  key: [teamId],
}

export function createWorld(): World {
  const registers = kinds.flatMap((kind) => idsOf[kind.of].map((id) => createRegister(kind, id)))
  const byName = new Map(registers.map((register) => [`${register.kind.name} ${register.id}`, register]))
  return {
    registers,
    register(kind, id = teamId) {
      const found = byName.get(`${kind} ${id}`)
      if (!found) throw new Error(`no such register: ${kind} ${id}`)
      return found
    },
  }
}

export const keyOptions = {
  all: {},
  some: { projects: [...someProjectIds] },
  rescoped: { projects: projectIds.slice(0, 2) },
  revoked: {},
  expiring: {},
  deleted: {},
  limited: {},
  creating: { projects: projectIds.slice(0, 1), operations: ['create_project'] },
} satisfies Record<string, KeyOptions>
export type KeyName = keyof typeof keyOptions

export type Keys = Record<KeyName, string>

/** Inserts the rows of all registers with their first numbers. */
export async function insertWorld(sql: Sql, { registers }: World): Promise<Keys> {
  await sql`insert into workgate.users ${sql([...userIds, guestId].map((id, n) => ({ id, name: 'User', email: `${n}@example.org` })))}`
  await sql`insert into workgate.teams ${sql({ id: teamId, name: 'Team' })}`
  await sql`insert into workgate.projects ${sql(projectIds.map((id, n) => ({ id, key: `P${n}`, name: 'Project' })))}`
  await sql`insert into workgate.projects ${sql({ id: movingId, key: 'MOVING', name: 'Moving' })}`
  const ofEach = (row: (project_id: string) => Record<string, string | number>) =>
    sql(projectIds.map((id) => ({ project_id: id, ...row(id) })))
  await sql`insert into workgate.project_members ${sql(
    projectIds.flatMap((project_id) => userIds.map((user_id) => ({ project_id, user_id }))),
  )}`
  await sql`insert into workgate.boards ${ofEach((id) => ({ id, name: 'Board' }))}`
  await sql`insert into workgate.stages ${ofEach((id) => ({ id, board_id: id, name: 'Stage', category: 'backlog' }))}`
  await sql`insert into workgate.tags ${ofEach((id) => ({ id, name: 'tag' }))}`
  await sql`insert into workgate.tasks ${ofEach((id) => ({ id, number: 1, title: 'Task', stage_id: id, assignee_id: userIds[2]! }))}`
  await sql`insert into workgate.tasks ${ofEach((id) => ({ id: historyTask(id), number: 2, title: 'Old' }))}`
  await sql`insert into workgate.tasks ${ofEach((id) => ({ id: doneTask(id), number: 3, title: 'Now and then' }))}`
  await sql`insert into workgate.comments ${ofEach((id) => ({ id, task_id: id, body: 'Comment' }))}`
  await sql`select workgate.add_field('points', 'number')`
  await sql`update workgate.tasks set fields = '{"points": 5}' where number = 3`
  const keys: Partial<Keys> = {}
  for (const name of Object.keys(keyOptions) as KeyName[]) keys[name] = await issueKey(sql, name, keyOptions[name])
  // Gives one project the key HERE and another one the key AWAY.
  await sql.unsafe(`
    create function public.swap_keys(here uuid, away uuid) returns void language sql
    begin atomic
      update workgate.projects set key = 'NEITHER' where id = away;
      update workgate.projects set key = 'HERE' where id = here;
      update workgate.projects set key = 'AWAY' where id = away;
    end`)
  await sql`create table public.copies as select * from workgate.api_keys`
  for (const { write, name } of kinds) {
    const rows = registers.filter(({ kind }) => kind.name === name)
    if (write) await sql.unsafe(write, [rows.map(({ id }) => id), rows.map(({ value }) => value)])
  }
  return keys as Keys
}
