// What a request ends with whose client went away: nobody reads the answer, and only the log shows it.

export class ClientDisconnected extends Error {
  override name = 'ClientDisconnected'
}

export const disconnectedResponse = { status: 499, headers: {}, body: '' }
