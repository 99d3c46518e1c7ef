-- workgate imports undo: what has changed since the import.
select count(*)::integer as n, coalesce(array_to_json((array_agg(name order by name))[1:10]), '[]')::text as names
from taken_back
where is_changed
