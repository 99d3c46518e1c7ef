-- What the summary of projects reads.

-- For a key that reaches all projects, what there is now lies together here, over all of them: for 1,000 projects of 1,000
-- tasks the summary takes 30 ms, and 1,600 where it looks for it among their 8 million tallies. So kind leads this one index.
create index tallies_by_kind on workgate.tallies (kind, span, at, project_id) include (part, n, seconds)
  where (kind = 'due' and n <> 0) or (kind in ('state', 'time') and span = 'ever');

-- The index answers alone where vacuum has been since the last change; tallies are many, and few of them change.
alter table workgate.tallies set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01);
