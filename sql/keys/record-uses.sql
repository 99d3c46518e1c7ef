-- Records the last use of each key since the previous call.
select workgate.record_uses(:keyIds::text[], :times::timestamptz[])
