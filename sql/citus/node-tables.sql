-- The tables that each node has for itself: their transaction ids and snapshots mean nothing on another one.
'{epochs,freshness_marks,freshness_versions,journal,journal_horizon,migrations}'::text[]
