// Keys for lists of tasks: j and k move between rows, and / goes to the search field.

import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'

export function useRowKeys(list: RefObject<HTMLElement | null>, search: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const listening = new AbortController()
    document.addEventListener('keydown', press, { signal: listening.signal })
    return () => listening.abort()

    function press(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (event.key === '/') {
        event.preventDefault()
        search.current?.select()
      }
      if (event.key === 'j') moveFocus(list.current!, 1)
      if (event.key === 'k') moveFocus(list.current!, -1)
    }
  }, [list, search])
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, select, textarea'))

function moveFocus(list: HTMLElement, step: number): void {
  const links = [...list.querySelectorAll<HTMLElement>('.task-line > .title')]
  const row = document.activeElement?.closest('.task-line')
  const current = links.findIndex((link) => link.parentElement === row)
  const next = links[current === -1 ? 0 : current + step]
  next?.focus({ preventScroll: true })
  next?.parentElement?.scrollIntoView({ block: 'nearest' })
}
