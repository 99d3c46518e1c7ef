// Remembers how far each view in the history was scrolled, so that going back to a list shows the same rows.

import { useLayoutEffect } from 'preact/hooks'

const positions = new Map<number, number>()
let entry = Date.now()

history.scrollRestoration = 'manual'
history.replaceState(entry, '')
// Before any component, so that the last view is still shown.
addEventListener('hashchange', () => {
  positions.set(entry, scrollY)
  // Only an entry to which the user returns has a state.
  entry = (history.state as number | null) ?? Math.max(entry, ...positions.keys()) + 1
  history.replaceState(entry, '')
})

/** `place` names the view. A new view is shown from its beginning. */
export function useScrollPlace(place: string): void {
  useLayoutEffect(() => {
    document.querySelector('main')!.focus({ preventScroll: true })
    scrollTo(0, positions.get(entry) ?? 0)
  }, [place])
}
