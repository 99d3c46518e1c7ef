-- True if the actor of entry e has this name, id or role
and exists (select from jsonb_each_text(e.actor) part where part.value = :changedBy::text)
