-- workgate doctor: the number of rows waiting for compaction, up to a limit.
select
  (select count(*) from (select from workgate.freshness_marks limit :most::integer) c)::integer as marks,
  (select count(*) from (select from workgate.tally_deltas limit :most::integer) d)::integer as "tallyDeltas"
