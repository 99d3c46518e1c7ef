// The statements of the writers: every way to change what the API shows of a project. Ids are few, so that transactions
// meet, and objects are deleted and created again.

import { run } from '../support/environment.ts'
import type { chooser } from '../support/random.ts'

export type Choice = ReturnType<typeof chooser>
export type Write = [statement: string, ...parameters: (string | number | string[])[]]

const uuid = (kind: string, n: number) => `000000${kind}-0000-7000-8000-${String(n).padStart(12, '0')}`
const idsOf = (kind: string, count: number) => Array.from({ length: count }, (_, n) => uuid(kind, n))

export const projects = idsOf('a0', 4)
/** Written only as replication does, which a cluster refuses. */
export const replicatedProject = run().citus ? undefined : projects[2]!
/** Always exists, and is only written when the others pause. */
export const calmProject = uuid('a0', 9)
/** Written by the API, too. */
export const projectOfApi = projects[3]!
export const users = idsOf('b0', 8)
export const teams = idsOf('b1', 3)
const [boards, stages, tags] = [idsOf('c0', 3), idsOf('c1', 5), idsOf('c2', 4)]
const [tasks, comments, files] = [idsOf('d0', 40), idsOf('d1', 30), idsOf('d2', 30)]
const [entries, documents] = [idsOf('d3', 30), idsOf('d4', 20)]

let texts = 0
const text = () => `t${++texts} é"\\`
/** A time that no cursor by time would find again. */
const old = ({ below }: Choice) => new Date(Date.UTC(2020) + below(31_536_000_000)).toISOString()
/** Some row of a table, in a random order that is the same on every server. */
const any = (table: string, { below }: Choice) =>
  `select id from workgate.${table} where project_id = $1 order by md5(id::text || '${below(1e6)}') limit 1`

/** Makes a statement for a project, with the most rows that it may insert. */
type MakeWrite = (project: string, choice: Choice, most: number) => Write

