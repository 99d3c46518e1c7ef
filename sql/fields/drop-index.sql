-- workgate fields remove
drop index concurrently if exists workgate."tasks_by_field_{{name}}"
