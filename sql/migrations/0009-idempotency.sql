-- Headers of a stored answer follow from its body. Old records are found by their age.

alter table workgate.idempotency_records
  drop column headers,
  add constraint idempotency_records_key_length check (char_length(idempotency_key) between 1 and 255);
create index idempotency_records_by_age on workgate.idempotency_records (created_at);
