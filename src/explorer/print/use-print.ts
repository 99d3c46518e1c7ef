// Prints the view when all rows of its lists have been read, up to a limit.

import { createContext } from 'preact'
import { useEffect, useState } from 'preact/hooks'

const maxRows = 2_000

/** Lists read this many rows, even if nobody scrolls to them. */
export const WantedRows = createContext(0)

/** `place` names the view. Nothing is printed if it changes first. */
export function usePrint(place: string): { wantedRows: number; startPrinting: () => void } {
  const [wantedRows, setWanted] = useState(0)
  useEffect(() => setWanted(0), [place])
  useEffect(() => {
    if (wantedRows === 0) return
    const main = document.querySelector('main')!
    const observer = new MutationObserver(printIfRead)
    observer.observe(main, { subtree: true, childList: true, attributeFilter: ['aria-busy'] })
    printIfRead()
    return () => observer.disconnect()

    function printIfRead() {
      if (main.querySelector('[aria-busy]')) return
      observer.disconnect()
      setWanted(0)
      window.print()
    }
  }, [wantedRows])
  return { wantedRows, startPrinting: () => setWanted(maxRows) }
}
