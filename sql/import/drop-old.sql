-- Imports of more than 90 days ago are forgotten.
delete from workgate.imports where at < now() - interval '90 days'