/** Statements of ordinary sessions, which get the project as $1, with how often they are chosen. */
// prettier-ignore
const ordinary: [times: number, make: MakeWrite][] = [
  [4, (p, { below }) => ["insert into workgate.projects (id, key, name) values ($1, $2, 'New') on conflict do nothing", p, `P${below(5_000)}`]],
  [1, (p) => ['delete from workgate.projects where id = $1', p]],
  [2, (p) => ['update workgate.projects set name = $2 where id = $1', p, text()]],
  [1, (p, { below }) => ['update workgate.projects set key = $2 where id = $1', p, `P${below(5_000)}`]],
  [4, (p, { pick }) => ['insert into workgate.project_members (project_id, user_id) values ($1, $2) on conflict do nothing', p, pick(users)]],
  [1, (p) => ['insert into workgate.project_members (project_id, user_id) select $1, id from workgate.users on conflict do nothing', p]],
  [2, (p, { pick }) => ['update workgate.project_members set role = $2 where project_id = $1 and user_id = $3', p, pick(['owner', 'viewer']), pick(users)]],
  [3, (p, { pick }) => ['delete from workgate.project_members where project_id = $1 and user_id = $2', p, pick(users)]],
  [3, (p, { pick }) => ['insert into workgate.project_teams (project_id, team_id) values ($1, $2) on conflict do nothing', p, pick(teams)]],
  [2, (p, { pick }) => ['delete from workgate.project_teams where project_id = $1 and team_id = $2', p, pick(teams)]],
  [3, (_, { pick }) => ['update workgate.users set name = $2 where id = $1', pick(users), text()]],
  [1, (_, { pick }) => ['update workgate.users set active = not active where id = $1', pick(users)]],
  [2, (_, { pick }) => ['update workgate.teams set name = $2 where id = $1', pick(teams), text()]],
  [2, (p) => ["update workgate.api_keys set project_ids = case when $1::uuid = any (project_ids) then array_remove(project_ids, $1) else project_ids || $1::uuid end where name = 'selected' and revoked_at is null", p]],
  [3, (p, { pick }) => ["insert into workgate.boards (project_id, id, name) values ($1, $2, 'b') on conflict do nothing", p, pick(boards)]],
  [2, (p, { pick }) => ['update workgate.boards set name = $3 where project_id = $1 and id = $2', p, pick(boards), text()]],
  [2, (p, { pick }) => ['delete from workgate.boards where project_id = $1 and id = $2', p, pick(boards)]],
  [4, (p, { pick }) => ["insert into workgate.stages (project_id, id, board_id, name, category) values ($1, $2, $3, 's', 'done') on conflict do nothing", p, pick(stages), pick(boards)]],
  [2, (p, { pick }) => ['update workgate.stages set wip_limit = coalesce(wip_limit, 0) + 1 where project_id = $1 and id = $2', p, pick(stages)]],
  [1, (p, { pick }) => ['delete from workgate.stages where project_id = $1 and id = $2', p, pick(stages)]],
  [4, (p, { pick, below }) => ['insert into workgate.tags (project_id, id, name) values ($1, $2, $3) on conflict do nothing', p, pick(tags), `g${below(9)}`]],
  [1, (p, { pick, below }) => ['update workgate.tags set name = $3 where project_id = $1 and id = $2', p, pick(tags), `g${below(99)}`]],
  [1, (p, { pick }) => ['delete from workgate.tags where project_id = $1 and id = $2', p, pick(tags)]],
  [8, (p, { pick }) => ['insert into workgate.tasks (project_id, id, title) values ($1, $2, $3) on conflict do nothing', p, pick(tasks), text()]],
  [3, (p, choice) => ["insert into workgate.tasks (project_id, title, state, completed_at, created_at, updated_at) values ($1, $2, 'completed', $3, $3, $3)", p, text(), old(choice)]],
  [5, (p, { pick }, most) => ["insert into workgate.tasks (project_id, title) select $1, 'bulk ' || g from generate_series(1, $2::int) g", p, pick([3, 50, most])]],
  [4, (p, { pick }) => ['update workgate.tasks set title = $3 where project_id = $1 and id = $2', p, pick(tasks), text()]],
  [4, (p, { pick }) => ['update workgate.tasks set state = $3 where project_id = $1 and id = $2', p, pick(tasks), pick(['open', 'completed', 'cancelled'])]],
  [5, (p, { below }) => ["update workgate.tasks set priority = 'high', description = $2 where project_id = $1 and number % 2 = $3", p, text(), below(2)]],
  [1, (p) => ['update workgate.tasks set title = title where project_id = $1', p]],
  [1, () => ["select workgate.add_field('points', 'number')"]],
  [2, (p, { pick, below }) => ["update workgate.tasks set fields = jsonb_build_object('points', $3::integer) where project_id = $1 and id = $2 and exists (select 1 from workgate.fields where name = 'points')", p, pick(tasks), below(3)]],
  [4, (p, { pick }) => ['delete from workgate.tasks where project_id = $1 and id = $2', p, pick(tasks)]],
  [4, (p) => ["delete from workgate.tasks where project_id = $1 and title like 'bulk%'", p]],
  [4, (p, { pick }) => ['insert into workgate.task_tags select $1, id, $2 from workgate.tasks where project_id = $1 and id < $3 on conflict do nothing', p, pick(tags), pick(tasks)]],
  [2, (p, { pick }) => ['delete from workgate.task_tags where project_id = $1 and tag_id = $2 and task_id < $3', p, pick(tags), pick(tasks)]],
  [4, (p, { pick }) => ['insert into workgate.task_watchers select $1, t.id, m.user_id from workgate.tasks t join workgate.project_members m on m.project_id = $1 and m.user_id = $3 where t.project_id = $1 and t.id < $2 on conflict do nothing', p, pick(tasks), pick(users)]],
  [1, (p, { pick }) => ['delete from workgate.task_watchers where project_id = $1 and user_id = $2', p, pick(users)]],
  [6, (p, choice) => [`insert into workgate.comments (project_id, id, task_id, body) select $1, $2, id, $3 from (${any('tasks', choice)}) t on conflict do nothing`, p, choice.pick(comments), text()]],
  [2, (p, { pick }) => ['update workgate.comments set body = $3 where project_id = $1 and id = $2', p, pick(comments), text()]],
  [2, (p, { pick }) => ['update workgate.comments set id = $3 where project_id = $1 and id = $2', p, pick(comments), pick(comments)]],
  [3, (p, { pick }) => ['delete from workgate.comments where project_id = $1 and id = $2', p, pick(comments)]],
  [4, (p, choice) => [`insert into workgate.files (project_id, id, comment_id, name, mime_type, size_bytes, url) select $1, $2, id, $3, 'a/b', 1, 'https://x.example/' from (${any('comments', choice)}) c on conflict do nothing`, p, choice.pick(files), text()]],
  [3, (p, choice) => [`insert into workgate.files (project_id, id, task_id, name, mime_type, url) select $1, $2, id, $3, 'a/b', 'https://x.example/' from (${any('tasks', choice)}) t on conflict do nothing`, p, choice.pick(files), text()]],
  [2, (p, { pick }) => ['update workgate.files set name = $3 where project_id = $1 and id = $2', p, pick(files), text()]],
  [2, (p, { pick }) => ['delete from workgate.files where project_id = $1 and id = $2', p, pick(files)]],
  [4, (p, choice) => [`insert into workgate.time_entries (project_id, id, task_id, user_id, spent_on, started_at) select $1, $2, id, $3, '2026-01-01', '2026-01-01' from (${any('tasks', choice)}) t on conflict do nothing`, p, choice.pick(entries), choice.pick(users)]],
  [2, (p, { pick }) => ["update workgate.time_entries set ended_at = '2026-01-01 01:00', description = $3 where project_id = $1 and id = $2", p, pick(entries), text()]],
  [2, (p, { pick }) => ['delete from workgate.time_entries where project_id = $1 and id = $2', p, pick(entries)]],
  [3, (p, choice) => [`insert into workgate.documents (project_id, id, path, title, markdown, task_id) select $1, $2, $3, 'd', '# x', id from (${any('tasks', choice)}) t on conflict do nothing`, p, choice.pick(documents), `f${choice.below(99)}`]],
  [1, (p, { pick, below }) => ["insert into workgate.documents (project_id, id, path, title, markdown) values ($1, $2, $3, 'd', '# x') on conflict do nothing", p, pick(documents), `f${below(99)}`]],
  [2, (p, { pick }) => ['update workgate.documents set markdown = $3 where project_id = $1 and id = $2', p, pick(documents), text()]],
  [1, (p, { pick }) => ['delete from workgate.documents where project_id = $1 and id = $2', p, pick(documents)]],
]

