-- GET /projects/summary, in each place of a cluster.
select coalesce(json_agg(s), '[]')::text as rows
from (
  {{summaries}}
) s
