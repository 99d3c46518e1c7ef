-- The writer and the time of entry e
case when e.at is not null then
  json_build_object('by', json_build_object('channel', e.channel, 'actor', e.actor), 'at', workgate.iso(e.at))
end as change
