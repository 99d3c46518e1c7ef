// A request as the server hands it to the app, before anything has looked at it.

export interface Incoming {
  method: string
  /** Path and query as sent. */
  target: string
  /** Every value of each header, names in lower case. */
  headers: Readonly<Record<string, readonly string[] | undefined>>
  /** Of the peer, or what the proxies that are trusted say of theirs. */
  address: string
  hasBody: boolean
  /** The whole body, or undefined where it has more bytes than that. To be called once. */
  readBody(maxBytes: number): Promise<Uint8Array | undefined>
  /** Calls when nobody can be answered any more, at once where it is so already. May call after the answer. */
  onDisconnect(listener: () => void): void
  isDisconnected(): boolean
}
