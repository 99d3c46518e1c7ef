-- workgate demo: otherwise, two demos at once would both find the database empty.
lock table workgate.users, workgate.teams, workgate.projects in share row exclusive mode
