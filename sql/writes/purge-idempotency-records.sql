-- Deletes responses that were stored for an Idempotency-Key more than a day ago, in batches, so that each statement
-- ends before its timeout.
with gone as (
  delete from workgate.idempotency_records
  where ctid = any (array(
    select ctid
    from workgate.idempotency_records
    where created_at < now() - interval '24 hours'
    limit 20000))
    and created_at < now() - interval '24 hours'
  returning 1
)
select exists (select from gone) as some
