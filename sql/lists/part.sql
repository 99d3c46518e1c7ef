-- In a cluster, in each place: the rows of a list, for merge-parts.sql.
select coalesce(json_agg(json_build_array(id, {{sortKeyText}}, item)), '[]')::text as rows
from (
  {{rows}}
) rows
