-- Runs periodically: compacts the tallies of the next five projects. The number is small because each project may have
-- many deltas, and the statement must finish within the statement timeout.
select workgate.compact_next_tallies(:after::uuid, 5) as last
