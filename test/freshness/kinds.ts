// The kinds of registers. Each has a statement that writes the numbers $2 to the rows of the ids $1. In a project, the
// first row of each kind has the id of the project, so this id finds all of them.

import { awayId, guestId, movedId, projectIds, teamId, userIds } from './ids.ts'

export interface Kind {
  name: string
  of: 'project' | 'transient' | 'bare' | 'moving' | 'pair' | 'user' | 'team' | 'key'
  /** Absent if only the API can write it. */
  write?: string
  /** Deletes the rows, for odd numbers. Absent if they always exist. */
  remove?: string
  /** A table that contains only rows of this kind and can be truncated. */
  table?: string
  /** Increases by one with each created row. */
  counts?: true
  /** Needs values that only ordinary triggers fill in, not those for replicated rows. */
  needsTriggers?: true
  /** Can be changed only at isolation level read committed. */
  needsReadCommitted?: true
  /** Takes effect this many milliseconds after the commit. */
  after?: number
}

export const joinedFrom = '2026-01-01T00:00:00Z'

export const these = 'unnest($1::uuid[], $2::integer[]) as w (id, n)'
const remove = (table: string) => `delete from workgate.${table} t where t.project_id = any ($1::uuid[])`
const second = `overlay(w.id::text placing 'e' from 1)::uuid`
const ofRow = 'where t.project_id = w.id and t.id = w.id'

// prettier-ignore
const projectKinds: Record<string, Omit<Kind, 'name' | 'of'>> = {
  name:    { write: `update workgate.projects t set name = 'Project ' || w.n::text from ${these} where t.id = w.id` },
  board:   { write: `update workgate.boards t set name = 'Board ' || w.n::text from ${these} ${ofRow}` },
  stage:   { write: `update workgate.stages t set name = 'Stage ' || w.n::text from ${these} ${ofRow}` },
  tag:     { write: `update workgate.tags t set name = 'tag ' || w.n::text from ${these} ${ofRow}`, needsReadCommitted: true },
  title:   { write: `update workgate.tasks t set title = 'Task ' || w.n::text from ${these} ${ofRow}`, needsTriggers: true },
  comment: { write: `update workgate.comments t set body = 'Comment ' || w.n::text from ${these} ${ofRow}` },
  member:  { write: `update workgate.project_members t set joined_at = to_timestamp(${Date.parse(joinedFrom) / 1000} + w.n)
                     from ${these} where t.project_id = w.id and t.user_id = '${userIds[0]}'` },
  file:    { write: `insert into workgate.files as t (project_id, id, task_id, comment_id, name, mime_type, size_bytes, sha256, url)
                     select w.id, w.id, w.id, w.id, 'file ' || w.n, 'text/plain', 1, repeat('0', 64), 'https://files.example.org'
                     from ${these} on conflict (project_id, id) do update set name = excluded.name`,
             remove: remove('files'), table: 'files' },
  entry:   { write: `insert into workgate.time_entries as t (project_id, id, task_id, user_id, description, spent_on, started_at, ended_at)
                     select w.id, w.id, w.id, '${userIds[1]}', 'Entry ' || w.n, s.at::date, s.at, s.at + make_interval(secs => w.n)
                     from ${these}, (select date_trunc('second', now()) - interval '2 days' as at) s
                     on conflict (project_id, id) do update
                     set description = excluded.description, started_at = excluded.started_at, ended_at = excluded.ended_at`,
             remove: remove('time_entries'), table: 'time_entries' },
  document: { write: `insert into workgate.documents as t (project_id, id, path, title, task_id, markdown)
                     select w.id, w.id, 'document.md', 'Document ' || w.n, w.id, '# Text' from ${these}
                     on conflict (project_id, id) do update set title = excluded.title`,
             remove: remove('documents'), table: 'documents' },
  history: { write: `insert into workgate.task_history as t (project_id, task_id, version, channel, actor, changes)
                     select w.id, h.id, 1, 'sql', jsonb_build_object('name', 'Actor ' || w.n), '{}'
                     from ${these} join workgate.tasks h on h.project_id = w.id and h.number = 2
                     on conflict (project_id, task_id, version) do update set actor = excluded.actor`,
             remove: `delete from workgate.task_history t using workgate.tasks h
                      where t.project_id = any ($1::uuid[]) and h.project_id = t.project_id and h.id = t.task_id and h.number = 2`,
             table: 'task_history' },
  tagged:  { write: `insert into workgate.task_tags (project_id, task_id, tag_id) select w.id, w.id, w.id from ${these} on conflict do nothing`,
             remove: remove('task_tags'), table: 'task_tags' },
  watcher: { write: `insert into workgate.task_watchers (project_id, task_id, user_id)
                     select w.id, w.id, '${userIds[0]}' from ${these} on conflict do nothing`,
             remove: remove('task_watchers'), table: 'task_watchers' },
  team:    { write: `insert into workgate.project_teams (project_id, team_id) select w.id, '${teamId}' from ${these} on conflict do nothing`,
             remove: remove('project_teams'), table: 'project_teams' },
  done:    { write: `update workgate.tasks t set state = 'open' from ${these} where t.project_id = w.id and t.number = 3`,
             remove: `update workgate.tasks t set state = 'completed' where t.project_id = any ($1::uuid[]) and t.number = 3`,
             needsTriggers: true },
  made:    { counts: true },
  guest:   { write: `insert into workgate.project_members (project_id, user_id) select w.id, '${guestId}' from ${these} on conflict do nothing`,
             remove: `${remove('project_members')} and t.user_id = '${guestId}'` },
  'second board':   { write: `insert into workgate.boards (project_id, id, name, position) select w.id, ${second}, 'Second', 1 from ${these} on conflict do nothing`,
                      remove: `${remove('boards')} and t.position = 1` },
  'second stage':   { write: `insert into workgate.stages (project_id, id, board_id, name, position, category)
                              select w.id, ${second}, w.id, 'Second', 1, 'active' from ${these} on conflict do nothing`,
                      remove: `${remove('stages')} and t.position = 1` },
  'second comment': { write: `insert into workgate.comments (project_id, id, task_id, body) select w.id, ${second}, w.id, 'Second' from ${these} on conflict do nothing`,
                      remove: `${remove('comments')} and t.body = 'Second'` },
}

