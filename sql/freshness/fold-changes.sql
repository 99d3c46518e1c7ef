-- What the service does now and then: so that versions are read from few rows.
select workgate.fold_changes()
