// The history of a task: each change with its author, time and channel.

import type { Data, WorkPacket } from '../api/types.ts'
import type { Names } from '../api/use-names.ts'
import type { Read } from '../api/use-read.ts'
import { Panel } from '../parts/panel.tsx'
import { formatMoment, formatWhen } from '../text/format.ts'
import { wordsFor } from './change-words.tsx'

type Change = WorkPacket['history']['items'][number]

export function History({ read, names }: { read: Read<Data<WorkPacket>>; names: Names }) {
  return (
    <Panel title="History" read={read}>
      {({ data: { history } }) => (
        <>
          <ol class="history">
            {history.items.map((change) => (
              <ChangeItem key={change.version} change={change} names={names} />
            ))}
          </ol>
          {history.truncated && <p class="small quiet">Earlier changes are not shown.</p>}
        </>
      )}
    </Panel>
  )
}

function ChangeItem({ change, names }: { change: Change; names: Names }) {
  const { at, channel, actor, changes } = change
  return (
    <li>
      <span>
        <bdi class="actor">{actorName(actor)}</bdi>{' '}
        {wordsFor(changes, names).map((words, n, { length }) => (
          <span key={n}>
            {n > 0 && (n === length - 1 ? ' and ' : ', ')}
            {words}
          </span>
        ))}
      </span>
      <span class="small quiet">
        <time dateTime={at} title={formatMoment(at)}>
          {formatWhen(at)}
        </time>{' '}
        · <bdi>{channel}</bdi>
      </span>
    </li>
  )
}

/** A name that the session only claims follows the role, which is proven. */
function actorName({ name, role, claimed }: Change['actor']): string {
  const [known, said] = [textOf(name), textOf((claimed as Claim | undefined)?.actor?.name)]
  return known ?? `${textOf(role) ?? 'Somebody'}${said === undefined ? '' : ` (claims to be ${said})`}`
}

interface Claim {
  actor?: { name?: unknown }
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
