-- The items that a round has read and that the project does not have, or has with other values.
select i.kind, i."externalId", k.external_id is not null as known
from json_to_recordset(:items::json) as i (kind text, "externalId" text, fingerprint text)
left join workgate.source_items k
  on k.project_id = :projectId::uuid
  and k.kind = i.kind
  and k.external_id = i."externalId"
where k.fingerprint is distinct from i.fingerprint
  or (k.refused and :retries::boolean)
