import { afterAll, describe, expect, it } from 'vitest'
import { issueKey, revokeKey } from '../../src/operations/keys.ts'
import { type Host, openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { beginRequest, beginSave } from '../support/slow-request.ts'

const house = await openHouse()
// The store opened once more, as the operator's command in another process has it.
const elsewhere = await house.again()
afterAll(async () => {
  await elsewhere.care.close()
  await house.close()
})

const WORKERS = 6
const ANSWERS = 30

/** Ways to end a key; each gives the one that is good from now on, if there is one. */
const endings: readonly [string, (host: Host) => Promise<string | null>][] = [
  ['replaced', async ({ gameId, username }) => (await house.hostOf(gameId, username)).key],
  [
    'replaced by another process',
    ({ gameId, username }) =>
      issueKey(
        { ...house.ports, ...elsewhere },
        { service: 'packs', keyPrefix: 'packs', gameId, username },
      ),
  ],
  [
    'revoked by another process',
    async ({ gameId }) => {
      await revokeKey(elsewhere, { service: 'packs', gameId })
      return null
    },
  ],
]

describe('under load, a key that is', () => {
  it.each(endings)('%s passes no request that begins afterwards (spec 5)', async (_, end) => {
    const host = await house.host()
    const path = `/packs/${await host.save(aPack())}`
    const asks = [
      () => host.get('/me'),
      () => host.get(path),
      () => host.get('/packs'),
      () => host.ask('PUT', path, { body: aPack() }),
    ]
    const passed = { before: 0, after: 0 }
    const refused = { before: 0, after: 0 }
    let phase: 'before' | 'after' = 'before'
    const over = new AbortController()

    const work = async (first: number): Promise<void> => {
      for (let count = first; !over.signal.aborted; count += 1) {
        const begun = phase
        house.clock.nextMinute()
        const { status } = await asks[count % asks.length]!()
        expect([200, 401]).toContain(status)
        const tally = status === 200 ? passed : refused
        tally[begun] += 1
      }
    }
    const until = async (isDone: () => boolean): Promise<void> => {
      while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 1))
    }

    const workers = Array.from({ length: WORKERS }, (_, first) => work(first))
    await until(() => passed.before >= ANSWERS)
    const fresh = await end(host)
    phase = 'after'
    if (fresh !== null) {
      expect((await house.doors.packs.ask('GET', '/me', { key: fresh })).status).toBe(200)
    }
    await until(() => refused.after + passed.after >= ANSWERS)
    over.abort()
    await Promise.all(workers)
    expect(passed.after).toBe(0)
  })
})

describe('while the body of a request is coming, a key that is', () => {
  it.each(endings)('%s saves nothing any more (spec 5)', async (_, end) => {
    const host = await house.host()
    const save = await beginSave(host.door.url, host.key, aPack())
    await end(host)
    save.finish()
    save.socket.end()
    const text = await save.answer
    expect(text).toMatch(/^HTTP\/1\.1 401 /)
    expect(text).toContain('"code":"invalid_api_key"')
    expect(text).toMatch(/\r\nwww-authenticate: Bearer\r\n/i)
    // As any failed attempt (spec 5 rule 8).
    expect(text).toMatch(/\r\nratelimit-limit: 20\r\n/i)
    const owner = await house.hostOf(host.gameId, host.username)
    expect((await owner.get('/me/packs')).json.total).toBe(0)
  })

  // What is refused of a body comes behind the key (D-3).
  it.each([
    ['is no JSON', '5\r\n{"a";\r\n0\r\n\r\n'],
    ['is too long', `4000\r\n${'x'.repeat(0x4000)}\r\n1\r\nx\r\n0\r\n\r\n`],
  ])('replaced is 401, though the body %s', async (_, chunks) => {
    const host = await house.host()
    const { socket, answer } = await beginRequest(host.door.url, [
      'POST /api/v1/packs HTTP/1.1',
      `Authorization: Bearer ${host.key}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
      '',
      '1\r\n \r\n',
    ])
    // Behind this answer the server has read what came before it.
    await (await fetch(`${host.door.url}/healthz`)).arrayBuffer()
    await house.hostOf(host.gameId, host.username)
    socket.end(chunks)
    const text = await answer
    expect(text).toMatch(/^HTTP\/1\.1 401 /)
    expect(text).toContain('"code":"invalid_api_key"')
    expect(text).toMatch(/\r\nwww-authenticate: Bearer\r\n/i)
    expect(text).toMatch(/\r\nratelimit-limit: 20\r\n/i)
  })

  it('live saves as soon as the body is there', async () => {
    const host = await house.host()
    const save = await beginSave(host.door.url, host.key, aPack())
    save.finish()
    save.socket.end()
    expect(await save.answer).toMatch(/^HTTP\/1\.1 201 /)
    expect((await host.get('/me/packs')).json.total).toBe(1)
  })
})
