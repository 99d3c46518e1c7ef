-- workgate projects show, workgate projects delete
-- Every part names the project by its id: only then does Citus run the statement on one node.
select row_to_json(f)::text as project
from (
  select
    p.key, p.name, p.id, p.status, p.start_date as "startDate", p.due_date as "dueDate",
    (
      select row_to_json(o)
      from (select u.id, u.name, u.email from workgate.users u where u.id = p.owner_id) o
    ) as owner,
    array(
      select json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'role', m.role)
      from workgate.project_members m
      join workgate.users u on u.id = m.user_id
      where m.project_id = :projectId
      order by m.joined_at, u.id
    ) as members,
    array(
      select json_build_object('name', b.name, 'archived', b.archived, 'stages', array(
        select json_build_object('name', s.name, 'category', s.category)
        from workgate.stages s
        where s.project_id = :projectId
          and s.board_id = b.id
        order by s.position, s.id
      ))
      from workgate.boards b
      where b.project_id = :projectId
      order by b.position, b.id
    ) as boards,
    (
      select json_build_object(
        'open', count(*) filter (where t.state = 'open'), 'completed', count(*) filter (where t.state = 'completed'),
        'cancelled', count(*) filter (where t.state = 'cancelled'))
      from workgate.tasks t
      where t.project_id = :projectId
    ) as tasks,
    (select count(*) from workgate.comments c where c.project_id = :projectId) as comments,
    (
      select json_build_object('count', count(*), 'seconds', coalesce(sum(e.duration_seconds), 0))
      from workgate.time_entries e
      where e.project_id = :projectId
    ) as "timeEntries",
    (select count(*) from workgate.documents d where d.project_id = :projectId) as documents,
    array(
      select json_build_object('name', k.name, 'scopeMode', k.scope_mode, 'hasOtherProjects', exists (
        select from workgate.projects o where o.id = any (k.project_ids) and o.id <> :projectId
      ))
      from workgate.keys k
      where k.status = 'active'
        and (k.scope_mode = 'all_projects' or :projectId = any (k.project_ids))
      order by k.name
    ) as keys,
    array(
      select json_build_object('name', m.name, 'options', m.options)
      from workgate.import_mappings m
      where m.project_id = :projectId
      order by m.name
    ) as "savedOptions",
    workgate.iso(greatest(
      p.updated_at,
      (select max(t.updated_at) from workgate.tasks t where t.project_id = :projectId),
      (select max(c.updated_at) from workgate.comments c where c.project_id = :projectId),
      (select max(e.updated_at) from workgate.time_entries e where e.project_id = :projectId),
      (select max(d.updated_at) from workgate.documents d where d.project_id = :projectId)
    )) as "lastChangeAt"
  from workgate.projects p
  where p.id = :projectId
) f
