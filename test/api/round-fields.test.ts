import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { openSqliteStores } from '../../src/adapters/storage/sqlite/open.ts'
import { roundContentOf } from '../../src/domain/rounds.ts'
import { foldName } from '../../src/pool/slots.ts'
import {
  releasedFields,
  draftFields,
  roundFields,
  roundLinks,
  slotContent,
  slotFields,
} from '../../src/pool/round-fields.ts'
import { slotLabel } from '../../src/pool/slots.ts'
import { anyRound, drafted, filled } from '../support/any-round.ts'
import { openHouse } from '../support/house.ts'
import { newScene, type Scene } from './tournament-scene.ts'

const house = await openHouse()
afterAll(() => house.close())

type Body = Record<string, unknown>

const links: readonly string[] = Object.keys(roundLinks({}))
const withoutLinks = (round: object): object =>
  Object.fromEntries(Object.entries(round).filter(([field]) => !links.includes(field)))

/** The answer to a request that is refused for nothing but a slur, which any text can hold. */
const ask = async (
  { host }: Scene,
  method: string,
  path: string,
  body?: unknown,
  tagOf?: string,
) => {
  const headers =
    tagOf === undefined ? {} : { 'if-match': (await host.get(tagOf)).headers.get('etag') ?? '' }
  const reply = await host.ask(method, path, { body, headers })
  fc.pre(!reply.text.includes('must not contain a slur'))
  expect(reply.text).not.toContain('"error"')
  expect(reply.headers.get('x-ignored-fields')).toBeNull()
  return reply.json
}

/** A tournament of which the round is this. */
const sceneWith = async (body: unknown): Promise<Scene> => {
  const scene = await newScene(house, { ruleset: 'mania' })
  await ask(scene, 'PUT', scene.roundPath, body, scene.roundPath)
  return scene
}
const now = async ({ host, roundPath }: Scene) => drafted((await host.get(roundPath)).json.round)

describe('what hosts draft of a round comes back as it was sent (spec 4.1 rule 3)', () => {
  it('after a POST, after a PUT, and from the version that the PUT replaced', async () => {
    const property = fc.asyncProperty(anyRound, anyRound, async (first, second) => {
      const scene = await newScene(house, { ruleset: 'mania' })
      const { round } = await ask(scene, 'POST', `${scene.path}/rounds`, first)
      expect(drafted(round)).toEqual(first)
      const path = `${scene.path}/rounds/${round.id}`
      await ask(scene, 'PUT', path, second, path)
      expect(drafted((await scene.host.get(path)).json.round)).toEqual(second)
      const { version } = (await scene.host.get(`${path}/history/1`)).json
      expect(drafted(version)).toEqual(withoutLinks(first))
    })
    await fc.assert(property, { numRuns: 20 })
  })

  it('after a PUT of all rounds', async () => {
    const property = fc.asyncProperty(anyRound, anyRound, async (first, second) => {
      fc.pre(foldName(first.name) !== foldName(second.name))
      const scene = await newScene(house, { ruleset: 'mania' })
      const rounds = [first, { id: scene.id, ...second }]
      await ask(scene, 'PUT', `${scene.path}/rounds`, { rounds }, scene.path)
      const { tournament } = (await scene.host.get(scene.path)).json
      expect(tournament.rounds.map(drafted)).toEqual([first, second])
    })
    await fc.assert(property, { numRuns: 20 })
  })

  it('after changes of its slots, which leave the rest as it was (D-62)', async () => {
    const property = fc.asyncProperty(anyRound, anyRound, async (before, { slots: others }) => {
      const scene = await sceneWith(before)
      const slots = before.slots.map(({ mod, index }, at) => ({
        ...others[at % others.length],
        mod,
        index,
      }))
      const changes = slots.map(({ mod, index, ...to }, at) => {
        const { mod: _, index: __, ...from } = before.slots[at]!
        return { mod, index, from: slotContent(from), to: slotContent(to) }
      })
      await ask(scene, 'PATCH', `${scene.roundPath}/slots`, { changes })
      expect(await now(scene)).toEqual({ ...before, slots })
    })
    await fc.assert(property, { numRuns: 20 })
  })

  it('each field by itself makes a version and a difference of its own', async () => {
    const property = fc.asyncProperty(anyRound, anyRound, async (before: Body, other: Body) => {
      for (const field of roundFields.names) {
        if (JSON.stringify(other[field]) === JSON.stringify(before[field])) continue
        const scene = await sceneWith(before)
        await ask(
          scene,
          'PUT',
          scene.roundPath,
          { ...before, [field]: other[field] },
          scene.roundPath,
        )
        const { versions } = (await scene.host.get(`${scene.roundPath}/history`)).json
        const [from, to] = [before[field], other[field]]
        if (links.includes(field)) {
          expect(versions[0], 'no part of the draft (D-85)').toMatchObject({ version: 2 })
          continue
        }
        expect(versions[0]).toMatchObject({ version: 3, changes: [{ kind: field, from, to }] })
      }
    })
    await fc.assert(property, { numRuns: 10 })
  })

  it('so does each field of a slot, but a beatmap, which packs have, too', async () => {
    const property = fc.asyncProperty(anyRound, anyRound, async ({ slots }, other) => {
      const [slot, next] = [slots[0]!, other.slots[0]!]
      for (const field of slotFields.names.filter((name) => name !== 'beatmapId')) {
        const [from, to] = [slot[field], next[field]]
        const isSame = JSON.stringify(from) === JSON.stringify(to)
        if (isSame || [from, to].includes(undefined)) continue
        const { mod: _, index: __, ...held } = slot
        const scene = await sceneWith({ name: 'Finals', slots: [slot] })
        const after = { name: 'Finals', slots: [{ ...slot, [field]: to }] }
        await ask(scene, 'PUT', scene.roundPath, after, scene.roundPath)
        const { versions } = (await scene.host.get(`${scene.roundPath}/history`)).json
        const sides = { before: held, after: { ...held, [field]: to } }
        const change = { kind: field, at: slotLabel(slot), from, to, ...sides }
        expect(versions[0].changes).toContainEqual(change)
      }
    })
    await fc.assert(property, { numRuns: 20 })
  })
})

