// A fact about a task: its name and its value.

import type { ComponentChildren } from 'preact'

export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
