-- Runs periodically: compacts changes, so that versions can be read from few rows.
select workgate.compact_changes()
