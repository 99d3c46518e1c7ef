-- Runs periodically: compacts changes, so that reading a version takes few rows.
select workgate.compact_changes()
