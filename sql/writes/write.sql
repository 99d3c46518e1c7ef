-- The statement around every write. In one transaction, it identifies the writer, looks up the stored response of the
-- Idempotency-Key, performs the write, and stores its response. The included write reads "may_write" (one row if it should
-- write), "project" and, with an Idempotency-Key, "earlier", and returns "outcome" with at most one row: refusal, faults
-- (names of fields) and item. A refusal takes precedence over a stored response. A project that has a source gets its tasks only
-- from there.
with attempt as materialized (
  select
    set_config('workgate.channel', 'api', true) as channel,
    set_config('workgate.actor', json_build_object('keyId', :keyId::text, 'name', :keyName::text)::text, true) as actor,
    -- Custom plans suit reads. For a write, they would mean planning all its checks and triggers every time.
    set_config('plan_cache_mode', 'auto', true) as plans
    {{#idempotencyKey}}
    , pg_try_advisory_xact_lock(hashtextextended(
      concat_ws(' ', :idempotencyProjectId::uuid, :firstKeyId::text, :operation::text, :idempotencyKey::text), 0)) as free
    {{/idempotencyKey}}
),
project as materialized (
  select p.status, s.address
  from workgate.projects p
  left join workgate.sources s on s.project_id = p.id
  where p.id = :projectId::uuid
),
{{#idempotencyKey}}
earlier as materialized (
  select r.status, r.body, r.request_hash = decode(:requestHash::text, 'hex') as same
  from workgate.idempotency_records r
  where r.project_id = :idempotencyProjectId
    and r.key_id = :firstKeyId
    and r.route = :operation
    and r.idempotency_key = :idempotencyKey
),
{{/idempotencyKey}}
may_write as materialized (
  select from attempt
  where (:projectId is null or exists (select from project where address is null))
    {{#idempotencyKey}}
    and free
    and not exists (select from earlier)
    {{/idempotencyKey}}
),
{{write}}
{{#idempotencyKey}}
, recorded as (
  insert into workgate.idempotency_records (project_id, key_id, route, idempotency_key, request_hash, status, body)
  select :idempotencyProjectId, :firstKeyId, :operation, :idempotencyKey, decode(:requestHash, 'hex'), :status::smallint, o.item
  from outcome o
  where o.refusal is null
)
{{/idempotencyKey}}
select
  case
    when :projectId is not null and not exists (select from project) then 'NOT_FOUND'
    {{#idempotencyKey}}
    when not a.free then 'IDEMPOTENCY_IN_PROGRESS'
    when not e.same then 'IDEMPOTENCY_KEY_REUSED'
    {{/idempotencyKey}}
    when p.address is not null {{#idempotencyKey}}and e.body is null {{/idempotencyKey}}then 'PROJECT_SYNCED'
    else o.refusal
  end as refusal,
  p.address,
  array_to_json(o.faults)::text as faults,
  {{#idempotencyKey}}
  coalesce(e.status, :status) as status,
  coalesce(e.body, o.item) as item,
  e.body is not null as replayed
  {{/idempotencyKey}}
  {{^idempotencyKey}}
  :status::smallint as status,
  o.item,
  false as replayed
  {{/idempotencyKey}}
from attempt a
left join project p on true
{{#idempotencyKey}}
left join earlier e on true
{{/idempotencyKey}}
left join outcome o on true
