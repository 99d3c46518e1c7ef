// A tag with a dot in its colour.

import type { WorkPacket } from '../api/types.ts'

export function Tag({ tag: { name, color } }: { tag: WorkPacket['task']['tags'][number] }) {
  return (
    <span class="tag">
      <span class="dot" style={color === null ? {} : { background: color }} />
      <bdi>{name}</bdi>
    </span>
  )
}
