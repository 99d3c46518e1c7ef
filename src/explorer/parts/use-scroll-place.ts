// Remembers how far each view in the history was scrolled, so that going back to a list shows the same rows.

import { useEffect, useLayoutEffect } from 'preact/hooks'

const positions = new Map<number, number>()
let entry = Date.now()

function changeEntry() {
  positions.set(entry, scrollY)
  // Only an entry to which the user returns has a state.
  entry = (history.state as number | null) ?? Math.max(entry, ...positions.keys()) + 1
  history.replaceState(entry, '')
}

/** `place` names the view. A new view is shown from its beginning. */
export function useScrollPlace(place: string): void {
  useEffect(() => {
    history.scrollRestoration = 'manual'
    history.replaceState(entry, '')
    // Before the view changes.
    addEventListener('hashchange', changeEntry, { capture: true })
    return () => removeEventListener('hashchange', changeEntry, { capture: true })
  }, [])
  useLayoutEffect(() => {
    document.querySelector('main')!.focus({ preventScroll: true })
    scrollTo(0, positions.get(entry) ?? 0)
  }, [place])
}
