// Tells when an element comes near the visible part of the page.

import { useEffect, useRef, useState } from 'preact/hooks'

/** Becomes true when the element is at most this far from the visible part of the page. */
export function useSeen<Element extends HTMLElement>(margin = '200px', isSeenBefore = false) {
  const element = useRef<Element>(null)
  const [isSeen, setSeen] = useState(isSeenBefore)
  useEffect(() => {
    if (isSeenBefore) return
    const observer = new IntersectionObserver(
      // Several changes can arrive at once.
      (changes) => {
        if (!changes.some(({ isIntersecting }) => isIntersecting)) return
        setSeen(true)
        observer.disconnect()
      },
      { rootMargin: margin },
    )
    observer.observe(element.current!)
    return () => observer.disconnect()
  }, [margin, isSeenBefore])
  return [element, isSeen] as const
}
