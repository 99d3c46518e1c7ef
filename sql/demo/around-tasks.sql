-- workgate demo: comments, files, time entries and documents of one batch of tasks.

with said as (
  insert into workgate.comments (project_id, id, task_id, author_id, body, created_at, updated_at)
  select
    t.project_id, pg_temp.id(t.number, 'comment ' || t.id || nth), t.id,
    case when said.tick >= candidate.joined and said.tick < candidate.gone then candidate.id else t.owner_id end,
    pg_temp.pick(languages.remarks || themes.remarks, pg_temp.dice(j, 'remark'))
      || case
        when pg_temp.dice(j, 'more') < 0.2
          then E'\n\n' || pg_temp.pick(languages.remarks || themes.remarks, pg_temp.dice(j, 'more said'))
        else ''
      end,
    said_at,
    case
      when pg_temp.dice(j, 'edited') < 0.06 then least(said_at + pg_temp.dice(j, 'edit') * interval '9 minutes', until)
      else said_at
    end
  from brief
  cross join planned_tasks t
  join themes using (theme)
  join languages using (language)
  cross join lateral (
    select width_bucket(pg_temp.dice(k, 'comments'), array[0.5, 0.72, 0.85, 0.93, 0.97, 0.985, 0.995]) as comments
  ) as luck
  cross join lateral generate_series(1, comments) as nth
  cross join lateral (
    select
      k * 16 + nth as j,
      created + (quiet - created) * (nth - 1 + pg_temp.dice(k * 16 + nth, 'said')) / comments as tick
    offset 0
  ) as said
  join planned_members bystander on bystander.project_id = t.project_id
    and bystander.n = 1 + floor(t.members * pg_temp.dice(j, 'bystander'))::bigint
  join people candidate on candidate.id = case
    when pg_temp.dice(j, 'author') < 0.45 then coalesce(t.assignee_id, t.creator_id)
    when pg_temp.dice(j, 'author') < 0.7 then t.creator_id
    else bystander.user_id
  end
  join clock c on c.tick = floor(said.tick)
  cross join lateral (select pg_temp.moment(c, said.tick) as said_at offset 0) as said_then
  returning project_id, id, task_id, author_id, created_at
),
attached as (
  select project_id, id, task_id, id as comment_id, author_id as creator_id, created_at
  from said
  where pg_temp.dice(uuid_hash_extended(id, 0), 'attached') < 0.08
  union all
  select project_id, id, id, null, creator_id, created_at
  from planned_tasks
  where number % 12 = 5
)
insert into workgate.files (
  project_id, id, task_id, comment_id, creator_id, name, mime_type, size_bytes, sha256, url, created_at, updated_at)
select
  a.project_id, pg_temp.id(t.number, 'file ' || a.id), a.task_id, a.comment_id, a.creator_id, file.name, mime_type,
  case when is_measured then floor(typical_size * (0.1 + 2 * pg_temp.dice(f, 'size') * pg_temp.dice(f, 'size')))::bigint end,
  case when is_measured then hash end, 'https://files.example.org/' || left(hash, 2) || '/' || hash, a.created_at, a.created_at
from attached a
join planned_tasks t on t.id = a.task_id
join themes using (theme)
join languages using (language)
cross join lateral (select uuid_hash_extended(a.id, 0) as f, encode(sha256(uuid_send(a.id)), 'hex') as hash) as luck
-- Tools do not export the digests, and often not the sizes, of the files of tasks.
cross join lateral (select a.comment_id is not null or pg_temp.dice(f, 'measured') < 0.5 as is_measured) as measures
cross join lateral (select pg_temp.pick(files, pg_temp.dice(f, 'name')) as name) as file
join (
  values
    ('png', 'image/png', 320000), ('jpg', 'image/jpeg', 2400000), ('pdf', 'application/pdf', 700000),
    ('csv', 'text/csv', 45000), ('log', 'text/plain', 90000), ('json', 'application/json', 12000),
    ('mp4', 'video/mp4', 38000000),
    ('xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 60000),
    ('docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 110000)
) as types (suffix, mime_type, typical_size) on suffix = split_part(file.name, '.', 2);

insert into workgate.time_entries (
  project_id, id, task_id, user_id, description, spent_on, started_at, ended_at, timed, billable, created_at, updated_at)
select
  t.project_id, pg_temp.id(t.number, 'time ' || t.id || nth), case when has_task then t.id end, t.assignee_id,
  case when pg_temp.dice(j, 'noted') < 0.45 or not has_task then pg_temp.pick(notes, pg_temp.dice(j, 'note')) end,
  started_at::date,
  case when timed then started_at else workgate.utc_day(started_at) end,
  case when timed then ended_at else workgate.utc_day(started_at) + (ended_at - started_at) end,
  timed, billable and pg_temp.dice(k, 'billable') < 0.8, ended_at, ended_at
from brief
cross join planned_tasks t
join themes using (theme)
join languages using (language)
cross join lateral (select width_bucket(pg_temp.dice(k, 'time'), array[0.5, 0.8, 0.93, 0.98]) as entries) as luck
cross join lateral generate_series(1, entries) as nth
cross join lateral (
  select k * 16 + nth as j, created + (updated - created) * (nth - pg_temp.dice(k * 16 + nth, 'spent')) / entries as tick
) as worked
join clock c on c.tick = floor(worked.tick)
cross join lateral (
  -- Two thirds of the entries are rounded to quarter hours, the others come from a timer.
  select
    pg_temp.dice(j, 'timer') < 0.65 as rounded,
    pg_temp.dice(j, 'of task') >= 0.03 as has_task,
    -- For a few entries, only the hours are known.
    pg_temp.dice(j, 'timed') >= 0.05 as timed,
    pg_temp.dice(j, 'long') * pg_temp.dice(j, 'long') as long,
    pg_temp.moment(c, worked.tick) as begun
  offset 0
) as habit
cross join lateral (
  select
    greatest(case when rounded then date_trunc('minute', begun) else begun end, t.created_at) as started_at,
    case when rounded then (1 + floor(13 * long)) * interval '15 minutes'
      else (90 + floor(14000 * long)) * interval '1 second' end as spent
) as work
cross join lateral (select least(started_at + spent, until) as ended_at offset 0) as done
where t.assignee_id is not null
  and t.version > 1;

insert into workgate.documents (
  project_id, id, path, title, task_id, author_id, markdown, revision, created_at, updated_at)
select
  t.project_id, pg_temp.id(t.number, 'document ' || t.id),
  folders[kind] || '/' || t.number || '-'
    || trim('-' from regexp_replace(lower(w.title collate "C"), '[\s!-/:-@\[-`{-~–“”’、。()]+', '-', 'g')) || '.md',
  w.title, case when pg_temp.dice(k, 'of task') < 0.6 then t.id end, t.creator_id,
  format(documents[kind], w.title, t.created_at::date, people.name), revision, t.created_at,
  case revision when 1 then t.created_at else t.updated_at end
from planned_tasks t
join workgate.tasks w using (project_id, id)
join people on people.id = t.creator_id
join themes using (theme)
join languages using (language)
cross join lateral (
  select
    1 + floor(cardinality(folders) * pg_temp.dice(k, 'kind'))::integer as kind,
    1 + floor(6 * pg_temp.dice(k, 'revised') * pg_temp.dice(k, 'revised'))::integer as revision
) as luck
where t.number % 40 = 5;
