// Tells how wide an element is, so that charts are drawn in pixels and their text is never scaled.

import { useEffect, useRef, useState } from 'preact/hooks'

/** The width is 0 until the element is on the page. */
export function useWidth<Element extends HTMLElement>() {
  const element = useRef<Element>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)))
    observer.observe(element.current!)
    return () => observer.disconnect()
  }, [])
  return [element, width] as const
}
