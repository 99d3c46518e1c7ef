-- Everything that refers to one of the people in merged refers to the user that they become, and they are deleted.
analyze merged;

-- Nobody else can assign a task to these members.
select
from workgate.project_members m
where m.user_id in (select id from merged)
order by m.project_id, m.user_id
for update;

-- The first of these roles may do the most.
with roles as (
  select array['owner', 'admin', 'member', 'viewer'] as names
)
insert into workgate.project_members as k (project_id, user_id, role, joined_at)
select m.project_id, g.keep_id, (r.names)[min(array_position(r.names, m.role))], min(m.joined_at)
from workgate.project_members m
join merged g on g.id = m.user_id
cross join roles r
group by m.project_id, g.keep_id, r.names
on conflict (project_id, user_id) do update set
  role = (select (r.names)[least(array_position(r.names, k.role), array_position(r.names, excluded.role))] from roles r),
  joined_at = least(k.joined_at, excluded.joined_at);

-- In one pass, so that a task gets one new version.
update workgate.tasks t
set
  assignee_id = coalesce((select g.keep_id from merged g where g.id = t.assignee_id), t.assignee_id),
  assignee_ids = (
    select array_agg(coalesce(g.keep_id, a.id) order by a.n)
    from unnest(t.assignee_ids) with ordinality a (id, n)
    left join merged g on g.id = a.id),
  creator_id = coalesce((select g.keep_id from merged g where g.id = t.creator_id), t.creator_id)
where t.assignee_id in (select id from merged)
  or t.assignee_ids && array(select id from merged)
  or t.creator_id in (select id from merged);

insert into workgate.task_watchers (project_id, task_id, user_id)
select distinct w.project_id, w.task_id, g.keep_id
from workgate.task_watchers w
join merged g on g.id = w.user_id
on conflict do nothing;

delete from workgate.task_watchers where user_id in (select id from merged);

update workgate.comments c
set author_id = g.keep_id
from merged g
where g.id = c.author_id;

update workgate.files f
set creator_id = g.keep_id
from merged g
where g.id = f.creator_id;

update workgate.time_entries e
set user_id = g.keep_id
from merged g
where g.id = e.user_id;

update workgate.documents d
set author_id = g.keep_id
from merged g
where g.id = d.author_id;

update workgate.projects p
set owner_id = g.keep_id
from merged g
where g.id = p.owner_id;

delete from workgate.project_members where user_id in (select id from merged);

insert into workgate.team_members as k (team_id, user_id, joined_at)
select m.team_id, g.keep_id, min(m.joined_at)
from workgate.team_members m
join merged g on g.id = m.user_id
group by m.team_id, g.keep_id
on conflict (team_id, user_id) do update set joined_at = least(k.joined_at, excluded.joined_at);

delete from workgate.team_members where user_id in (select id from merged);

delete from workgate.users where id in (select id from merged);

-- Only now is the address free. A name of one word may be a login.
update workgate.users u
set
  email = coalesce(u.email, g.email),
  name = case when u.name ~ '\S\s+\S' then u.name else coalesce(g.name, u.name) end
from (
  select
    keep_id, (array_agg(email order by n) filter (where email is not null))[1] as email,
    (array_agg(name order by n) filter (where name ~ '\S\s+\S'))[1] as name
  from merged
  group by keep_id
) g
where u.id = g.keep_id
  and (u.email is null and g.email is not null or u.name !~ '\S\s+\S' and g.name is not null);

update workgate.user_aliases a
set user_id = g.keep_id
from merged g
where g.id = a.user_id;

insert into workgate.user_aliases as a (id, user_id)
select id, keep_id
from merged
on conflict (id) do update set user_id = excluded.user_id
