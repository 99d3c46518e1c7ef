// What a request ends with whose client went away: nobody reads the answer, and only the log shows it.

export class Gone extends Error {
  override name = 'Gone'
}

export const goneAnswer = { status: 499, headers: {}, body: '' }
