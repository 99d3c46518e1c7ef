-- In a cluster: the projects that a filter names by their keys.
select p.id
from workgate.projects p
where p.key = any (:projectKeys::text[])
