-- Around the rows of every list: the page as JSON text, whether more follows and where the next page begins,
-- all from one snapshot. The rows come in their order, which numbering and aggregating keep, and one more than asked for.
-- What stands beside the page is the same in each row, and alone in a row without an id where there is no other.
with rows as (
{{rows}}
)
select
  (:projectId::uuid is null or exists (select from workgate.projects where id = :projectId)) as found,
  '[' || coalesce(string_agg(item, ',') filter (where n <= :limit and id is not null), '') || ']' as data,
  count(id) > :limit as "hasMore",
  max(position) filter (where n = :limit) as after,
  max(id::text) filter (where n = :limit) as "afterId",
  {{beside}} as beside
from (select row_number() over () as n, rows.* from rows) numbered
