update workgate.import_changes c
set before = r.before
from jsonb_to_recordset(:rows::jsonb) as r (kind text, scope uuid, id uuid, before jsonb)
where c.import_id = :importId::bigint
  and c.kind = r.kind
  and c.scope = r.scope
  and c.id = r.id
