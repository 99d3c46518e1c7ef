-- Periodically, by the service: keeps the rows few from which versions are read.
select workgate.compact_changes()
