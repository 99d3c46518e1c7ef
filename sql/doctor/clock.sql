-- workgate doctor: the time of the database, in milliseconds since 1970.
select (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"
