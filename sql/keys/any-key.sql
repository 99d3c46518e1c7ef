-- workgate serve, workgate import: whether any key exists
select exists (select from workgate.api_keys) as exists
