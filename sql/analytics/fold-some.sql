-- What the service does now and then: some projects' deltas go into their tallies.
select workgate.fold_some(:after::uuid, 100) as last
