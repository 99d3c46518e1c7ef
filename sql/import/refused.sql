-- The rows that cannot be imported.
select line, name, value, rule from refused order by line
