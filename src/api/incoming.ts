// Defines a request as the server passes it to the app.

import type { Owner } from '../db/pool/connection-shares.ts'

export interface Incoming {
  method: string
  /** The path and query as sent. */
  target: string
  /** All values of each header. Names are in lower case. */
  headers: Readonly<Record<string, readonly string[] | undefined>>
  /** The address of the peer, or of the client behind trusted proxies. */
  address: string
  hasBody: boolean
  /** Returns the whole body, or undefined if it is larger than maxBytes. Can be called once. Its memory counts for the owner. */
  readBody(maxBytes: number, owner: Owner): Promise<Uint8Array | undefined>
  /**
   * Calls the listener when the client disconnects or sends no more, or immediately if it already has. May also call it
   * after the response. Call it at most once.
   */
  onDisconnect(listener: () => void): void
  isDisconnected(): boolean
}
