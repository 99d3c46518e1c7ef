-- workgate projects archive, unarchive, rename, due
-- Values that are not given remain.
update workgate.projects
set
  status = coalesce(:status::text, status),
  name = coalesce(:name::text, name),
  key = coalesce(:newKey::text, key),
  due_date = case when :setsDueDate::boolean then :dueDate::date else due_date end
where key = :key
returning key, name
