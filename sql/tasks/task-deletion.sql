-- The receipt of the last deletion of the task
select json_build_object(
  'taskId', j.id,
  'deletedAt', workgate.iso(j.at),
  'by', json_build_object('channel', j.channel, 'actor', j.actor),
  'number', j.number,
  'version', j.version) as receipt
from workgate.journal j
where j.scope = :projectId
  and j.kind = 'task'
  and j.event = 'deleted'
  and j.id = {{taskId}}
order by j.seq desc
limit 1
