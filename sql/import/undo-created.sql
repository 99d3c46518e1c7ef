-- workgate imports undo: deletes what the import has created, names that it has changed become what they were, and projects,
-- boards, stages, members and people that it has created are deleted if nothing needs them any more.
with deleted as (
  delete from workgate.comments c
  using taken_back b
  where b.kind = 'comment' and b.event = 'created' and not b.is_changed
    and c.project_id = b.scope
    and c.id = b.id
  returning 1
)
insert into results select 'comments', 'deleted', count(*) from deleted;

delete from workgate.files f
using taken_back b
where b.kind = 'comment' and b.event = 'updated' and not b.is_changed
  and f.project_id = b.scope
  and f.comment_id = b.id
  and not exists (select from jsonb_array_elements(b.before -> 'files') o where (o ->> 'id')::uuid = f.id);

with deleted as (
  delete from workgate.files f
  using taken_back b
  where b.kind = 'file' and b.event = 'created' and not b.is_changed
    and f.project_id = b.scope
    and f.id = b.id
  returning f.name
)
insert into results select 'files', 'deleted', count(*), (array_agg(name order by name))[1:3] from deleted;

with deleted as (
  delete from workgate.time_entries e
  using taken_back b
  where b.kind = 'time_entry' and b.event = 'created' and not b.is_changed
    and e.project_id = b.scope
    and e.id = b.id
  returning 1
)
insert into results select 'time entries', 'deleted', count(*) from deleted;

with deleted as (
  delete from workgate.documents d
  using taken_back b
  where b.kind = 'document' and b.event = 'created' and not b.is_changed
    and d.project_id = b.scope
    and d.id = b.id
  returning d.path
)
insert into results select 'documents', 'deleted', count(*), (array_agg(path order by path))[1:3] from deleted;

{{deleteMissing}}

create temporary table made on commit drop as
select c.kind, c.scope, c.id, c.event, c.before, i.at
from workgate.imports i
join workgate.import_changes c on c.import_id = i.id
where i.id = current_setting('workgate.undone_import')::bigint
  and c.kind in ('project', 'board', 'stage', 'user');

with updated as (
  update workgate.stages s
  set name = m.before ->> 'name'
  from made m
  where m.kind = 'stage' and m.event = 'updated'
    and s.project_id = m.scope
    and s.id = m.id
    and s.updated_at <= m.at
    and s.name <> m.before ->> 'name'
  returning s.name
)
insert into results select 'stages', 'updated', count(*), (array_agg(name order by name))[1:3] from updated;

with updated as (
  update workgate.users u
  set name = m.before ->> 'name', email = m.before ->> 'email'
  from made m
  where m.kind = 'user' and m.event = 'updated'
    and u.id = m.id
    and u.updated_at <= m.at
    and (u.name, u.email) is distinct from (m.before ->> 'name', m.before ->> 'email')
  returning u.name
)
insert into results select 'users', 'updated', count(*), (array_agg(name order by name))[1:3] from updated;

with deleted as (
  delete from workgate.stages s
  using made m
  where m.kind = 'stage' and m.event = 'created'
    and s.project_id = m.scope
    and s.id = m.id
    and s.updated_at <= m.at
    and not exists (select from workgate.tasks t where t.project_id = s.project_id and t.stage_id = s.id)
  returning s.name
)
insert into results select 'stages', 'deleted', count(*), (array_agg(name order by name))[1:3] from deleted;

with deleted as (
  delete from workgate.boards b
  using made m
  where m.kind = 'board' and m.event = 'created'
    and b.project_id = m.scope
    and b.id = m.id
    and not exists (select from workgate.stages s where s.project_id = b.project_id and s.board_id = b.id)
    and not exists (select from workgate.tasks t where t.project_id = b.project_id and t.board_id = b.id)
  returning b.name
)
insert into results select 'boards', 'deleted', count(*), (array_agg(name order by name))[1:3] from deleted;

with deleted as (
  delete from workgate.projects p
  using made m
  where m.kind = 'project' and m.event = 'created'
    and p.id = m.id
    and p.updated_at <= m.at
    and not exists (select from workgate.tasks t where t.project_id = p.id)
    and not exists (select from workgate.time_entries e where e.project_id = p.id)
    and not exists (select from workgate.documents d where d.project_id = p.id)
    and not exists (select from workgate.boards b where b.project_id = p.id)
  returning p.key, p.name
)
insert into results select 'projects', 'deleted', count(*), (array_agg(key || ' ' || name order by key))[1:3] from deleted;

delete from workgate.project_members p
using made m
where m.kind = 'user' and m.event = 'created'
  and p.project_id = m.scope
  and p.user_id = m.id
  and p.updated_at <= m.at
  and not exists (select from workgate.tasks t where t.project_id = p.project_id and (p.user_id in (t.assignee_id, t.creator_id) or p.user_id = any (t.assignee_ids)))
  and not exists (select from workgate.task_watchers w where w.project_id = p.project_id and w.user_id = p.user_id)
  and not exists (select from workgate.comments c where c.project_id = p.project_id and c.author_id = p.user_id)
  and not exists (select from workgate.files f where f.project_id = p.project_id and f.creator_id = p.user_id)
  and not exists (select from workgate.time_entries e where e.project_id = p.project_id and e.user_id = p.user_id)
  and not exists (select from workgate.documents d where d.project_id = p.project_id and d.author_id = p.user_id);

with deleted as (
  delete from workgate.users u
  using made m
  where m.kind = 'user' and m.event = 'created'
    and u.id = m.id
    and u.updated_at <= m.at
    and not exists (select from workgate.project_members p where p.user_id = u.id)
    and not exists (select from workgate.team_members t where t.user_id = u.id)
    and not exists (select from workgate.projects p where p.owner_id = u.id)
    and not exists (select from workgate.tasks t where t.creator_id = u.id)
    and not exists (select from workgate.comments c where c.author_id = u.id)
    and not exists (select from workgate.files f where f.creator_id = u.id)
    and not exists (select from workgate.time_entries e where e.user_id = u.id)
    and not exists (select from workgate.documents d where d.author_id = u.id)
  returning u.name
)
insert into results select 'users', 'deleted', count(*), (array_agg(name order by name))[1:3] from deleted;

update workgate.imports i
set undone_at = case when i.id = u.id then workgate.present() end
from workgate.imports u
where u.id = current_setting('workgate.undone_import')::bigint
  and i.id in (u.id, u.undo_of);
