-- GET /projects/:projectId/analytics/time?groupBy=user
-- Reads tallies of days and months.
select
  t.key::uuid as key,
  workgate.total(t.n) as entries,
  workgate.total(t.seconds) as seconds,
  workgate.total(t.seconds) filter (where t.part = 'billable') as billable_seconds
from range r
cross join lateral workgate.tallied(:projectId::uuid, '{user time}', r.since, r.until) t
where true
  {{#userId}}and t.key = any (:userId::uuid[]::text[]){{/userId}}
  {{#billable}}and (t.part = 'billable') = :billable::boolean{{/billable}}
group by t.key
having workgate.total(t.n) > 0
