-- The names of own fields that tasks can have before an import: no other is removed from a task where the file has it empty.
select distinct f.name
from workgate.fields f
