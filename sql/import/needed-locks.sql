-- The projects that the rows mean, and whether users.sql, projects.sql or own-fields.sql would write something that belongs to all
-- projects.
select
  array_to_json(array(select distinct id from target_projects where id is not null))::text as "projectIds",
  exists (select from target_projects where id is null)
  or exists (
    select
    from target_users t
    left join workgate.users u on u.id = t.id
    left join workgate.user_aliases a on a.id = t.imported_id
    where t.id is null
      or (t.id <> t.imported_id and not t.data ? 'createdAt' and a.user_id is distinct from t.id)
      or (
        not exists (select from imported i where i.kind = 'project' and i.data ? 'byKey')
        and ((t.id = t.imported_id and not t.data ? 'isLogin' and u.name <> t.name) or (u.email is null and t.email is not null))))
  or exists (select from imported i where i.kind = 'team' and not exists (select from workgate.teams t where t.id = i.id))
  or exists (select from imported i where i.kind = 'field') as creates
