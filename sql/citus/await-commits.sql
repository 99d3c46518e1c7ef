-- Runs before each freshness check on a node. Whatever was acknowledged before is committed here when it ends.
select workgate_places.await_commits(:most::interval)
