import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createPostgresEngine } from '../../src/adapters/storage/postgres/engine.ts'
import { ConnectionPool } from '../../src/adapters/storage/postgres/pool.ts'
import { StoreUnavailable } from '../../src/ports/store.ts'

/** An error as PostgreSQL's protocol has it: a type, a length, and fields that end in zeros. */
const errorMessage = (fields: Readonly<Record<string, string>>): Buffer => {
  const parts = Object.entries(fields).map(([field, value]) => `${field}${value}\0`)
  const body = Buffer.from(`${parts.join('')}\0`)
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from('E'), length, body])
}

/** What refuses each connection as soon as it is opened. */
const refusing = async (fields: Readonly<Record<string, string>>): Promise<string> => {
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(errorMessage(fields)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `postgres://u@127.0.0.1:${(server.address() as AddressInfo).port}/mapcrate?sslmode=disable`
}

/** What an engine over a server that so refuses fails with. */
const failureOf = async (fields: Readonly<Record<string, string>>): Promise<unknown> => {
  const url = await refusing(fields)
  const pool = new ConnectionPool({ url, size: 1, timeoutMs: 10_000 })
  onTestFinished(() => pool.close())
  return createPostgresEngine(pool)
    .db.selectFrom('account')
    .select('id')
    .execute()
    .catch((error: unknown) => error)
}

// PgBouncer 1.18 to 1.24: `disconnect_client` has this code for all but wrong logins and databases.
it.each([
  'server login has been failing, try again later (server_login_retry)',
  'query_wait_timeout',
  'pgbouncer cannot connect to server',
  'the database system is starting up',
])('a pooler that says "%s" is a database that is away', async (M) => {
  const failure = await failureOf({ S: 'FATAL', V: 'FATAL', C: '08P01', M })
  expect(failure).toBeInstanceOf(StoreUnavailable)
  expect(String(failure)).toContain('the database cannot be reached')
})

it.each(['08000', '08001', '08003', '08004', '08006'])(
  'SQLSTATE %s is a database that is away',
  async (C) => {
    const failure = await failureOf({ S: 'FATAL', V: 'FATAL', C, M: 'away' })
    expect(failure).toBeInstanceOf(StoreUnavailable)
  },
)

it('a protocol that was violated by ourselves is a fault of ours', async () => {
  const failure = await failureOf({ S: 'ERROR', V: 'ERROR', C: '08P01', M: 'bind message has' })
  expect(failure).not.toBeInstanceOf(StoreUnavailable)
})
