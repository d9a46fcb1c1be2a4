// Sends the same bytes and headers from memory: what nothing but node:http costs.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const [, , sample = ''] = process.argv
const { headers, body, encoding } = JSON.parse(readFileSync(sample, 'utf8')) as {
  headers: Record<string, string>
  body: string
  /** How bytes that are no text stand in `body`. */
  encoding?: 'base64'
}
const bytes = Buffer.from(body, encoding)
const server = createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(bytes)
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
