-- workgate distribute, on every other node.
insert into workgate_places.triggers (table_name, name, definition)
select t.table_name, t.name, t.definition
from json_to_recordset(:triggers::json) as t (table_name text, name text, definition text)
on conflict (table_name, name) do update set definition = excluded.definition
