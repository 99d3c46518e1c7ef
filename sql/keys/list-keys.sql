-- workgate keys list
select
  k.name, k.id, k.status, k.scope_mode as "scopeMode", array_to_json(k.project_ids)::text as "projectIds",
  array_to_json(array(
    select p.key
    from workgate.projects p
    where p.id = any (k.project_ids)
    order by p.key
  ))::text as "projectKeys",
  array_to_json(k.operations)::text as operations, k.rate_limit_per_minute as "rateLimitPerMinute",
  workgate.iso(k.expires_at) as "expiresAt", workgate.iso(k.revoked_at) as "revokedAt",
  workgate.iso(k.created_at) as "createdAt", workgate.iso(k.last_used_at) as "lastUsedAt"
from workgate.keys k
