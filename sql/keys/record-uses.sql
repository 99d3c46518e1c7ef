-- Records the last use of each key since the previous call. An instance that lags behind never replaces a time with an
-- earlier one.
insert into workgate.api_key_uses as u (key_id, last_used_at)
select k.id, used.at
from unnest(:keyIds::text[], :times::timestamptz[]) as used (key_id, at)
join workgate.api_keys k on k.id = used.key_id
order by k.id
on conflict (key_id) do update set last_used_at = excluded.last_used_at
  where u.last_used_at < excluded.last_used_at
