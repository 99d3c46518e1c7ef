-- workgate doctor: counts valid keys, and names keys that are expired, about to expire, or unused. Reads no hashes.
with keys as (
  select
    k.name,
    k.revoked_at is null or k.revoked_at > now() as "isKept",
    k.expires_at <= now() as "isExpired",
    k.expires_at <= now() + interval '7 days' as "endsSoon",
    k.created_at < now() - interval '90 days' as "isOld",
    u.last_used_at
  from workgate.api_keys k
  left join workgate.api_key_uses u on u.key_id = k.id
)
select
  count(*) filter (where k."isExpired" is not true)::integer as "inForce",
  array_to_json(array_agg(distinct k.name) filter (where k."isExpired")) as expired,
  array_to_json(array_agg(distinct k.name) filter (where k."endsSoon" and not k."isExpired")) as ending,
  array_to_json(array_agg(distinct k.name) filter (where k."isExpired" is not true and k.last_used_at is null)) as "neverUsed",
  array_to_json(array_agg(distinct k.name) filter (
    where k."isExpired" is not true
      and k."isOld"
      and coalesce(k.last_used_at < now() - interval '90 days', true))) as "longUnused"
from keys k
where k."isKept"
