-- Runs periodically: deletes old entries of the journal, in batches, so that each statement ends before its timeout. The
-- age is that of the oldest entry before it; 0 if there is none.
select
  workgate.drop_old_entries(:days::integer * interval '1 day', 20000) > 0 as some,
  coalesce((select extract(epoch from now() - at) from workgate.journal order by xid, seq limit 1), 0)::float8 as age
