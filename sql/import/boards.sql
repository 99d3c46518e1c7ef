-- Boards: the one with the derived id, or of the same name. "The first one" is the first board that is not archived.
create temporary table target_boards on commit drop as
select i.id as imported_id, p.id as project_id, coalesce(own.id, named.id) as id, i.data ->> 'name' as name, i.data,
  i.line
from imported i
join target_projects p on p.imported_id = i.project_id
left join workgate.boards own on own.project_id = p.id and own.id = i.id
left join lateral (
  select b.id
  from workgate.boards b
  where b.project_id = p.id
    and not b.archived
    and (i.data ->> 'isFirst' = 'true' or lower(b.name) = lower(i.data ->> 'name'))
  order by b.position, b.id
  limit 1
) named on true
where i.kind = 'board';

with created as (
  insert into workgate.boards (project_id, id, name, description, archived, created_at, updated_at, position)
  select
    t.project_id, t.imported_id, t.name, t.data ->> 'description', coalesce((t.data ->> 'archived')::boolean, false),
    coalesce((t.data ->> 'createdAt')::timestamptz, n.at), coalesce((t.data ->> 'updatedAt')::timestamptz, n.at),
    least(2000000000, coalesce(
      (t.data ->> 'position')::integer,
      coalesce((select max(b.position) from workgate.boards b where b.project_id = t.project_id), -1)
        + row_number() over (partition by t.project_id order by t.line, t.imported_id)))
  from target_boards t, (select workgate.present() as at) n
  where t.id is null
  returning name
)
insert into results
select 'boards', 'created', count(*), (array_agg(name))[1:3] from created;

insert into results
select 'boards', 'unchanged', count(*) from target_boards where id is not null;

update target_boards set id = imported_id where id is null;

-- Stages: the one with the derived id, or of the same name on the board. Only its name is kept up to date: everything
-- else about it can be changed here.
create temporary table target_stages on commit drop as
select
  i.id as imported_id, b.project_id, coalesce(own.board_id, b.id) as board_id, coalesce(own.id, named.id) as id,
  own.name as old_name,
  i.data ->> 'name' as name, i.data ->> 'category' as category, (i.data ->> 'position')::integer as position, i.data,
  i.line
from imported i
join target_projects p on p.imported_id = i.project_id
join target_boards b on b.project_id = p.id and b.imported_id = (i.data ->> 'boardId')::uuid
left join workgate.stages own on own.project_id = p.id and own.id = i.id
left join lateral (
  select s.id
  from workgate.stages s
  where s.project_id = p.id
    and s.board_id = b.id
    and lower(s.name) = lower(i.data ->> 'name')
  order by s.position, s.id
  limit 1
) named on true
where i.kind = 'stage';

with created as (
  insert into workgate.stages (
    project_id, id, board_id, name, category, wip_limit, created_at, updated_at, position)
  select
    t.project_id, t.imported_id, t.board_id, t.name, t.category, (t.data ->> 'wipLimit')::integer,
    coalesce((t.data ->> 'createdAt')::timestamptz, n.at), coalesce((t.data ->> 'updatedAt')::timestamptz, n.at),
    least(2000000000, coalesce((
      select max(s.position) + 1::bigint from workgate.stages s where s.project_id = t.project_id and s.board_id = t.board_id), 0)
      + coalesce(t.position, -1 + row_number() over (
        partition by t.project_id, t.board_id
        order by array_position(array['backlog', 'active', 'done'], t.category), t.line, t.imported_id)))
  from target_stages t, (select workgate.present() as at) n
  where t.id is null
  returning name
)
insert into results
select 'stages', 'created', count(*), (array_agg(name))[1:3] from created;

with updated as (
  update workgate.stages s
  set name = t.name
  from target_stages t
  where s.project_id = t.project_id
    and s.id = t.imported_id
    and s.name <> t.name
  returning s.name
)
insert into results
select 'stages', 'updated', count(*), (array_agg(name))[1:3] from updated;

insert into results
select 'stages', 'unchanged', count(*)
from target_stages
where id is not null
  and (old_name is null or old_name = name);

update target_stages set id = imported_id where id is null;

-- The stages of new tasks for which the file has none, as when the API creates a task: on the first board.
create temporary table first_stages on commit drop as
select distinct on (s.project_id, s.category = 'done') s.project_id, s.category = 'done' as is_done, s.board_id, s.id
from target_projects p
cross join lateral (
  select b.id
  from workgate.boards b
  where b.project_id = p.id
    and not b.archived
  order by b.position, b.id
  limit 1
) first
join workgate.stages s on s.project_id = p.id and s.board_id = first.id
order by s.project_id, s.category = 'done', s.position, s.id;
