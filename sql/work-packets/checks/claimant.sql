-- True if the actor of entry e only says that it has this name, id or role
and exists (select from jsonb_each_text(e.actor #> '{claimed,actor}') part where part.value = :claimedBy::text)
