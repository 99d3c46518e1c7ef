// node bare.mjs FILE: what node:http does alone. It sends the answers that are in the file, each to who asks for its path, and prints
// its port.

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const answers = new Map(
  JSON.parse(readFileSync(process.argv[2])).map(({ path, body, ...answer }) => [
    path,
    { ...answer, body: body === '' ? undefined : Buffer.from(body, 'base64') },
  ]),
)

const server = createServer((request, response) => {
  const { status, headers, body } = answers.get(request.url)
  response.writeHead(status, headers)
  response.end(body)
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
