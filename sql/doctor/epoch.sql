-- The last epoch that the service has recorded.
select (select e.id from workgate.epochs e order by e.n desc limit 1)::text as epoch
