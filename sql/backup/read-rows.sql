-- Begins to read the rows of a table, as arrays with the text of each column
declare saved no scroll cursor for
select json_build_array({{values}})::text as line
from workgate.{{table}}
order by {{rowOrder}}
