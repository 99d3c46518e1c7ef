// Tells when an element comes near the visible part of the page.

import { useEffect, useRef, useState } from 'preact/hooks'

/** Becomes true, and remains so, when the element is at most this far from the visible part of the page, or is wanted. */
export function useSeen<Element extends HTMLElement>(margin = '200px', isWanted = false) {
  const element = useRef<Element>(null)
  const [isSeen, setSeen] = useState(isWanted)
  useEffect(() => {
    if (isWanted) return setSeen(true)
    if (isSeen) return
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
  }, [margin, isSeen, isWanted])
  return [element, isSeen || isWanted] as const
}
