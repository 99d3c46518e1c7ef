-- Runs periodically, and before the first page of changes after a start of the server: records the start.
select workgate.begin_epoch()
