-- The checks of task t, which has no values if it does not exist, and of the receipt d of its deletion. Each part after its
-- name; expectations.ts and checks.ts put them together.

-- name: allChecks
-- The checks of task t, which has no values if it does not exist, and of the receipt d of its deletion
select
  concat(
    '[',
    string_agg(
      (
        select row_to_json(f)::text
        from (
          select
            c.name,
            c.expected,
            c.actual,
            c.ok,
            case when c.ok then c.change -> 'by' end as by,
            case when c.ok then c.change -> 'at' end as at
        ) f
      ),
      ',' order by c.n, c.name),
    ']')::json as items,
  coalesce(bool_and(c.ok), true) as ok
from (
  select
    c.n, c.name, c.expected,
    case when t.id is not null or c.name = 'deleted' then c.actual end as actual,
    c.ok and (t.id is not null or c.name = 'deleted') as ok,
    c.change
  from (
    select null::integer as n, null as name, null::json as expected, null::json as actual, null::boolean as ok, null::json as change
    where false
    {{all}}
  ) c
) c

-- name: check
-- The check of an expectation of task t: what is expected, what is there, and the change by which it was met
union all
select
  {{n}} as n,
  '{{name}}' as name,
  {{expected}} as expected,
  to_json(c.actual) as actual,
  coalesce({{isMet}}, false) as ok,
  c.change
from (select) one
left join lateral (
  {{evidence}}
) c on true