it('a release shows everybody what is public of a round, and makes its pool a pack (D-60)', async () => {
  const property = fc.asyncProperty(anyRound.map(filled), async (round) => {
    const scene = await sceneWith(round)
    await scene.publish()
    const { packSlug } = (await scene.release()).json.round
    expect(await now(scene)).toEqual(round)
    const stranger = await house.host('pools')
    const seen = drafted((await stranger.get(scene.roundPath)).json.round)
    const { name, slots, buckets } = round
    const pool = { slots: slots.map(({ mod, index, beatmapId }) => ({ mod, index, beatmapId })) }
    const whole = { ...pool, ...(buckets && { buckets }) }
    const content = roundContentOf(round)
    const shown = { ...releasedFields(content), ...roundLinks(content) }
    expect(seen).toEqual({ name, ...whole, slots, ...shown })
    const reader = await house.host()
    const { pack } = (await reader.get(`/packs/${packSlug}`)).json
    expect(pack).toMatchObject({ name: round.packName, ...whole })
  })
  await fc.assert(property, { numRuns: 10 })
})

it('a backup, on PostgreSQL a copy to the other engine, holds drafts, versions and releases whole', async () => {
  const [round, next] = fc.sample(anyRound.map(filled), { numRuns: 2, seed: 26 })
  const scene = await sceneWith(round)
  await scene.release()
  await ask(scene, 'PUT', scene.roundPath, next, scene.roundPath)
  const { tournaments, care } = house.ports
  const file = join(house.folder, 'backup.db')
  await care.backup(file)
  const restored = await openSqliteStores(file)
  const saved = await restored.tournaments.read(scene.slug)
  expect(saved).toEqual(await tournaments.read(scene.slug))
  expect(drafted(saved!.rounds[0]!)).toEqual(next)
  const versions = await restored.tournaments.readVersions(scene.slug, scene.id)
  expect(versions).toEqual(await tournaments.readVersions(scene.slug, scene.id))
  expect(versions.slice(0, 2).map(({ content }) => drafted(content))).toEqual(
    [next!, round!].map(withoutLinks),
  )
  await restored.care.close()
})

it('reads a field that has no column of its own, and none from a state that was kept before it', async () => {
  const scene = await sceneWith({ name: 'Finals', bans: 1 })
  const isRound = `where tournament = '${scene.slug}'`
  await house.alter(`update tournament_round set other_fields = '{"bans":4}' ${isRound}`)
  await house.alter(
    `update round_version set content = '{"name":"Finals","slots":[],"buckets":null}' ${isRound}`,
  )
  const other = await house.again()
  expect((await other.tournaments.read(scene.slug))?.rounds[0]).toMatchObject({ bans: 4 })
  const versions = await other.tournaments.readVersions(scene.slug, scene.id)
  const content = { name: 'Finals', ...draftFields({}), slots: [], buckets: null }
  expect(versions?.map((version) => version.content)).toEqual([content, content])
  await other.care.close()
})
