import { describe, expect, it } from 'vitest'
import { expectError } from '../support/door.ts'
import { expectStanding } from './standing.ts'
import { openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { aRound, newScene } from './tournament-scene.ts'

const { house, faults } = await openFaultyHouse()
const refuses = refusalsOf(faults, {
  house,
  method: 'PUT',
  ask: async ({ roundPath, as }) => ({
    path: roundPath,
    body: { name: 'Finals' },
    headers: await as(roundPath),
  }),
})

describe('200 the round as it is now', () => {
  it('clears what the body leaves out, and has a new tag (D-62)', async () => {
    const scene = await newScene(house)
    const pooler = await scene.staff('pooler')
    const headers = await scene.as(scene.roundPath)
    const body = aRound({ bestOf: 9, bans: 2 })
    const full = await pooler.ask('PUT', scene.roundPath, { body, headers })
    expect(full.status).toBe(200)
    expectStanding(full)
    expect(full.json.round).toMatchObject(body)
    const reply = await pooler.ask('PUT', scene.roundPath, {
      body: { name: 'Finals' },
      headers: { 'if-match': full.headers.get('etag') ?? '' },
    })
    const { id, createdAt, updatedAt } = reply.json.round
    expect(reply.json.round).toEqual({ id, name: 'Finals', slots: [], createdAt, updatedAt })
    const read = await scene.host.get(scene.roundPath)
    expect(read.text).toBe(reply.text)
    expect(read.headers.get('etag')).toBe(reply.headers.get('etag'))
  })

  it('leaves the pack of a released round as it is, until the next release', async () => {
    const scene = await newScene(house)
    const { packSlug } = (await scene.release()).json.round
    const packs = await house.host()
    const before = await packs.get(`/packs/${packSlug}`)
    const headers = await scene.as(scene.roundPath)
    const reply = await scene.host.ask('PUT', scene.roundPath, {
      body: { name: 'Finals' },
      headers,
    })
    expect(reply.json.round).toMatchObject({ packSlug, slots: [] })
    expect((await packs.get(`/packs/${packSlug}`)).text).toBe(before.text)
  })

  it('one of two who send the same tag at once gets it, the other 412 (D-62)', async () => {
    const scene = await newScene(house)
    const headers = await scene.as(scene.roundPath)
    const replies = await Promise.all(
      ['Finals', 'Semifinals'].map((name) =>
        scene.host.ask('PUT', scene.roundPath, { body: { name }, headers }),
      ),
    )
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412])
  })
})

describe('400 bad_request', () => {
  refuses.bodies([
    ['name is missing', { slots: [] }],
    ['slots[0].mod is missing', { name: 'QF', slots: [{ index: 1, beatmapId: 75 }] }],
    ['slots must be a list of at most 64 items', { name: 'QF', slots: {} }],
  ])
  refuses.oddTags()
})

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('the links of a round (D-85)', () => {
  const links = {
    mapPackUrl: 'https://files.example/maps.zip',
    showcaseUrl: 'https://video.example/showcase',
  }

  it('200: a host sets them, everybody reads them at once, and they are no part of the draft', async () => {
    const scene = await newScene(house, { visibility: 'public' })
    await scene.release()
    const put = async (body: object) =>
      scene.host.ask('PUT', scene.roundPath, { body, headers: await scene.as(scene.roundPath) })
    const reply = await put(aRound({ name: 'Draft', ...links }))
    expect(reply.json.round).toMatchObject(links)
    const seen = (await (await house.host('pools')).get(scene.roundPath)).json.round
    expect(seen).toMatchObject({ name: 'Quarterfinals', ...links })
    const { versions } = (await scene.host.get(`${scene.roundPath}/history`)).json
    await put(aRound({ name: 'Draft' }))
    expect((await scene.host.get(scene.roundPath)).json.round).not.toHaveProperty('mapPackUrl')
    expect((await scene.host.get(`${scene.roundPath}/history`)).json.versions).toEqual(versions)
  })

  it('403: others may keep them, not change them: by PUT of the round or of all rounds, or with a new round', async () => {
    const scene = await newScene(house)
    const pooler = await scene.staff('pooler')
    const put = async (path: string, body: object, tagOf = path) => {
      const tag = (await pooler.get(tagOf)).headers.get('etag') ?? ''
      return pooler.ask('PUT', path, { body, headers: { 'if-match': tag } })
    }
    const round = aRound(links)
    expect((await put(scene.roundPath, round)).status).toBe(403)
    const headers = await scene.as(scene.roundPath)
    expect((await scene.host.ask('PUT', scene.roundPath, { body: round, headers })).status).toBe(
      200,
    )
    const kept = { ...round, bestOf: 9 }
    expect((await put(scene.roundPath, kept)).json.round).toMatchObject({ bestOf: 9, ...links })
    const before = await scene.read(scene.roundPath)
    for (const other of [aRound(), aRound({ ...links, mapPackUrl: 'https://files.example/2' })]) {
      const refused = await put(scene.roundPath, other)
      expect(refused.status, refused.text).toBe(403)
      const rounds = [{ id: scene.id, ...other }]
      const sheet = await put(`${scene.path}/rounds`, { rounds }, scene.path)
      expect(sheet.status, sheet.text).toBe(403)
    }
    const body = { name: 'Finals', ...links }
    const added = await pooler.ask('POST', `${scene.path}/rounds`, { body })
    expectError(added, 'forbidden')
    expect(await scene.read(scene.roundPath)).toBe(before)
    const rounds = [{ id: scene.id, ...kept }]
    const sheet = await put(`${scene.path}/rounds`, { rounds }, scene.path)
    expect(sheet.status).toBe(200)
  })
})

describe('403 forbidden', () => refuses.otherRoles('tester', 'referee'))

describe('404 not_found', () => refuses.hidden({ takesBody: true }))

describe('409 conflict', () => {
  it('for a name that another round has, and for an empty slot in a scheduled round (D-63)', async () => {
    const scene = await newScene(house)
    await scene.host.ask('POST', `${scene.path}/rounds`, { body: { name: 'Finals' } })
    const put = async (body: object) =>
      scene.host.ask('PUT', scene.roundPath, { body, headers: await scene.as(scene.roundPath) })
    expectError(
      await put({ name: 'finals' }),
      'conflict',
      /^name is taken: another round is called /,
    )
    await scene.release('2026-12-01T18:00:00.000Z')
    const before = await scene.read()
    const slots = [{ mod: 'NM', index: 1, placeholder: 'custom map' }]
    const reply = await put(aRound({ slots }))
    expectError(reply, 'conflict', /NM1 has no beatmap; withdraw the schedule first$/)
    expect(await scene.read()).toBe(before)
  })
})

describe('412 precondition_failed', () => refuses.staleTags(({ roundPath }) => roundPath))

describe('413 too_large', () => refuses.largeBodies())

describe('415 unsupported_media_type', () => refuses.otherMedia())

describe('428 precondition_required', () => refuses.missingTags())

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults())
