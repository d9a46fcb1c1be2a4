import * as fc from 'fast-check'
import { afterAll, describe, expect, it, test } from 'vitest'
import { builtinCodes } from '../../src/contract/mods.ts'
import { endpointsOf } from '../../src/contract/services.ts'
import { type Host, openHouse } from '../support/house.ts'
import { aCandidate, aRemark, propose, remark } from './discussion-scene.ts'
import { withoutQuotas } from './spend.ts'
import { aRound, newScene, type Scene } from './tournament-scene.ts'

// A write of the tournament-pools service that changes nothing moves nothing (D-86). Packs keep D-26.
const house = await openHouse({ withPorts: withoutQuotas })
afterAll(() => house.close())

const packs = await house.host('packs')

/** All that could tell a reader that something has changed. */
async function standing({ host, slug, path, roundPath }: Scene, cursor: string) {
  const paths = [path, roundPath, `${path}/staff`, `${roundPath}/history`]
  const lists = [`${roundPath}/candidates`, `${roundPath}/remarks`]
  const replies = await Promise.all([...paths, ...lists].map((at) => host.get(at)))
  const items = replies
    .flatMap(({ json }) => [...(json.candidates ?? []), ...(json.remarks ?? [])])
    .map(({ id, score }) => `${roundPath}/${score === undefined ? 'remarks' : 'candidates'}/${id}`)
  const each = await Promise.all(items.map((at) => host.get(at)))
  const workspaces = await house.ports.workspaces.read([slug], house.clock.now())
  const feed = await packs.get(`/changes?after=${cursor}`)
  return {
    texts: [...replies, ...each].map(({ text }) => text),
    tags: [...replies, ...each].map(({ headers }) => headers.get('etag')),
    marks: workspaces.get(slug),
    feed: feed.text,
  }
}

const cursorNow = async (): Promise<string> => (await packs.get('/changes')).json.cursor

type Write = {
  readonly path: string
  readonly body: object
  readonly headers?: Record<string, string>
}
type Case = (scene: Scene, other: Host) => Promise<Write> | Write

const soon = '2026-12-01T18:00:00.000Z'
const roundNow = async ({ host, roundPath }: Scene) => (await host.get(roundPath)).json.round
const release = async (scene: Scene, body: object): Promise<Write> => {
  const path = `${scene.roundPath}/release`
  expect((await scene.host.ask('PUT', path, { body })).status).toBe(200)
  return { path, body }
}

