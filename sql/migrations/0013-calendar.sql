-- The calendar of a time zone, for analytics.

create function workgate.start_of_day(day date, timezone text) returns timestamptz
language sql stable parallel safe
-- PostgreSQL moves a midnight that the clock skips to the moment of the change, and of one that comes twice it takes
-- the second. Changes of the clock are of half an hour, an hour or two.
return (
  select min(m.moment)
  from (
    select day::timestamp at time zone timezone - back as moment
    from unnest('{0,30 min,1 hour,2 hours}'::interval[]) as back
  ) m
  where (m.moment at time zone timezone)::date = day
    or m.moment = day::timestamp at time zone timezone);
comment on function workgate.start_of_day(date, text) is 'The first moment of a day in a time zone.';

create function workgate.buckets(first_day date, end_day date, step text, timezone text)
returns table (n bigint, first_day date, end_day date, since timestamptz, until timestamptz)
language sql stable parallel safe
as $$
  select b.n, b.first, b.bound, b.since, coalesce(lead(b.since) over (order by b.n), workgate.start_of_day($2, timezone))
  from (
    select
      row_number() over (order by s.day) as n,
      greatest(s.day::date, $1) as first,
      least((s.day + ('1 ' || step)::interval)::date, $2) as bound,
      workgate.start_of_day(greatest(s.day::date, $1), timezone) as since
    from generate_series(date_trunc(step, $1::timestamp), $2::timestamp - interval '1 day', ('1 ' || step)::interval) as s (day)
  ) b
$$;
comment on function workgate.buckets(date, date, text, text) is
  'The days, weeks (from Monday on) or months of a range, its first and its last one cut to it.';
