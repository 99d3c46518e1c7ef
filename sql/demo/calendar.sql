-- workgate demo: the year up to the requested day, as working hours of people in several time zones.
insert into clock (tick, at, span)
select
  row_number() over (order by hour, part) - 1,
  hour + (part - 1) * interval '1 hour' / parts,
  interval '1 hour' / parts
from brief
cross join lateral generate_series(until - interval '1 year', until - interval '1 hour', interval '1 hour') as hour
cross join lateral (
  select
    (array[0, 0, 0, 0, 0, 0.3, 1, 3, 6, 7, 7, 5, 3, 6, 7, 6, 5, 3, 1.5, 1, 0.8, 0.5, 0.2, 0.1])
      [1 + extract(hour from hour)::integer] as of_hour,
    (array[1.15, 1.05, 1.05, 1, 0.8, 0.04, 0.07])[extract(isodow from hour)::integer] as of_weekday,
    case
      when to_char(hour, 'MMDD') >= '1223' or to_char(hour, 'MMDD') <= '0102' then 0.15
      when to_char(hour, 'MM') = '08' then 0.7
      else 1
    end as of_season,
    0.8 + 0.4 * pg_temp.dice(extract(epoch from date_trunc('week', hour))::bigint, 'week') as of_week,
    0.8 + 0.4 * pg_temp.dice(extract(epoch from date_trunc('day', hour))::bigint, 'day') as of_day,
    pg_temp.dice(extract(epoch from hour)::bigint, 'hour') as luck
) as share
cross join lateral (
  select floor(of_hour * of_weekday * of_season * of_week * of_day + luck)::integer as parts
  offset 0
) as hours
cross join lateral generate_series(1, parts) as part;

analyze clock;
