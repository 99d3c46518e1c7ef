// Keeps what is shown while something similar is being read, so that the view does not jump.

import { useRef } from 'preact/hooks'
import type { Read } from '../api/use-read.ts'

/** The last body stays until the next one arrives. The path is that of the present request. */
export function useKept<Body>(read: Read<Body>): Read<Body> {
  const last = useRef<Body>(undefined)
  if (read.body !== undefined) last.current = read.body
  return { ...read, body: last.current }
}
