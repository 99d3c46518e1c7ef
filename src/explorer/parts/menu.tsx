// A button that opens controls below it. They close when the focus leaves them, or with Escape.

import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'

export function Menu({ title, children }: { title: string; children: ComponentChildren }) {
  const menu = useRef<HTMLDetailsElement>(null)
  function leave({ relatedTarget }: FocusEvent) {
    if (relatedTarget instanceof Node && !menu.current!.contains(relatedTarget)) menu.current!.open = false
  }
  function press(event: KeyboardEvent) {
    if (event.key !== 'Escape') return
    menu.current!.open = false
    menu.current!.querySelector('summary')!.focus()
  }
  return (
    <details class="menu" ref={menu} onFocusOut={leave} onKeyDown={press}>
      <summary>{title}</summary>
      <div>{children}</div>
    </details>
  )
}
