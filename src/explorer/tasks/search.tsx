// The search field of a list of tasks, and its order.

import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { changeQuery } from '../text/route.ts'
import type { Sort } from './filters.ts'

export function Search({ field, q }: { field: RefObject<HTMLInputElement | null>; q: string }) {
  const [text, setText] = useState(q)
  useEffect(() => setText(q), [q])
  function search(event: Event) {
    event.preventDefault()
    if (text.trim() !== q) changeQuery({ q: text.trim() })
  }
  function leave(event: KeyboardEvent) {
    if (event.key !== 'Escape') return
    event.preventDefault()
    field.current!.blur()
  }
  return (
    <form class="search-form" role="search" onSubmit={search}>
      <input
        ref={field}
        type="search"
        class="search-field"
        aria-label="Search tasks"
        aria-keyshortcuts="/"
        placeholder="Search titles and descriptions"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onChange={search}
        onKeyDown={leave}
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
  )
}

export function SortSelect({ sorts, current }: { sorts: Sort[]; current: string }) {
  return (
    <label>
      <span class="hidden">Order</span>
      <select value={current} onChange={(event) => changeQuery({ sort: event.currentTarget.value })}>
        {sorts.map(({ value, title }) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    </label>
  )
}
