-- workgate doctor --repair: removes rows that refer to a row that does not exist, or their references.
select workgate.remove_orphans()