/** Statements as replication applies them: ordinary triggers and foreign keys do not fire, and rows come in any order. */
// prettier-ignore
const replicated: [times: number, make: MakeWrite][] = [
  [1, (p) => ["update workgate.api_keys set project_ids = case when $1::uuid = any (project_ids) then array_remove(project_ids, $1) else project_ids || $1::uuid end where name = 'selected' and revoked_at is null", p]],
  [2, (p, { below }) => ['insert into workgate.projects (id, key, name) values ($1, $2, $3) on conflict (id) do update set key = excluded.key, name = excluded.name', p, `R${below(5_000)}`, text()]],
  [1, (p) => ['delete from workgate.projects where id = $1', p]],
  [4, (p, { pick, below }) => ['insert into workgate.tasks (project_id, id, number, title) values ($1, $2, $4, $3) on conflict (project_id, id) do update set title = excluded.title', p, pick(tasks), text(), 1 + below(1e9)]],
  [2, (p, { pick }) => ['delete from workgate.tasks where project_id = $1 and id = $2', p, pick(tasks)]],
  [3, (p, { pick }) => ['insert into workgate.project_members (project_id, user_id) values ($1, $2) on conflict do nothing', p, pick(users)]],
  [2, (p, { pick }) => ['delete from workgate.project_members where project_id = $1 and user_id = $2', p, pick(users)]],
  [2, (_, { pick }) => ['update workgate.users set name = $2 where id = $1', pick(users), text()]],
  [1, () => ['delete from workgate.users where id = $1', users.at(-1)!]],
  [2, () => ["insert into workgate.users (id, name) values ($1, 'Again') on conflict do nothing", users.at(-1)!]],
  [3, (p, { pick, below }) => ['insert into workgate.tags (project_id, id, name) values ($1, $2, $3) on conflict (project_id, id) do update set name = excluded.name', p, pick(tags), `r${below(99)}`]],
  [1, (p, { pick }) => ['delete from workgate.tags where project_id = $1 and id = $2', p, pick(tags)]],
  [4, (p, { pick }) => ['insert into workgate.task_tags values ($1, $2, $3) on conflict do nothing', p, pick(tasks), pick(tags)]],
  [1, (p, { pick }) => ['delete from workgate.task_tags where project_id = $1 and task_id = $2', p, pick(tasks)]],
  [4, (p, { pick }) => ['insert into workgate.task_watchers values ($1, $2, $3) on conflict do nothing', p, pick(tasks), pick(users)]],
  [1, (p, { pick }) => ['delete from workgate.task_watchers where project_id = $1 and task_id = $2', p, pick(tasks)]],
  [3, (p, { pick }) => ['insert into workgate.comments (project_id, id, task_id, body) values ($1, $2, $3, $4) on conflict (project_id, id) do update set body = excluded.body', p, pick(comments), pick(tasks), text()]],
  [1, (p, { pick }) => ['delete from workgate.comments where project_id = $1 and id = $2', p, pick(comments)]],
  [2, (p, { pick }) => ["insert into workgate.files (project_id, id, task_id, comment_id, name, mime_type, size_bytes, url) values ($1, $2, $3, $4, $5, 'a/b', 1, 'https://x.example/') on conflict (project_id, id) do update set name = excluded.name", p, pick(files), pick(tasks), pick(comments), text()]],
  [2, (p, { pick }) => ["insert into workgate.files (project_id, id, task_id, name, mime_type, url) values ($1, $2, $3, $4, 'a/b', 'https://x.example/') on conflict (project_id, id) do update set name = excluded.name", p, pick(files), pick(tasks), text()]],
  [1, (p, { pick }) => ['delete from workgate.files where project_id = $1 and id = $2', p, pick(files)]],
]

const repeat = <Item>(list: [times: number, item: Item][]) =>
  list.flatMap(([times, item]) => Array<Item>(times).fill(item))
export const ordinaryWrites = repeat(ordinary)
export const replicatedWrites = repeat(replicated)
export const truncates = ['files', 'task_watchers', 'time_entries', 'comments cascade', 'documents']
