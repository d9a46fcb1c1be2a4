import { afterAll, describe, expect, it, test } from 'vitest'
import { refusals } from '../../src/contract/errors.ts'
import { endpointsOf } from '../../src/contract/services.ts'
import { expectError, type Reply } from '../support/door.ts'
import { type Host, openHouse } from '../support/house.ts'
import { deleteRound, restorePath } from './deleted-round.ts'
import { aCandidate, aRemark, candidatesOf, remarksOf } from './discussion-scene.ts'
import { withoutQuotas } from './spend.ts'
import { aRound, newScene, type Scene } from './tournament-scene.ts'

// `Idempotency-Key` on the tournament-pools service (D-86).
const house = await openHouse({ withPorts: withoutQuotas })
afterAll(() => house.close())

const DAY_MS = 86_400_000
let keys = 0
const newKey = () => `test-${(keys += 1)}`

type Other = { readonly path?: (scene: Scene) => string; readonly body?: object }
type Case = {
  readonly prepare?: (scene: Scene) => Promise<unknown>
  readonly path: (scene: Scene) => string
  readonly body?: object
  /** Another one that is valid there, too. */
  readonly other?: object
  /** Others that are refused for what is there. */
  readonly refused: readonly Other[]
  readonly count: (scene: Scene) => Promise<number>
}

const roundsOf = async ({ host, path }: Scene): Promise<number> =>
  (await host.get(path)).json.tournament.rounds.length

/** Each POST of the service. */
const cases: Readonly<Record<string, Case>> = {
  createTournament: {
    path: () => '/tournaments',
    body: { name: 'Winter Cup' },
    other: { name: 'Summer Cup' },
    refused: [{ body: { name: 'Spring Cup', from: 'AAAAAAAAAA' } }],
    count: async ({ host }) => (await host.get('/me/tournaments')).json.total,
  },
  createRound: {
    path: ({ path }) => `${path}/rounds`,
    body: aRound({ name: 'Finals' }),
    other: aRound({ name: 'Semifinals' }),
    refused: [
      { body: aRound({ name: 'Quarterfinals' }) },
      { path: () => '/tournaments/AAAAAAAAAA/rounds', body: aRound() },
    ],
    count: roundsOf,
  },
  restoreRound: {
    prepare: (scene) => deleteRound(house, scene),
    path: restorePath,
    refused: [{ path: ({ path }) => `${path}/deleted-rounds/AAAAAAAAAA/restore` }],
    count: roundsOf,
  },
  proposeCandidate: {
    path: ({ roundPath }) => `${roundPath}/candidates`,
    body: aCandidate,
    other: { ...aCandidate, beatmapId: 129_891 },
    refused: [
      { body: { candidates: [aCandidate] } },
      { body: { ...aCandidate, index: 9 } },
      { path: ({ path }) => `${path}/rounds/AAAAAAAAAA/candidates`, body: aCandidate },
    ],
    count: async (scene) => (await candidatesOf(scene)).length,
  },
  addRemark: {
    path: ({ roundPath }) => `${roundPath}/remarks`,
    body: aRemark,
    other: { text: 'Too short for this round' },
    refused: [
      { body: { text: 'Which one?', mod: 'RC', index: 9 } },
      { path: ({ path }) => `${path}/rounds/AAAAAAAAAA/remarks`, body: aRemark },
    ],
    count: async (scene) => (await remarksOf(scene)).length,
  },
}

test('D-86: each POST takes Idempotency-Key', () => {
  const posts = Object.entries(endpointsOf.pools).filter(([, { method }]) => method === 'POST')
  expect(Object.keys(cases).toSorted()).toEqual(posts.map(([name]) => name).toSorted())
  for (const [name, { idempotencyKey }] of posts) expect(idempotencyKey, name).toBe(true)
})

const expectSame = (reply: Reply, first: Reply): void => {
  expect(reply).toMatchObject({ status: first.status, text: first.text })
  for (const name of ['location', 'etag']) {
    expect(reply.headers.get(name), name).toBe(first.headers.get(name))
  }
}

