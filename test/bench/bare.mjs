// node bare.mjs FILE: serves the responses in FILE with node:http alone, each at its own path. Prints its port.

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const responses = new Map(
  JSON.parse(readFileSync(process.argv[2])).map(({ path, body, ...rest }) => [
    path,
    { ...rest, body: body === '' ? undefined : Buffer.from(body, 'base64') },
  ]),
)

const server = createServer((request, response) => {
  const { status, headers, body } = responses.get(request.url)
  response.writeHead(status, headers)
  response.end(body)
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
