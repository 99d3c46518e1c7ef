-- Time entries. Only values that differ are written.
create temporary table incoming_entries on commit drop as
select
  p.id as project_id, i.id, i.line, e.id is not null as known, (i.data ->> 'taskId')::uuid as task_id, u.id as user_id,
  case when i.data ? 'description' then i.data ->> 'description' else e.description end as description,
  (i.data ->> 'spentOn')::date as spent_on,
  (i.data ->> 'startedAt')::workgate.moment as started_at,
  (i.data ->> 'endedAt')::workgate.moment as ended_at,
  coalesce((i.data ->> 'timed')::boolean, true) as timed,
  coalesce((i.data ->> 'billable')::boolean, e.billable, false) as billable,
  coalesce((i.data ->> 'createdAt')::workgate.moment, e.created_at, (select workgate.present())) as created_at,
  coalesce((i.data ->> 'updatedAt')::workgate.moment, (select workgate.present())) as updated_at
from imported i
join target_projects p on p.imported_id = i.project_id
join target_users u on u.imported_id = (i.data ->> 'userId')::uuid
left join workgate.time_entries e on e.project_id = p.id and e.id = i.id
where i.kind = 'time_entry';
create unique index on incoming_entries (project_id, id);
analyze incoming_entries;

with removed as (
  delete from incoming_entries i
  where task_id is not null
    and not exists (select from workgate.tasks t where t.project_id = i.project_id and t.id = i.task_id)
  returning 1
)
insert into results select 'note', 'time entries of tasks that are not in the project were left out', count(*) from removed;

insert into refused
select line, 'endedAt', ended_at::text, 'is before startedAt' from incoming_entries where ended_at < started_at;
delete from incoming_entries where ended_at < started_at;

with invalid as (
  delete from incoming_entries
  where not timed
    and (ended_at is null or started_at <> spent_on::timestamp at time zone 'UTC')
  returning line
)
insert into refused
select line, 'timed', 'false', 'needs an endedAt, and the start of the day spentOn in UTC as startedAt' from invalid;

with created as (
  insert into workgate.time_entries (
    project_id, id, task_id, user_id, description, spent_on, started_at, ended_at, timed, billable, created_at, updated_at)
  select
    project_id, id, task_id, user_id, description, spent_on, started_at, ended_at, timed, billable, created_at, updated_at
  from incoming_entries
  where not known
  order by started_at, id
  returning 1
)
insert into results select 'time entries', 'created', count(*) from created;

with updated as (
  update workgate.time_entries e
  set
    task_id = i.task_id, user_id = i.user_id, description = i.description, spent_on = i.spent_on,
    started_at = i.started_at, ended_at = i.ended_at, timed = i.timed, billable = i.billable
  from incoming_entries i
  where i.known
    and e.project_id = i.project_id
    and e.id = i.id
    and (e.task_id, e.user_id, e.description, e.spent_on, e.started_at, e.ended_at, e.timed, e.billable)
      is distinct from (i.task_id, i.user_id, i.description, i.spent_on, i.started_at, i.ended_at, i.timed, i.billable)
  returning 1
)
insert into results select 'time entries', 'updated', count(*) from updated;

insert into results
select
  'time entries', 'unchanged',
  (select count(*) from incoming_entries where known)
    - (select sum(n) from results where kind = 'time entries' and outcome = 'updated');
