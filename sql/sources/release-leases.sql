-- When a holder stops: another one can go on at once.
update workgate.source_progress
set lease_holder = null, lease_until = null
where lease_holder = :holder::text
