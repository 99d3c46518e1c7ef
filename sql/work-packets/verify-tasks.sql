-- GET /projects/:projectId/work-packets/verification
-- Reads the checks of all named tasks from one snapshot. A name can mean no task yet. Scans tasks_number_taken,
-- tasks_external_id_taken and journal_by_object.
select
  exists (select from workgate.projects where id = :projectId::uuid) as "projectFound",
  concat({{ambiguous}} null) as ambiguous,
  results.*
from (
  select
    count(*) filter (where checks.ok)::integer as "verifiedCount",
    count(d.receipt)::integer as "deletedCount",
    concat(
      '[',
      string_agg(
        (
          select row_to_json(f)::text
          from (
            select
              w.name,
              coalesce(t.id::text, d.receipt ->> 'taskId') as "taskId",
              checks.ok as verified,
              checks.items as checks,
              t.version,
              t.state,
              h.change as "lastChange",
              d.receipt as deletion
          ) f
        ),
        ',' order by coalesce(t.number, (d.receipt ->> 'number')::bigint), w.name),
      ']') as tasks
  from (
    select
      named.name,
      coalesce(
        {{namedTask}},
        -- Or the id of the deleted task that had this number last.
        workgate.task_with_number(
          :projectId,
          substring(named.name from '^(?:' || (select key from workgate.projects where id = :projectId) || '-)?([0-9]{1,16})$')::bigint)
      ) as id
    from unnest(:names::text[]) named (name)
    union all
    select external.name, (select e.id from workgate.tasks e where e.project_id = :projectId and e.external_id = external.name)
    from unnest(:externalIds::text[]) external (name)
  ) w
  -- A plain join could read all tasks of the project.
  left join lateral (
    select *
    from workgate.tasks
    where project_id = :projectId
      and id = w.id
    offset 0
  ) t on true
  left join lateral (
    {{deletion}}
  ) d on t.id is null
  left join lateral (
    -- Without the fields, which can be long texts.
    select json_build_object(
      'version', h.version, 'by', json_build_object('channel', h.channel, 'actor', h.actor), 'at', workgate.iso(h.at)) as change
    from workgate.task_history h
    where h.project_id = :projectId
      and h.task_id = t.id
    order by h.version desc
    limit 1
  ) h on true
  cross join lateral (
    {{checks}}
  ) checks
) results
