-- workgate backup, restore and export: the next lines of a cursor, by their size
select line from workgate.fetch_lines(:cursor, :maxBytes) line
