-- Runs on a node. Whatever was acknowledged before is committed there when it ends.
select workgate_places.await_commits(:most::interval)
