import * as fc from 'fast-check'
import { afterAll, describe, expect, it, test } from 'vitest'
import { endpointsOf, serviceNames } from '../../src/contract/services.ts'
import { releaseDue } from '../../src/operations/releases.ts'
import { type Host, openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { propose } from './discussion-scene.ts'
import { withoutQuotas } from './spend.ts'
import { aRound, newScene, type Scene } from './tournament-scene.ts'

// A PUT can be sent again after a lost answer, however late (RFC 9110 9.2.2, D-86).
const house = await openHouse({ withPorts: withoutQuotas })
afterAll(() => house.close())

const HOUR_MS = 3_600_000
const delays = [0, 1_000, HOUR_MS, 50 * HOUR_MS]

/** Some time, in which the worker releases what is due. */
async function pass(ms: number): Promise<void> {
  house.clock.advance(ms)
  const { rounds } = await house.ports.tournaments.due(house.clock.now(), 50)
  for (const round of rounds) await releaseDue(house.ports, round)
}

const inHours = (hours: number): string =>
  new Date(house.clock.now() + hours * HOUR_MS).toISOString()

type Put = {
  readonly by: Host
  readonly path: string
  readonly body: object
  /** Where the tag that it needs is read, each time that it is sent. */
  readonly tagOf?: string
  /** What shows whether something has moved. */
  readonly shown: readonly string[]
}

const send = async ({ by, path, body, tagOf }: Put) => {
  const etag = tagOf && (await by.get(tagOf)).headers.get('etag')
  const headers: Record<string, string> = etag ? { 'if-match': etag } : {}
  return by.ask('PUT', path, { body, headers })
}

const ofScene = ({ host, path, roundPath }: Scene) => ({
  by: host,
  shown: [path, roundPath, `${path}/staff`, `${roundPath}/history`, `${roundPath}/candidates`],
})

/** Each PUT of both services; what it puts is not there before. */
const puts: Readonly<Record<string, () => Promise<Put>>> = {
  async replacePack() {
    const by = await house.host()
    const path = `/packs/${await by.save(aPack())}`
    return { by, path, body: aPack({ name: 'Another' }), shown: [path, '/me/packs'] }
  },
  async setHistoryPublic() {
    const by = await house.host()
    const path = `/packs/${await by.save(aPack())}`
    return { by, path: `${path}/history`, body: { public: true }, shown: [path] }
  },
  async replaceRounds() {
    const scene = await newScene(house)
    const { path } = scene
    const body = { rounds: [{ ...aRound({ bestOf: 9 }), id: scene.id }] }
    return { ...ofScene(scene), path: `${path}/rounds`, body, tagOf: path }
  },
  async replaceRound() {
    const scene = await newScene(house)
    const path = scene.roundPath
    return { ...ofScene(scene), path, body: aRound({ bestOf: 9 }), tagOf: path }
  },
  async releaseRound() {
    const scene = await newScene(house, { visibility: 'public' })
    return { ...ofScene(scene), path: `${scene.roundPath}/release`, body: { at: inHours(2) } }
  },
  async setRole() {
    const scene = await newScene(house)
    const { gameId } = await scene.staff('pooler')
    const body = { role: 'tester', rounds: [scene.id] }
    return { ...ofScene(scene), path: `${scene.path}/staff/${gameId}`, body }
  },
  async voteOnCandidate() {
    const scene = await newScene(house)
    const path = `${await propose(scene.host, scene)}/vote`
    return { ...ofScene(scene), path, body: { vote: -1 } }
  },
}

test('D-86: each PUT of both services is tried', () => {
  const all = serviceNames.flatMap((service) => Object.entries(endpointsOf[service]))
  const names = all.filter(([, { method }]) => method === 'PUT').map(([name]) => name)
  expect(Object.keys(puts).toSorted()).toEqual(names.toSorted())
})

describe.each(Object.keys(puts))('%s', (name) => {
  it.each(delays)(
    'sent again after %i ms is answered as before, and moves nothing (D-86)',
    async (ms) => {
      const put = await puts[name]!()
      const first = await send(put)
      expect(first.status, first.text).toBeLessThan(300)
      await pass(ms)
      const before = await readAll(put)
      const again = await send(put)
      expect(again.status, again.text).toBe(first.status)
      const after = await readAll(put)
      if (name === 'replacePack') expect(withoutTimes(after)).toEqual(withoutTimes(before))
      else expect(after).toEqual(before)
    },
  )
})

const readAll = async ({ by, shown }: Pick<Put, 'by' | 'shown'>): Promise<readonly string[]> =>
  Promise.all(shown.map(async (at) => (await by.get(at)).text))

/** Each PUT of a pack moves its time (D-26). */
const withoutTimes = (texts: readonly string[]) =>
  texts.map((text) => text.replaceAll(/"updatedAt":"[^"]*"/g, ''))

/** Whole hours from the beginning, or what `at` may be beside a time. */
const anyRelease = fc.record({
  at: fc.constantFrom<number | 'now' | null>(1, 1, 3, 60, 'now', 'now', null, null),
  incomplete: fc.boolean(),
})
const anyStep = fc.oneof(
  { weight: 4, arbitrary: anyRelease },
  { weight: 1, arbitrary: fc.constantFrom('edit', 'hour') },
)

test('D-86: a release or a withdrawal sent again, however late, changes nothing; null with its tag', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyStep, { maxLength: 5 }),
      anyRelease,
      fc.constantFrom(...delays),
      async (steps, last, ms) => {
        const scene = await newScene(house, { visibility: 'public' })
        const { host, roundPath } = scene
        const begun = house.clock.now()
        const timeOf = (at: number) => new Date(begun + at * HOUR_MS).toISOString()
        const release = ({ at, incomplete }: typeof last, headers = {}) =>
          host.ask('PUT', `${roundPath}/release`, {
            body: { at: typeof at === 'number' ? timeOf(at) : at, incomplete },
            headers,
          })
        let seen = 75
        for (const step of steps) {
          if (step === 'hour') await pass(HOUR_MS)
          else if (typeof step === 'object') await release(step)
          else {
            const change = {
              mod: 'NM',
              index: 1,
              from: { beatmapId: seen++ },
              to: { beatmapId: seen },
            }
            await host.ask('PATCH', `${roundPath}/slots`, { body: { changes: [change] } })
          }
          await pass(1_000)
        }
        // Else it would take back the schedule first, and then the pack.
        const tag = last.at === null ? await scene.as(roundPath) : {}
        const first = await release(last, tag)
        await pass(ms)
        const cursor = (await host.get('/changes')).json.cursor
        const shown = { by: host, shown: [scene.path, roundPath, `/changes?after=${cursor}`] }
        const before = await readAll(shown)
        const again = await release(last, tag)
        const expected = last.at === null ? [first.status, 412] : [first.status]
        expect(expected, again.text).toContain(again.status)
        expect(await readAll(shown)).toEqual(before)
      },
    ),
    { numRuns: 40 },
  )
})

describe('a time that has passed is 400 time_passed (D-87)', () => {
  const scheduled = async () => {
    const scene = await newScene(house)
    const at = inHours(1)
    await scene.release(at)
    return { scene, at }
  }

  it.each<[string, (scene: Scene) => Promise<unknown>]>([
    [
      'where it was released at once since',
      async (scene) => {
        await pass(2 * HOUR_MS)
        await scene.host.ask('PATCH', `${scene.roundPath}/slots`, {
          body: {
            changes: [{ mod: 'NM', index: 1, from: { beatmapId: 75 }, to: { beatmapId: 77 } }],
          },
        })
        await scene.release()
      },
    ],
    [
      'where it is scheduled for another time',
      async (scene) => {
        await scene.release(inHours(30))
        await pass(2 * HOUR_MS)
      },
    ],
    [
      'where it was withdrawn',
      async (scene) => {
        await pass(2 * HOUR_MS)
        await scene.release(null)
      },
    ],
  ])('%s', async (_, happens) => {
    const { scene, at } = await scheduled()
    await happens(scene)
    const reply = await scene.host.ask('PUT', `${scene.roundPath}/release`, { body: { at } })
    expect(reply).toMatchObject({ status: 400, json: { error: { reason: 'time_passed' } } })
  })
})
