-- The figures of the projects that were read in each place of a cluster.
select s.*
from json_to_recordset(:parts::json) as s (
  id uuid, key text, name text, status text, due_date date, total bigint, open bigint, completed bigint, cancelled bigint,
  overdue bigint, total_seconds bigint, billable_seconds bigint, last_activity_at timestamptz)
