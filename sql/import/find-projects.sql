-- Finds the projects that the rows mention: the one with the key that the user has chosen, or else the one with the derived id or
-- with the key that the tool names.
create temporary table target_projects on commit drop as
select
  i.id as imported_id,
  case when i.data ? 'byKey' then keyed.id else coalesce(own.id, keyed.id) end as id,
  -- The derived id may be that of another project, such as one that had this key before.
  case when own.id is null then i.id else workgate.new_id() end as new_id,
  i.data, i.line
from imported i
left join workgate.projects own on own.id = i.id
left join workgate.projects keyed on keyed.key = i.data ->> 'key'
where i.kind = 'project';

-- Only documents and people can be imported into a project that has a source.
select workgate.refuse_synced(s.project_id)
from workgate.sources s
join target_projects p on p.id = s.project_id
where exists (select from imported i where i.project_id = p.imported_id and i.kind not in ('project', 'field', 'document'));
