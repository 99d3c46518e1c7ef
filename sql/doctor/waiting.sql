-- workgate doctor: how many rows wait to be folded, as far as it matters
select
  (select count(*) from (select from workgate.changes limit :most::integer) c)::integer as changes,
  (select count(*) from (select from workgate.tally_deltas limit :most::integer) d)::integer as "tallyDeltas"
