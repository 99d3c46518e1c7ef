-- Authentication: finds a key by its id. Expiry and revocation are checked against the clock of the database.
select
  k.id, coalesce(k.first_id, k.id) as "firstId", k.name, encode(k.key_hash, 'hex') as hash, k.scope_mode as "scopeMode",
  array_to_json(k.project_ids)::text as "projectIds", array_to_json(k.operations)::text as operations,
  k.rate_limit_per_minute as "rateLimitPerMinute",
  workgate.iso(k.expires_at) as "expiresAt", workgate.iso(k.revoked_at) as "revokedAt",
  workgate.iso(k.created_at) as "createdAt"
from workgate.api_keys k
where k.id = :id
