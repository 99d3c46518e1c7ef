-- The last entry e of the journal after which object o could be what is expected. Scans journal_by_object.
left join lateral (
  select j.seq, j.at, j.channel, j.actor
  from workgate.journal j
  where j.scope = :projectId
    and j.kind = '{{kind}}'
    and j.id = o.id
    and (j.event = 'created' or j.fields is null or j.fields && '{{fields}}')
  order by j.seq desc
  limit 1
) e on true