// prettier-ignore
const otherKinds: Kind[] = [
  { name: 'transient', of: 'transient', needsTriggers: true,
    write: `with p as (
              insert into workgate.projects (id, key, name)
              select w.id, 'S' || right(w.id::text, 3), 'Transient ' || w.n from ${these}
              on conflict (id) do update set name = excluded.name
            ), t as (
              insert into workgate.tasks (project_id, id, number, title) select w.id, w.id, 1, 'Task ' || w.n from ${these}
              on conflict (project_id, id) do update set title = excluded.title
            )
            insert into workgate.comments (project_id, id, task_id, body) select w.id, w.id, w.id, 'Note ' || w.n from ${these}
            on conflict (project_id, id) do update set body = excluded.body`,
    remove: 'delete from workgate.projects t where t.id = any ($1::uuid[])' },
  { name: 'bare project', of: 'bare', needsTriggers: true,
    write: `insert into workgate.projects (id, key, name) select w.id, 'BARE', 'Bare' from ${these} on conflict do nothing`,
    remove: `delete from workgate.projects t where t.id = any ($1::uuid[])` },
  { name: 'moving project', of: 'moving', needsTriggers: true,
    write: `update workgate.projects t set id = w.id from ${these} where t.id = '${movedId}'`,
    remove: `update workgate.projects t set id = '${movedId}' where t.id = any ($1::uuid[])` },
  { name: 'swapped keys', of: 'pair',
    write: `select public.swap_keys(w.id, '${awayId}') from ${these}`,
    remove: `select public.swap_keys('${awayId}', w.id) from unnest($1::uuid[]) as w (id)` },
  { name: 'user', of: 'user', write: `update workgate.users t set name = 'User ' || w.n::text from ${these} where t.id = w.id` },
  { name: 'team name', of: 'team', write: `update workgate.teams t set name = 'Team ' || w.n::text from ${these} where t.id = w.id` },
  { name: 'team member', of: 'team',
    write: `insert into workgate.team_members (team_id, user_id) select w.id, '${userIds[0]}' from ${these} on conflict do nothing`,
    remove: 'delete from workgate.team_members t where t.team_id = any ($1::uuid[])', table: 'team_members' },
]

export const limitFrom = 500_000

const [one, two] = projectIds
const once = 'unnest($1::uuid[]) as w (id)'

/** A deleted key is inserted again from public.copies, which insertWorld creates. */
// prettier-ignore
const keyKinds: Kind[] = [
  { name: 'key rescoped', of: 'key',
    write: `select workgate.set_key_projects('rescoped', '{${one},${two}}') from ${these}`,
    remove: `select workgate.set_key_projects('rescoped', '{${one}}') from ${once}` },
  { name: 'key revoked', of: 'key',
    write: `update workgate.api_keys t set revoked_at = null from ${these} where t.name = 'revoked'`,
    remove: `select workgate.revoke_key('revoked') from ${once}` },
  { name: 'key expiring', of: 'key', after: 105,
    write: `update workgate.api_keys t set expires_at = null from ${these} where t.name = 'expiring'`,
    remove: `update workgate.api_keys t set expires_at = now() + interval '100 ms' from ${once} where t.name = 'expiring'` },
  { name: 'key deleted', of: 'key',
    write: `insert into workgate.api_keys select k.* from public.copies k, ${these} where k.name = 'deleted' on conflict do nothing`,
    remove: `delete from workgate.api_keys t using ${once} where t.name = 'deleted'` },
  { name: 'key limited', of: 'key',
    write: `update workgate.api_keys t set rate_limit_per_minute = ${limitFrom} + w.n from ${these} where t.name = 'limited'` },
  { name: 'key creating', of: 'key', counts: true },
]

export const kinds: Kind[] = [
  ...Object.entries(projectKinds).map(([name, kind]) => ({ name, of: 'project' as const, ...kind })),
  ...otherKinds,
  ...keyKinds,
]
