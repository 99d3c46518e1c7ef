-- The lines of an export as CSV: the tasks of one project, with the columns that the import of a spreadsheet reads.
-- A task without an externalId gets its reference, which identifies it when the sheet is imported again. A parent is named by
-- its number, which every task has. The import separates names by a comma if there is no semicolon, and lists by semicolons,
-- so one with a semicolon in a text is JSON.
with own as materialized (
  select coalesce(array_agg(distinct f.name order by f.name), '{}') as names
  from workgate.projects p
  join workgate.tasks t on t.project_id = p.id
  cross join jsonb_object_keys(t.fields) f (name)
  where p.key = current_setting('workgate.exported_project')
)
select 'project,number,externalId,title,description,state,priority,stage,stageCategory,assignee,creator,watchers,tags,parent,'
  '{{copiedNames}},completedAt,cancelledAt,createdAt,updatedAt' || array_to_string(array['']::text[] || array(select 'fields.' || n from unnest(own.names) n), ',') as line
from own
union all
select line
from (
  select
    (
      select string_agg(
        case when c.cell ~ '[",\r\n]' then '"' || replace(c.cell, '"', '""') || '"' else coalesce(c.cell, '') end, ','
        order by c.n)
      from unnest(array[
        p.key, t.number::text, coalesce(t.external_id, p.key || '-' || t.number), t.title, t.description, t.state, t.priority::text,
        s.name, s.category, a.names || case when a.names ~ '^[^;]*,[^;]*$' then ';' else '' end, creator.name,
        w.names || case when w.names ~ '^[^;]*,[^;]*$' then ';' else '' end, g.names, '#' || parent.number,
        {{copiedCells}}, workgate.iso(t.completed_at), workgate.iso(t.cancelled_at), workgate.iso(t.created_at),
        workgate.iso(t.updated_at)
      ] || array(
        select case
          when jsonb_typeof(f.value) = 'array' and f.value::text !~ ';' then (
            select string_agg(e, ';') from jsonb_array_elements_text(f.value) e
          )
          else f.value #>> '{}'
        end
        from unnest(own.names) with ordinality n (name, nth)
        cross join lateral (select t.fields -> n.name as value) f
        order by n.nth
      )) with ordinality c (cell, n)
    ) as line
  from own
  cross join workgate.projects p
  join workgate.tasks t on t.project_id = p.id
  left join workgate.stages s on s.project_id = t.project_id and s.id = t.stage_id
  left join workgate.tasks parent on parent.project_id = t.project_id and parent.id = t.parent_id
  left join (select id, coalesce(email, name) as name from workgate.users) creator on creator.id = t.creator_id
  cross join lateral (
    select string_agg(coalesce(u.email, u.name), ';' order by assigned.n) as names
    from unnest(workgate.assignees_of(t.assignee_id, t.assignee_ids)) with ordinality assigned (id, n)
    join workgate.users u on u.id = assigned.id
  ) a
  cross join lateral (
    select string_agg(coalesce(u.email, u.name), ';' order by coalesce(u.email, u.name)) as names
    from workgate.task_watchers tw
    join workgate.users u on u.id = tw.user_id
    where tw.project_id = t.project_id
      and tw.task_id = t.id
  ) w
  cross join lateral (
    select string_agg(tag.name, ';' order by tag.name) as names
    from workgate.task_tags tt
    join workgate.tags tag on tag.project_id = tt.project_id and tag.id = tt.tag_id
    where tt.project_id = t.project_id
      and tt.task_id = t.id
  ) g
  where p.key = current_setting('workgate.exported_project')
  order by t.number
) f
