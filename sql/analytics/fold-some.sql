-- What the service does now and then: some projects' deltas go into their tallies. Few of them: each may have many, and the
-- statement has to end in time.
select workgate.fold_some(:after::uuid, 5) as last
