-- The tables that each node has for itself: their transaction ids and snapshots mean nothing on another one.
'{changes,epochs,journal,journal_horizon,migrations,versions}'::text[]
