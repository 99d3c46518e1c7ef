// Defines a request as the server passes it to the app.

export interface Incoming {
  method: string
  /** The path and query as sent. */
  target: string
  /** Every value of each header, names in lower case. */
  headers: Readonly<Record<string, readonly string[] | undefined>>
  /** The address of the peer, or of the client behind trusted proxies. */
  address: string
  hasBody: boolean
  /** Returns the whole body, or undefined if it is larger than maxBytes. Can be called once. */
  readBody(maxBytes: number): Promise<Uint8Array | undefined>
  /** Calls the listener when the client disconnects, or at once if it already has. May call it after the response. */
  onDisconnect(listener: () => void): void
  isDisconnected(): boolean
}