/** Of each PUT and PATCH of the service, writes of what is there; each stands behind what it follows. */
const cases: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  updateTournament: {
    'an empty patch': ({ path }) => ({ path, body: {} }),
    'fields as they are': ({ path }) => ({
      path,
      body: { name: ' Harbour Lights Cup ', year: null },
    }),
    'the whole of it as it was read': async ({ host, path }) => {
      const { from: _, ...body } = (await host.get(path)).json.tournament
      return { path, body }
    },
  },
  replaceRounds: {
    'the rounds as they were read': async ({ host, path, as }) => {
      const { rounds } = (await host.get(path)).json.tournament
      return { path: `${path}/rounds`, body: { rounds }, headers: await as(path) }
    },
    'the rounds by their names': async ({ path, as }) => ({
      path: `${path}/rounds`,
      body: { rounds: [aRound()] },
      headers: await as(path),
    }),
  },
  replaceRound: {
    'the round as it was read': async (scene) => ({
      path: scene.roundPath,
      body: await roundNow(scene),
      headers: await scene.as(scene.roundPath),
    }),
    'the round as it was sent': async ({ roundPath, as }) => ({
      path: roundPath,
      body: aRound({ targets: {}, buckets: builtinCodes.map((code) => ({ code })) }),
      headers: await as(roundPath),
    }),
  },
  changeSlots: {
    'a slot set to what it is': ({ roundPath }) => {
      const held = { beatmapId: 75 }
      return {
        path: `${roundPath}/slots`,
        body: { changes: [{ mod: 'NM', index: 1, from: held, to: held }] },
      }
    },
    'a slot that is still not there': ({ roundPath }) => ({
      path: `${roundPath}/slots`,
      body: { changes: [{ mod: 'RC', index: 1, from: 'none', to: 'none' }] },
    }),
  },
  releaseRound: {
    'the time that is set': (scene) => release(scene, { at: soon }),
    'the same time, written otherwise': async (scene) => ({
      ...(await release(scene, { at: soon, incomplete: true })),
      body: { at: '2026-12-01T19:00:00+01:00', incomplete: true },
    }),
    'now, of a round that is released as it is': (scene) => release(scene, { at: 'now' }),
    'null, of a round that is not released': ({ roundPath }) => ({
      path: `${roundPath}/release`,
      body: { at: null },
    }),
  },
  setRole: {
    'the role that they have': ({ path }, { gameId }) => ({
      path: `${path}/staff/${gameId}`,
      body: { role: 'pooler' },
    }),
    'the limit that they have': async ({ host, path, id }, { gameId }) => {
      const write = { path: `${path}/staff/${gameId}`, body: { role: 'pooler', rounds: [id] } }
      expect((await host.ask('PUT', write.path, write)).status).toBe(200)
      return write
    },
  },
  voteOnCandidate: {
    'the vote that one has cast': async (scene) => {
      const write = { path: `${await propose(scene.host, scene)}/vote`, body: { vote: 1 } }
      expect((await scene.host.ask('PUT', write.path, write)).status).toBe(200)
      return write
    },
    'none, of who has cast none': async (scene) => ({
      path: `${await propose(scene.host, scene)}/vote`,
      body: { vote: 0 },
    }),
  },
  moveCandidate: {
    'the slot that it is in': async (scene) => ({
      path: await propose(scene.host, scene),
      body: { mod: aCandidate.mod, index: aCandidate.index },
    }),
  },
  updateRemark: {
    'an empty patch': async (scene) => ({ path: await remark(scene.host, scene), body: {} }),
    'the remark as it was read': async (scene) => {
      const path = await remark(scene.host, scene, { mod: 'NM', index: 1 })
      return { path, body: (await scene.host.get(path)).json.remark }
    },
    'a remark that is settled': async (scene) => {
      const write = { path: await remark(scene.host, scene), body: { settled: true } }
      expect((await scene.host.ask('PATCH', write.path, write)).status).toBe(200)
      return write
    },
  },
}

const changing = Object.entries(endpointsOf.pools).filter(([, { method }]) =>
  ['PUT', 'PATCH'].includes(method),
)

test('D-86: each PUT and PATCH has a write that changes nothing', () => {
  expect(Object.keys(cases).toSorted()).toEqual(changing.map(([name]) => name).toSorted())
})

describe.each(changing)('%s', (name, { method }) => {
  it.each(Object.entries(cases[name]!))('moves nothing with %s (D-86)', async (_, prepare) => {
    const scene = await newScene(house)
    const write = await prepare(scene, await scene.staff('pooler'))
    const cursor = await cursorNow()
    const before = await standing(scene, cursor)
    house.clock.advance(5_000)
    const reply = await scene.host.ask(method, write.path, write)
    expect(reply.status, reply.text).toBe(200)
    expect(await standing(scene, cursor)).toEqual(before)
    const at = write.path.replace(/\/(?:slots|release|vote|rounds)$/, '')
    const read = await scene.host.get(at)
    expect(reply.text).toBe(read.text)
    expect(reply.headers.get('etag')).toBe(read.headers.get('etag'))
  })
})

test('a PUT of a pack as it is moves its time, as before (D-26)', async () => {
  const body = { name: 'Pool', slots: [{ mod: 'NM', index: 1, beatmapId: 75 }] }
  const slug = await packs.save(body)
  const { updatedAt } = (await packs.get(`/packs/${slug}`)).json.pack
  house.clock.advance(1)
  expect((await packs.put(slug, body)).json.pack.updatedAt > updatedAt).toBe(true)
})

