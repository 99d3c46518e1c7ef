// Says on paper when the data was last confirmed, and at which address it is.

import { useContext, useEffect, useRef } from 'preact/hooks'
import { ClientContext } from '../api/use-read.ts'
import { formatZonedMoment } from '../text/format.ts'

/** Written when the browser prints, because responses may arrive until then. */
export function PrintNote() {
  const client = useContext(ClientContext)
  const note = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    const write = () => {
      const oldest = Math.min(...[...client.shown].map(({ at }) => at))
      note.current!.textContent = `${client.shown.size > 0 ? `As of ${formatZonedMoment(oldest)} · ` : ''}${location.href}`
    }
    addEventListener('beforeprint', write)
    return () => removeEventListener('beforeprint', write)
  }, [client])
  return <p ref={note} class="paper small quiet" />
}
