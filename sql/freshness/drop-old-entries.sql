-- Runs periodically: deletes old entries of the journal, in batches, so that each statement ends before its timeout.
select workgate.drop_old_entries(:days::integer * interval '1 day', 20000) > 0 as some
