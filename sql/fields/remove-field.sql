-- workgate fields remove
-- The last declaration of a name takes the index with it.
delete from workgate.fields f
where f.name = :name::text
  and f.project_id is not distinct from (select id from workgate.projects where key = :key::text)
  and (:key is null) = (f.project_id is null)
returning not exists (select from workgate.fields o where o.name = f.name and o.id <> f.id) as "isLast"
