// What nothing but node:http and pg costs: a counter is raised and a text is read for each request.
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'pg'

const [, , sample = '', url = ''] = process.argv
const { headers } = JSON.parse(readFileSync(sample, 'utf8')) as { headers: Record<string, string> }
const pool = new Pool({ connectionString: url, max: 10 })

const COUNT = `insert into bare_counter as c (name, spent) values ($1, 1)
  on conflict (name) do update set spent = c.spent + 1 returning spent`
const READ = 'select body from bare_pack where slug = $1'

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const slug = request.url?.split('/').at(-1)
  await pool.query({ name: 'count', text: COUNT, values: [request.headers.authorization] })
  const { rows } = await pool.query({ name: 'read', text: READ, values: [slug] })
  response.writeHead(200, headers)
  response.end(String(rows[0].body))
}

const server = createServer((request, response) => void answer(request, response))
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
process.on('SIGTERM', () => process.exit(0))
