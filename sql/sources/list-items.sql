-- The items of a kind that a project has, in the order of their ids as numbers.
select external_id as "externalId", id, parent
from workgate.source_items
where project_id = :projectId::uuid
  and kind = :kind::text
order by char_length(external_id), external_id collate "C"
