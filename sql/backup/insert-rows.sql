-- Inserts rows of a backup
insert into workgate.{{table}} ({{columns}})
select {{values}}
from jsonb_array_elements(:rows::jsonb) r
