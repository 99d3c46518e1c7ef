-- workgate doctor: the size of the journal, and the age of its oldest entry; null if it is empty.
select
  pg_size_pretty(pg_total_relation_size('workgate.journal')) as size,
  (select extract(epoch from now() - at) / 86400 from workgate.journal order by xid, seq limit 1)::float8 as "oldestDays"
