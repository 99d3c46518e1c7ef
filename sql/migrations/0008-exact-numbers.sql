-- JSON's readers take numbers for doubles, which are exact below 2^53. Beyond it two states could look the same, and
-- have the same digest.

alter table workgate.tasks
  add constraint tasks_number_is_exact check (number <= 9007199254740991),
  add constraint tasks_version_is_exact check (version between 1 and 9007199254740991);
alter table workgate.comment_files
  add constraint comment_files_size_is_exact check (size_bytes <= 9007199254740991);