-- name: ownFields
-- The checks of own fields of task t. A text can also mean a number, true or false, and is met by a list that it is in.
{{#fieldsNames}}
union all
select
  {{n}} as n,
  'fields.' || x.name as name,
  case
    when jsonb_typeof(x.other) = (
      select f.type
      from workgate.fields f
      where f.name = x.name
        and (f.project_id is null or f.project_id = :projectId)
      limit 1
    ) then x.other
    else to_jsonb(x.expected)
  end::json as expected,
  case jsonb_typeof(v.value)
    when 'array' then to_json((select string_agg(e, ', ') from jsonb_array_elements_text(v.value) e))
    else v.value::json
  end as actual,
  case x.expected when 'none' then v.value is null else coalesce(v.value ? x.expected or v.value = x.other, false) end as ok,
  (
    select y.change
    from (
      select
        {{change}}
      from workgate.task_history e
      where e.project_id = :projectId
        and e.task_id = t.id
        and (
          e.version = 1
          or (e.changes #> array['fields', 'from', x.name]) is distinct from (e.changes #> array['fields', 'to', x.name]))
      order by e.version desc
      limit 1
    ) y
  ) as change
from unnest(:fieldsNames::text[], :fieldsValues::text[], :fieldsOthers::jsonb[]) x (name, expected, other)
cross join lateral (select t.fields -> x.name as value) v
{{/fieldsNames}}

-- name: undeclared
-- The own fields that no task of the project can have
{{#fieldsNames}}(
  select string_agg('fields.' || x.name || ',', '')
  from unnest(:fieldsNames::text[]) x (name)
  where not exists (
    select
    from workgate.fields f
    where f.name = x.name
      and (f.project_id is null or f.project_id = :projectId))
),{{/fieldsNames}}

-- name: taskValue
-- A value of task t, and the last change to it, which may be the creation of the task
select
  {{actual}} as actual,
  (
    select x.change
    from (
      select
        {{change}}
      from workgate.task_history e
      where e.project_id = :projectId
        and e.task_id = t.id
        and {{isChange}}
      order by e.version desc
      limit 1
    ) x
  ) as change

-- name: history
-- The last change to task t that is as expected
select
  {{actual}} as actual,
  {{change}}
from workgate.task_history e
where e.project_id = :projectId
  and e.task_id = t.id
  {{condition}}
order by e.version desc
limit 1

-- name: evidence
-- The first object o of task t that is as expected
select
  {{actual}} as actual,
  {{change}}
from workgate.{{table}} o
{{journalEntry}}
where o.project_id = :projectId
  and o.task_id = t.id
  and {{condition}}
order by e.seq nulls first
limit 1

-- name: change
-- The writer and the time of entry e
case when e.at is not null then
  json_build_object('by', json_build_object('channel', e.channel, 'actor', e.actor), 'at', workgate.iso(e.at))
end as change

-- name: journalEntry
-- The last entry e of the journal after which object o could be what is expected. Scans journal_by_object.
left join lateral (
  select j.seq, j.at, j.channel, j.actor
  from workgate.journal j
  where j.scope = :projectId
    and j.kind = '{{kind}}'
    and j.id = o.id
    and (j.event = 'created' or j.fields is null or j.fields && '{{fields}}')
  order by j.seq desc
  limit 1
) e on true

-- name: writer
-- True if the actor of entry e has this name, id or role, and the database knows it
and exists (select from jsonb_each_text(e.actor - 'claimed') part where part.value = :changedBy::text)

-- name: claimant
-- True if the actor of entry e only says that it has this name, id or role
and exists (select from jsonb_each_text(e.actor #> '{claimed,actor}') part where part.value = :claimedBy::text)

-- name: people
-- The ids of the users with this id, e-mail or name. By e-mail and name only members of the project.
case
  when {{person}} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then array[{{person}}::uuid]
  else array(
    select u.id
    from workgate.project_members m
    join workgate.users u on u.id = m.user_id
    where m.project_id = :projectId
      and lower({{person}}) in (lower(u.email), lower(u.name))
  )
end

-- name: stageCategory
-- The category of the stage of task t
(
  select s.category
  from workgate.stages s
  where s.project_id = :projectId
    and s.id = t.stage_id
)

-- name: parent
-- The id of the task that is named as the parent
(
  select
    {{namedTask}}
  from (select :parentId::text as name) named
)

-- name: tag
-- The tag of task t with this name
(
  select g.name
  from workgate.task_tags tt
  join workgate.tags g on g.project_id = :projectId
    and g.id = tt.tag_id
  where tt.project_id = :projectId
    and tt.task_id = t.id
    and lower(g.name) = lower({{tag}})
)

-- name: tagChanged
-- True if entry e created the task, or added or removed the tag with this name
(
  e.version = 1
  or exists (select from jsonb_array_elements_text(e.changes -> 'tags' -> 'from') tag where lower(tag.value) = lower({{tag}}))
  <> exists (select from jsonb_array_elements_text(e.changes -> 'tags' -> 'to') tag where lower(tag.value) = lower({{tag}}))
)

-- name: watcher
-- The watcher of task t, one of these people
(
  select w.user_id
  from workgate.task_watchers w
  where w.project_id = :projectId
    and w.task_id = t.id
    and w.user_id = any ({{people}})
)

-- name: watcherChanged
-- True if entry e created the task, or added one of these people to its watchers
(
  e.version = 1
  or e.changes -> 'watcherIds' -> 'to' ?| ({{people}})::text[] and not e.changes -> 'watcherIds' -> 'from' ?| ({{people}})::text[]
)

-- name: commentCount
-- The number of comments on task t, and the change that made it as high as expected
select count(*) as actual, (array_agg(x.change) filter (where x.n = :minComments::bigint))[1] as change
from (
  select
    row_number() over (order by e.seq nulls first, o.id) as n,
    {{change}}
  from workgate.comments o
  {{journalEntry}}
  where o.project_id = :projectId
    and o.task_id = t.id
) x

-- name: trackedTime
-- The tracked time of task t in time entries that have ended, and the change that made it as high as expected
select
  coalesce(sum(x.duration_seconds), 0)::bigint as actual,
  (array_agg(x.change order by x.n) filter (where x.total >= :minTimeSeconds::bigint))[1] as change
from (
  select
    o.duration_seconds,
    sum(o.duration_seconds) over by_change as total,
    row_number() over by_change as n,
    {{change}}
  from workgate.time_entries o
  {{journalEntry}}
  where o.project_id = :projectId
    and o.task_id = t.id
    and o.ended_at is not null
  window by_change as (order by e.seq nulls first, o.id)
) x

-- name: deletion
-- The deletion of the task
select t.id is null and d.receipt is not null as actual, json_build_object('by', d.receipt -> 'by', 'at', d.receipt -> 'deletedAt') as change
