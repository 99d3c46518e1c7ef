-- Runs periodically: compacts marks, so that versions can be read from few rows.
select workgate.compact_marks()
