// The SQL operations of the writers: every way to insert, change and delete rows, one or hundreds at a time.

import type { Sql } from '../support/workgate.ts'
import { dueDate, moment, zones, type Choice } from './moments.ts'
import { priorities } from './analytics-oracle.ts'
import type { Row } from './oracle-rows.ts'
import {
  commentRow,
  documentRow,
  entryRow,
  estimateOf,
  fieldsOf,
  insertStructure,
  insertEntries,
  insertTasks,
  projectRow,
  stateOf,
  taskFields,
  taskRow,
  typeOf,
  teamIds,
  timesOf,
  userIds,
  type KnownIds,
} from './analytics-world.ts'

export type Operation = (sql: Sql, choice: Choice, known: KnownIds) => Promise<unknown>

/** Picks some of the ids, mostly one. */
const few = ({ below, chance, pick, times }: Choice, ids: string[]) =>
  times(Math.min(ids.length, chance(0.6) ? 1 : 1 + below(8)), () => pick(ids))

const shift = ({ pick }: Choice) => pick(['0', '15 minutes', '1 hour', '-1 day', '7 days', '-30 days'])
const many = ({ pick }: Choice) => pick([5, 40, 250])

const updateTasks =
  (changes: (choice: Choice, known: KnownIds) => Row): Operation =>
  (sql, choice, known) =>
    sql`update workgate.tasks set ${sql(changes(choice, known))}
        where project_id = ${known.project} and id = any (${few(choice, known.tasks)})`

const updateEntries =
  (changes: (choice: Choice, known: KnownIds) => Row): Operation =>
  (sql, choice, known) =>
    sql`update workgate.time_entries set ${sql(changes(choice, known))}
        where project_id = ${known.project} and id = any (${few(choice, known.entries)})`

const insertRow =
  (table: string, row: (choice: Choice, known: KnownIds) => Row): Operation =>
  (sql, choice, known) =>
    sql`insert into ${sql(`workgate.${table}`)} ${sql(row(choice, known))}`

const deleteRows =
  (table: string, idsIn: (known: KnownIds) => string[]): Operation =>
  (sql, choice, known) =>
    sql`delete from ${sql(`workgate.${table}`)}
        where project_id = ${known.project} and id = any (${few(choice, idsIn(known))})`

/** A time this many milliseconds after the start of an entry. In an update, Citus refuses what depends on the time zone. */
export const after = (sql: Sql, ms: number) =>
  sql`(started_at at time zone 'UTC' + ${ms} * interval '1 millisecond') at time zone 'UTC'`

/** An update that changes no value. */
const touch: Operation = (sql, _, { project }) =>
  sql`update workgate.tasks set priority = priority where project_id = ${project}`

