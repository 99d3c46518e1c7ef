// Remembers how far each view in the history was scrolled, and the link that was followed, so that going back to
// a list shows the same rows, from the same one.

import { useLayoutEffect } from 'preact/hooks'

const places = new Map<number, { top: number; link: string | null }>()
let entry = Date.now()

history.scrollRestoration = 'manual'
history.replaceState(entry, '')
// Before any component, so that the last view is still shown.
addEventListener('hashchange', () => {
  places.set(entry, { top: scrollY, link: document.activeElement?.getAttribute('href') ?? null })
  // Only an entry to which the user returns has a state.
  entry = (history.state as number | null) ?? Math.max(entry, ...places.keys()) + 1
  history.replaceState(entry, '')
})

/** `place` names the view. A new view is shown from its beginning. */
export function useScrollPlace(place: string): void {
  useLayoutEffect(() => {
    const { top = 0, link = null } = places.get(entry) ?? {}
    const main = document.querySelector('main')!
    const followed = link === null ? null : main.querySelector<HTMLElement>(`a[href="${CSS.escape(link)}"]`)
    ;(followed ?? main).focus({ preventScroll: true })
    scrollTo(0, top)
  }, [place])
}