describe.each(Object.entries(cases))('%s with Idempotency-Key (D-86)', (name, each) => {
  const prepare = async () => {
    const scene = await newScene(house)
    await each.prepare?.(scene)
    const before = await each.count(scene)
    const post = (key: string, body = each.body, host: Host = scene.host): Promise<Reply> =>
      host.ask('POST', each.path(scene), {
        headers: { 'idempotency-key': key },
        ...(body !== undefined && { body }),
      })
    const made = async () => (await each.count(scene)) - before
    return { scene, post, made }
  }

  it('makes one, and answers the same again', async () => {
    const { post, made } = await prepare()
    const key = newKey()
    const first = await post(key)
    expect(first.status, first.text).toBeLessThan(300)
    house.clock.advance(1_000)
    expectSame(await post(key), first)
    expect(await made()).toBe(1)
  })

  it('makes one for several at the same moment', async () => {
    const { post, made } = await prepare()
    const key = newKey()
    const replies = await Promise.all(Array.from({ length: 5 }, () => post(key)))
    for (const reply of replies) expectSame(reply, replies[0]!)
    expect(replies[0]!.status, replies[0]!.text).toBeLessThan(300)
    expect(await made()).toBe(1)
  })

  it('forgets a request that was refused', async () => {
    const { scene, post } = await prepare()
    const stranger = await house.host('pools')
    const key = newKey()
    if (each.path(scene) !== '/tournaments') {
      expectError(await post(key, each.body, stranger), 'not_found')
    }
    expect((await post(key)).status).toBeLessThan(300)
  })

  it('is of one account: the key of another one is another key', async () => {
    const { scene, post } = await prepare()
    const other = await scene.staff('host')
    const key = newKey()
    expect(
      (
        await other.ask('POST', '/tournaments', {
          body: { name: 'Theirs' },
          headers: { 'idempotency-key': key },
        })
      ).status,
    ).toBe(201)
    expect((await post(key)).status).toBeLessThan(300)
  })

  it('is 400 with another body, and for another request', async () => {
    const { scene, post, made } = await prepare()
    const key = newKey()
    expect((await post(key)).status).toBeLessThan(300)
    if (each.other !== undefined) {
      const [, message] = refusals.idempotencyKeyOfAnother
      expectError(await post(key, each.other), 'bad_request', message)
    }
    const elsewhere = await scene.host.ask('POST', `${scene.roundPath}/remarks`, {
      body: { text: 'Something else' },
      headers: { 'idempotency-key': key },
    })
    expectError(elsewhere, 'bad_request')
    expect(await made()).toBe(1)
  })

  it.each(each.refused)('is 400 before $body is refused for what is there', async (other) => {
    const { scene, post } = await prepare()
    const ask = (key: string) =>
      scene.host.ask('POST', (other.path ?? each.path)(scene), {
        headers: { 'idempotency-key': key },
        ...(other.body !== undefined && { body: other.body }),
      })
    const key = newKey()
    expect((await post(key)).status).toBeLessThan(300)
    const alone = await ask(newKey())
    expect(alone.status, alone.text).toBeGreaterThanOrEqual(400)
    expect(alone.json.error.reason).not.toBe('idempotency_key_used')
    const [, message] = refusals.idempotencyKeyOfAnother
    expectError(await ask(key), 'bad_request', message)
  })

  // Anybody may make a tournament.
  if (name !== 'createTournament')
    it('tells strangers with a used key the same of what is there and what is not (D-60)', async () => {
      const { scene } = await prepare()
      const stranger = await house.host('pools')
      const headers = { 'idempotency-key': newKey() }
      await stranger.ask('POST', '/tournaments', { body: { name: 'Theirs' }, headers })
      const path = each.path(scene)
      const ask = (at: string) =>
        stranger.ask('POST', at, { headers, ...(each.body !== undefined && { body: each.body }) })
      const missing = await ask(path.replace(scene.slug, 'AAAAAAAAAA'))
      expect(await ask(path)).toMatchObject({ status: missing.status, text: missing.text })
    })

  it('is another one after 24 hours', async () => {
    const { post, made } = await prepare()
    const key = newKey()
    const first = await post(key)
    house.clock.advance(DAY_MS)
    expectSame(await post(key), first)
    house.clock.advance(1)
    const later = await post(key, each.other)
    if (each.other === undefined) expectError(later, 'not_found')
    else expect(await made()).toBe(2)
  })

  it.each(['', ' ', 'ä', 'x'.repeat(256), 'a b'])('is 400 where it is %j', async (key) => {
    const { post, made } = await prepare()
    const reply = await post(key).catch(() => null)
    if (reply !== null) expectError(reply, 'bad_request', refusals.idempotencyKey[1])
    expect(await made()).toBe(0)
  })
})

test('a copy is answered the same again, though what it was copied from is gone (D-86)', async () => {
  const { host, slug, path } = await newScene(house)
  const headers = { 'idempotency-key': newKey() }
  const copy = () =>
    host.ask('POST', '/tournaments', { body: { name: 'Next Cup', from: slug }, headers })
  const first = await copy()
  expect(first.status).toBe(201)
  expect((await host.ask('DELETE', path)).status).toBe(204)
  const again = await copy()
  expect(again).toMatchObject({ status: 201 })
  expect(again.json.tournament.slug).toBe(first.json.tournament.slug)
})
