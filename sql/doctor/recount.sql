-- workgate doctor: how many tallies of a project differ from its rows, put right where asked for.
select count(*)::integer as wrong
from workgate.recount(:projectId::uuid, :repair::boolean)
