-- workgate imports undo: the import, which no other session undoes at the same time.
select file, set_config('workgate.undone_import', id::text, true)
from workgate.imports
where id = :importId::bigint
for update
