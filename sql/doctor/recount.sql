-- workgate doctor: counts the tallies of a project that differ from its rows, and repairs them with --repair.
select count(*)::integer as wrong
from workgate.recount(:projectId::uuid, :repair::boolean)
