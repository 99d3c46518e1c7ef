-- workgate doctor and workgate backup: rows that refer to a row that does not exist, by foreign key.
select foreign_key as "foreignKey", c.relname as "table", removal, n::float8
from workgate.orphans() o
join pg_class c on c.oid = o.on_table
order by "table", "foreignKey"
