-- workgate serve: whether anybody could use the service
select exists (select from workgate.api_keys) as exists