test('a release of what has changed since is a release (D-63)', async () => {
  const scene = await newScene(house, { visibility: 'public' })
  const changes: readonly (() => Promise<unknown>)[] = [
    async () =>
      scene.host.ask('PUT', scene.roundPath, {
        body: aRound({ bestOf: 9 }),
        headers: await scene.as(scene.roundPath),
      }),
    async () =>
      scene.host.ask('PUT', scene.roundPath, {
        body: { ...aRound(), slots: aRound().slots.toReversed() },
        headers: await scene.as(scene.roundPath),
      }),
    // The pack is named after both.
    async () => scene.host.ask('PATCH', scene.path, { body: { shortName: 'H' } }),
    async () => scene.release(null),
    async () => scene.release(soon),
  ]
  await scene.release()
  for (const change of changes) {
    const { releasedAt } = await roundNow(scene)
    await change()
    house.clock.advance(1_000)
    const again = (await scene.release()).json.round
    expect(again.releasedAt).not.toBe(releasedAt)
    expect(again.releaseAt).toBe(again.releasedAt)
  }
})

const anyWrite = fc.oneof(
  fc.record({
    method: fc.constant('PATCH'),
    to: fc.constant('tournament'),
    body: fc.record(
      {
        name: fc.constantFrom('Harbour Lights Cup', 'Winter Cup'),
        year: fc.constantFrom(2026, null),
        announceRounds: fc.boolean(),
        visibility: fc.constantFrom('public', 'private'),
      },
      { requiredKeys: [] },
    ),
  }),
  fc.record({
    method: fc.constant('PUT'),
    to: fc.constant('round'),
    body: fc
      .record({ bestOf: fc.constantFrom(9, 11), bans: fc.constantFrom(0, 2) }, { requiredKeys: [] })
      .map(aRound),
  }),
  fc.record({
    method: fc.constant('PATCH'),
    to: fc.constant('slots'),
    body: fc.tuple(fc.constantFrom(75, 77), fc.constantFrom(75, 77)).map(([from, to]) => ({
      changes: [{ mod: 'NM', index: 1, from: { beatmapId: from }, to: { beatmapId: to } }],
    })),
  }),
  fc.record({
    method: fc.constant('PUT'),
    to: fc.constant('release'),
    body: fc.record({ at: fc.constantFrom('now', soon), incomplete: fc.boolean() }),
  }),
  fc.record({
    method: fc.constant('PUT'),
    to: fc.constant('member'),
    body: fc.record({ role: fc.constantFrom('pooler', 'tester', 'referee') }),
  }),
  fc.record({
    method: fc.constant('PUT'),
    to: fc.constant('vote'),
    body: fc.record({ vote: fc.constantFrom(-1, 0, 1) }),
  }),
  fc.record({
    method: fc.constant('PATCH'),
    to: fc.constant('candidate'),
    body: fc.constantFrom({ mod: 'NM', index: 1 }, { mod: 'HD', index: 1 }),
  }),
  fc.record({
    method: fc.constant('PATCH'),
    to: fc.constant('remark'),
    body: fc.record(
      { settled: fc.boolean(), text: fc.constantFrom(aRemark.text, 'Fine now') },
      { requiredKeys: [] },
    ),
  }),
)

test('D-86: of any write, the same at once again moves nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyWrite, { minLength: 4, maxLength: 12 }), async (writes) => {
      const scene = await newScene(house)
      const { path, roundPath, host } = scene
      const member = await scene.staff('pooler')
      const candidate = await propose(host, scene)
      const paths: Readonly<Record<string, string>> = {
        tournament: path,
        round: roundPath,
        slots: `${roundPath}/slots`,
        release: `${roundPath}/release`,
        member: `${path}/staff/${member.gameId}`,
        candidate,
        vote: `${candidate}/vote`,
        remark: await remark(host, scene),
      }
      for (const { method, to, body } of writes) {
        const ask = async () => {
          house.clock.advance(1_000)
          const headers = to === 'round' ? await scene.as(roundPath) : {}
          return host.ask(method, paths[to]!, { body, headers })
        }
        const first = await ask()
        const cursor = await cursorNow()
        const before = await standing(scene, cursor)
        const again = await ask()
        // What a change of slots replaces is no longer there.
        if (to !== 'slots') expect(again.text).toBe(first.text)
        expect(await standing(scene, cursor)).toEqual(before)
      }
    }),
    { numRuns: 12 },
  )
})
