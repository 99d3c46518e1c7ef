-- True if the actor of entry e has this name, id or role, and the database knows it
and exists (select from jsonb_each_text(e.actor - 'claimed') part where part.value = :changedBy::text)
