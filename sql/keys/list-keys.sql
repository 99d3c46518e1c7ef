-- workgate keys list
select
  name, id, status, scope_mode as "scopeMode", array_to_json(project_ids)::text as "projectIds",
  array_to_json(operations)::text as operations, rate_limit_per_minute as "rateLimitPerMinute",
  workgate.iso(expires_at) as "expiresAt", workgate.iso(revoked_at) as "revokedAt",
  workgate.iso(created_at) as "createdAt", workgate.iso(last_used_at) as "lastUsedAt"
from workgate.keys
