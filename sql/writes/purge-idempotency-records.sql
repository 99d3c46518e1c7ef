-- Ends the time for which an answer is kept for its Idempotency-Key. Not of all at once: the statement has to end in time.
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
