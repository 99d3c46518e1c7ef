// The work packet as the API returns it.

import type { Data, WorkPacket } from '../api/types.ts'
import type { Read } from '../api/use-read.ts'
import { Panel } from '../parts/panel.tsx'

export function PacketSource({ read }: { read: Read<Data<WorkPacket>> }) {
  return (
    <Panel title="JSON" read={read}>
      {({ data }) => (
        <details class="packet">
          <summary>Work packet</summary>
          <p class="small quiet">
            Everything above from one snapshot, except the texts of comments. Equal packets have equal digests:
          </p>
          <p class="small">
            <code>{data.digest}</code>
          </p>
          <pre tabIndex={0}>{JSON.stringify(data, null, 2)}</pre>
        </details>
      )}
    </Panel>
  )
}
