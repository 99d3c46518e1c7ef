-- Ends the time for which an answer is kept for its Idempotency-Key.
delete from workgate.idempotency_records
where created_at < now() - interval '24 hours'
