// Ends a request whose client has disconnected. The response is not sent; its status appears only in the log.

export class ClientDisconnected extends Error {
  override name = 'ClientDisconnected'
}

export const disconnectedResponse = { status: 499, headers: {}, body: '' }
