-- Only one process migrates at a time. The lock is released at the end of the transaction. The number is arbitrary:
-- "work" in ASCII.
select pg_advisory_xact_lock(2003792491)