// prettier-ignore
export const operations: Record<string, Operation> = {
  'insert a task':                 insertRow('tasks', taskRow),
  'insert tasks':                  (sql, choice, known) => sql`insert into workgate.tasks ${sql(choice.times(20, () => taskRow(choice, known)))}`,
  'copy tasks':                    (sql, choice, { project }) => sql`
    insert into workgate.tasks (project_id, title, state, priority, type, stage_id, assignee_id, assignee_ids, due_date, estimate_seconds, fields, completed_at, cancelled_at, created_at)
    select project_id, title, state, priority, type, stage_id, assignee_id, assignee_ids, due_date, estimate_seconds, fields, completed_at + ${shift(choice)}::interval, cancelled_at + ${shift(choice)}::interval, created_at
    from workgate.tasks where project_id = ${project} and id >= ${choice.id()} order by id limit ${many(choice)}`,
  'insert or update a task':       (sql, choice, known) => sql`
    insert into workgate.tasks ${sql([taskRow(choice, known), { ...taskRow(choice, known), id: choice.pick(known.tasks) }])}
    on conflict (project_id, id) do update set estimate_seconds = excluded.estimate_seconds, fields = excluded.fields, assignee_id = excluded.assignee_id, assignee_ids = excluded.assignee_ids, created_at = excluded.created_at`,
  'change the state of tasks':     updateTasks((choice) => ({ state: choice.pick(['open', 'completed', 'cancelled']) })),
  'reopen tasks':                  (sql, choice, { project }) => sql`
    update workgate.tasks set state = 'open'
    where project_id = ${project} and id in (
      select id from workgate.tasks where project_id = ${project} and state <> 'open' and id >= ${choice.id()} order by id limit ${many(choice)})`,
  'set the time of a state':       updateTasks((choice) => stateOf(choice)),
  'move completions':              (sql, choice, { project, tasks }) => sql`
    update workgate.tasks set completed_at = ${moment(choice)} where project_id = ${project} and state = 'completed' and id = any (${tasks})`,
  'move cancellations':            (sql, choice, { project, tasks }) => sql`
    update workgate.tasks set cancelled_at = ${moment(choice)} where project_id = ${project} and state = 'cancelled' and id = any (${tasks})`,
  'move the creation of tasks':    updateTasks((choice) => ({ created_at: moment(choice) })),
  'assign tasks':                  updateTasks((choice, { members }) => ({ assignee_id: choice.maybe(0.7, () => choice.pick(members) ?? null) })),
  'assign tasks to several':       updateTasks((choice, { members }) => ({ assignee_ids: choice.some(members, 4) })),
  'change the stage of tasks':     updateTasks((choice, { stages }) => ({ stage_id: choice.maybe(0.8, () => choice.pick(stages) ?? null) })),
  'change the priority of tasks':  updateTasks((choice) => ({ priority: choice.pick(priorities), due_date: choice.maybe(0.7, () => dueDate(choice)) })),
  'estimate tasks':                updateTasks((choice) => ({ estimate_seconds: estimateOf(choice) })),
  'change the type of tasks':      updateTasks((choice) => ({ type: typeOf(choice) })),
  'set own fields of tasks':       updateTasks((choice) => ({ fields: fieldsOf(choice) })),
  'add points to many tasks':      (sql, choice, { project }) => sql`
    update workgate.tasks set fields = coalesce(fields, '{}') || jsonb_build_object('points', ${choice.pick([-0.5, 2, 0])}::numeric)
    where project_id = ${project} and id in (select id from workgate.tasks where project_id = ${project} and id >= ${choice.id()} order by id limit ${many(choice)})`,
  'remove points':                 (sql, choice, { project, tasks }) => sql`
    update workgate.tasks set fields = fields - 'points' where project_id = ${project} and id = any (${few(choice, tasks)})`,
  'change every task field':       updateTasks(taskFields),
  'estimate many tasks':           (sql, choice, { project }) => sql`
    update workgate.tasks set estimate_seconds = nullif(${estimateOf(choice)}::integer, estimate_seconds)
    where project_id = ${project} and id in (select id from workgate.tasks where project_id = ${project} and id >= ${choice.id()} order by id limit ${many(choice)})`,
  'update without a change':       touch,
  'delete tasks':                  deleteRows('tasks', ({ tasks }) => tasks),
  'delete many tasks':             (sql, choice, { project }) => sql`
    delete from workgate.tasks where project_id = ${project} and id in (
      select id from workgate.tasks where project_id = ${project} and id >= ${choice.id()} order by id limit ${many(choice)})`,

  'tag tasks':                     (sql, choice, { project, tasks }) => sql`
    with tag as (
      insert into workgate.tags ${sql({ project_id: project, name: `Tag ${choice.below(6)}` })}
      on conflict (project_id, lower(name)) do update set name = excluded.name returning id)
    insert into workgate.task_tags select ${project}, t.id, tag.id
    from tag, workgate.tasks t where t.project_id = ${project} and t.id = any (${few(choice, tasks)}) on conflict do nothing`,
  'untag tasks':                   (sql, choice, { project, tasks }) => sql`
    delete from workgate.task_tags where project_id = ${project} and task_id = any (${few(choice, tasks)})`,
  'change tags':                   (sql, { below, pick }, { project }) => sql`
    update workgate.tags set ${pick([{ color: `#00000${below(9)}` }, { name: `tag ${below(9)}` }].map((row) => sql(row)))}
    where project_id = ${project} and lower(name) = ${`tag ${below(6)}`}`,
  'delete tags':                   (sql, { below }, { project }) => sql`
    delete from workgate.tags where project_id = ${project} and lower(name) >= ${`tag ${below(9)}`}`,
  'watch tasks':                   (sql, choice, { project, tasks, members }) => sql`
    insert into workgate.task_watchers select ${project}, task, member
    from unnest(${few(choice, tasks)}::uuid[]) task, unnest(${few(choice, members)}::uuid[]) member on conflict do nothing`,
  'move watchers':                 (sql, choice, { project, tasks }) => sql`
    update workgate.task_watchers set task_id = ${choice.pick(tasks)} where project_id = ${project} and task_id = ${choice.pick(tasks)}`,

  'insert a time entry':           insertRow('time_entries', entryRow),
  'copy time entries':             (sql, choice, { project }) => sql`
    insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at, ended_at, billable)
    select project_id, task_id, user_id, spent_on, started_at + moved.by, ended_at + moved.by, billable
    from workgate.time_entries, (select ${shift(choice)}::interval as by) moved
    where project_id = ${project} and id >= ${choice.id()} order by id limit ${many(choice)}`,
  'start a time entry':            insertRow('time_entries', (choice, known) => ({ ...entryRow(choice, known), ended_at: null })),
  'stop time entries':             (sql, choice, { project }) => sql`
    update workgate.time_entries set ended_at = ${after(sql, choice.below(9_000_000))}
    where project_id = ${project} and ended_at is null and id >= ${choice.id()}`,
  'restart time entries':          updateEntries(() => ({ ended_at: null })),
  'move time entries':             updateEntries(timesOf),
  'move time to another task':     updateEntries(({ maybe, pick }, { tasks }) => ({ task_id: maybe(0.8, () => pick(tasks) ?? null) })),
  'move time to another user':     updateEntries(({ pick }) => ({ user_id: pick(userIds) })),
  'change time entry ids':         (sql, choice, { project, entries }) => sql`
    update workgate.time_entries set id = ${choice.id()} where project_id = ${project} and id = ${choice.pick(entries) ?? null}`,
  'toggle billable':               (sql, choice, { project, entries }) => sql`
    update workgate.time_entries set billable = not billable where project_id = ${project} and id = any (${few(choice, entries)})`,
  'delete and reinsert entries':   (sql, choice, { project, entries, tasks }) => sql`
    with gone as (delete from workgate.time_entries where project_id = ${project} and id = any (${few(choice, entries)}) returning *)
    insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at, ended_at, billable)
    select project_id, ${choice.pick(tasks)}, user_id, spent_on, started_at, ended_at, not billable from gone`,
  'merge time entries':            (sql, choice, { project, tasks }) => sql`
    merge into workgate.time_entries e
    using (
      (select project_id, id from workgate.time_entries where project_id = ${project} and id >= ${choice.id()} order by id limit ${many(choice)})
      union all select ${project}::uuid, id from unnest(${choice.times(5, choice.id)}::uuid[]) id
    ) s on e.project_id = s.project_id and e.id = s.id
    when not matched then insert (project_id, id, task_id, user_id, spent_on, started_at, ended_at, created_at, updated_at)
      values (s.project_id, s.id, ${choice.pick(tasks)}, ${choice.pick(userIds)}, '2026-01-01', ${moment(choice)}, null, ${new Date()}, ${new Date()})
    when matched and e.billable then delete
    when matched then update set started_at = (e.started_at at time zone 'UTC' - interval '1 hour') at time zone 'UTC'`,
  'delete time entries':           deleteRows('time_entries', ({ entries }) => entries),
  'delete many time entries':      (sql, choice, { project }) => sql`
    delete from workgate.time_entries where project_id = ${project} and id in (
      select id from workgate.time_entries where project_id = ${project} and id >= ${choice.id()} order by id limit ${many(choice)})`,

  'insert comments':               (sql, choice, known) => sql`insert into workgate.comments ${sql(choice.times(1 + choice.below(20), () => commentRow(choice, known)))}`,
  'move comments':                 (sql, choice, { project, comments, tasks }) => sql`
    update workgate.comments set task_id = ${choice.pick(tasks)} where project_id = ${project} and id = any (${few(choice, comments)})`,
  'delete comments':               deleteRows('comments', ({ comments }) => comments),
  'insert documents':              (sql, choice, known) => sql`insert into workgate.documents ${sql(choice.times(1 + choice.below(9), () => documentRow(choice, known)))}`,
  'change documents':              (sql, choice, { project, documents }) => sql`
    update workgate.documents set title = ${`Title ${choice.below(99)}`} where project_id = ${project} and id = any (${few(choice, documents)})`,
  'delete documents':              deleteRows('documents', ({ documents }) => documents),

  'add a member':                  (sql, choice, { project }) => sql`
    insert into workgate.project_members ${sql({ project_id: project, user_id: choice.pick(userIds) })} on conflict do nothing`,
  'remove members without tasks':  (sql, _, { project }) => sql`
    delete from workgate.project_members m where project_id = ${project}
      and not exists (select from workgate.tasks t where t.project_id = ${project} and m.user_id = any (workgate.assignees_of(t.assignee_id, t.assignee_ids)))`,
  'attach a team':                 (sql, choice, { project }) => sql`
    insert into workgate.project_teams ${sql({ project_id: project, team_id: choice.pick(teamIds) })} on conflict do nothing`,
  'detach teams':                  (sql, choice, { project }) => sql`
    delete from workgate.project_teams where project_id = ${project} and team_id = any (${few(choice, teamIds)})`,
  'rename a user':                 (sql, { below, pick }) => sql`update workgate.users set name = ${`Name ${below(40)}`} where id = ${pick(userIds)}`,
  'insert a board and a stage':    (sql, choice, { project }) => sql`
    with board as (insert into workgate.boards ${sql({ project_id: project, name: 'More', position: choice.below(3), archived: choice.chance(0.3) })} returning id)
    insert into workgate.stages (project_id, board_id, name, category, position) select ${project}, id, 'More', 'active', ${choice.below(3)} from board`,
  'change boards and stages':      (sql, { below, pick }, { project, stages, boards }) => sql`
    with board as (update workgate.boards set position = ${below(3)} where project_id = ${project} and id = ${pick(boards) ?? null})
    update workgate.stages set name = ${`Stage ${below(9)}`}, position = ${below(3)}, category = ${pick(['backlog', 'active', 'done'])}
    where project_id = ${project} and id = ${pick(stages) ?? null}`,
  'delete boards without tasks':   (sql, _, { project }) => sql`
    delete from workgate.boards b where project_id = ${project}
      and not exists (select from workgate.tasks t where t.project_id = ${project} and t.board_id = b.id)`,

  'change a project':              (sql, choice, { project }) => sql`
    update workgate.projects set ${sql({ name: projectRow(choice, project)['name'], status: choice.pick(['active', 'active', 'archived']) })} where id = ${project}`,
  'insert a project with tasks':   async (sql, choice) => {
    const project = choice.id()
    await sql`insert into workgate.projects ${sql(projectRow(choice, project))}`
    const known = await insertStructure(sql, choice, project, 4)
    await insertTasks(sql, choice, known, 30)
    await insertEntries(sql, choice, known, 30)
  },
  'set another time zone':         (sql, { pick }) => sql.unsafe(`set local timezone = '${pick(zones)}'`),
}

export const deleteProject: Operation = (sql, _, { project }) =>
  sql`delete from workgate.projects where id = ${project}`

/** Truncates tables and inserts time entries again, as bulk loaders do. */
export const truncate: Operation = async (sql, choice, known) => {
  await choice.pick([
    () => sql`truncate workgate.time_entries`,
    () => sql`truncate workgate.documents, workgate.time_entries`,
    () => sql`truncate workgate.comments, workgate.files`,
    () => sql`truncate workgate.comments, workgate.files, workgate.time_entries, workgate.documents`,
  ])()
  await insertEntries(sql, choice, known, 200)
}
