-- Returns a page of a list as JSON text, whether more rows follow, and the position of its last row, from one snapshot.
-- The included statement returns sorted rows, up to one more than the limit. Numbering and aggregation preserve the
-- order. Totals are the same in each row. If no row matches, a single row without an id contains them.
with rows as (
{{rows}}
)
select
  (:projectId::uuid is null or exists (select from workgate.projects where id = :projectId)) as found,
  '[' || coalesce(string_agg(item, ',') filter (where n <= :limit and id is not null), '') || ']' as data,
  count(*) > :limit as "hasMore",
  max(position) filter (where n = :limit) as after,
  max(id::text) filter (where n = :limit) as "afterId",
  {{totals}} as totals
from (select row_number() over () as n, rows.* from rows) numbered
