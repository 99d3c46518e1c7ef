// A row with a name, a bar of one or two parts, and numbers.

import type { ComponentChildren } from 'preact'

interface BarRowProps {
  name: ComponentChildren
  /** From left to right, with the class that colours each part. */
  parts: [kind: string, value: number][]
  /** The value of the longest bar of all rows. */
  longest: number
  children: ComponentChildren
}

export function BarRow({ name, parts, longest, children }: BarRowProps) {
  return (
    <li class="bar-row">
      <span class="name">{name}</span>
      <span class="parts" aria-hidden="true">
        {parts.map(
          ([kind, value]) =>
            value > 0 && <span key={kind} class={kind} style={{ inlineSize: `${(value / longest) * 100}%` }} />,
        )}
      </span>
      {children}
    </li>
  )
}
