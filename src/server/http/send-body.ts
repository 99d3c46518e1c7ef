// Sends the bodies of responses. Parts of large bodies wait for the client and for other connections: the whole of many
// large bodies would keep the event loop busy, and TLS would encrypt a copy of each in advance.

import type { ServerResponse } from 'node:http'
import type { TimeSlices } from './time-slices.ts'

const partBytes = 65_536

export function sendBody(response: ServerResponse, body: Uint8Array, slices: TimeSlices) {
  if (body.length <= partBytes) response.end(body)
  else void sendParts(response, body, slices)
}

async function sendParts(response: ServerResponse, body: Uint8Array, slices: TimeSlices) {
  let resume = () => {}
  response.once('close', () => resume())
  let at = 0
  for (; body.length - at > partBytes && !response.destroyed; at += partBytes) {
    if (!slices.hasTime()) await new Promise<void>((resolve) => slices.wait(resolve, false))
    // Not "drain", which Node no longer emits after CONNECT.
    await new Promise<void>((resolve) => {
      resume = resolve
      if (response.destroyed) resolve()
      else response.write(body.subarray(at, at + partBytes), () => resolve())
    })
  }
  if (!response.destroyed) response.end(body.subarray(at))
}
