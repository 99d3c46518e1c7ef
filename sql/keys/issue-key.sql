-- workgate keys create
select workgate.issue_key(
  :name, :scopeMode::text, :projectIds::uuid[], :operations::text[], :rateLimitPerMinute::integer, :expiresAt::timestamptz
) as key
