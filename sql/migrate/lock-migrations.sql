-- One process migrates at a time; the lock goes with the transaction. The number is arbitrary: "work" in ASCII.
select pg_advisory_xact_lock(2003792491)
