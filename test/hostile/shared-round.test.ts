import { afterAll, beforeAll, expect, test } from 'vitest'
import { countFrom } from '../../scripts/arguments.ts'
import { SeededRandom } from '../../scripts/seeded-random.ts'
import { newScene, type Scene } from '../api/tournament-scene.ts'
import type { Reply } from '../support/door.ts'
import { type Host, type House, openHouse } from '../support/house.ts'

const PEOPLE = 8
const SLOTS = 6
/** `npm run shared-round` makes more. */
const CHANGES = countFrom('SHARED_ROUND_CHANGES', 200)

type Filling = { readonly beatmapId?: number; readonly placeholder?: string }
type Slot = Filling & { readonly mod: string; readonly index: number }
type Made = { readonly index: number; readonly from: Filling; readonly to: Filling }

const fillingOf = ({ beatmapId, placeholder }: Filling): Filling =>
  beatmapId === undefined ? { placeholder: placeholder! } : { beatmapId }
/** Another one each time: a beatmap, or what is planned. */
const fillings = function* (): Generator<Filling, never> {
  for (let next = 1_000; ; next += 1) {
    yield next % 3 === 0 ? { beatmapId: next } : { placeholder: `map ${next}` }
  }
}

let house: House
let scene: Scene
let people: Host[]

beforeAll(async () => {
  house = await openHouse()
  scene = await newScene(house)
  people = [scene.host]
  while (people.length < PEOPLE) {
    people.push(await scene.staff(people.length < 3 ? 'host' : 'pooler'))
  }
})
afterAll(() => house.close())

/** Everybody has ten writes a minute; here a minute is over when somebody needs another one. */
const ask = async (person: Host, ...call: Parameters<Host['ask']>): Promise<Reply> => {
  for (;;) {
    const reply = await person.ask(...call)
    if (reply.status !== 429) return reply
    house.clock.nextMinute()
  }
}

test(
  `D-62: of ${CHANGES} changes that eight people make to one round at once, none is lost and none made twice`,
  async () => {
    const { roundPath } = scene
    const first: Slot[] = Array.from({ length: SLOTS }, (_, at) => ({
      mod: 'NM',
      index: at + 1,
      beatmapId: at + 1,
    }))
    const headers = await scene.as(roundPath)
    const begun = await ask(scene.host, 'PUT', roundPath, {
      headers,
      body: { name: 'Quarterfinals', slots: first },
    })
    expect(begun.status, begun.text).toBe(200)
    const candidates: string[] = []
    for (let at = 0; at < SLOTS; at++) {
      const body = { mod: 'NM', index: at + 1, beatmapId: 500 + at }
      const { json } = await ask(scene.host, 'POST', `${roundPath}/candidates`, { body })
      candidates.push(json.candidate.id)
    }

    const next = fillings()
    let left = CHANGES
    let refused = 0
    const made: Made[] = []
    const voted = new Map<string, number>()

    const patch = async (person: Host, random: SeededRandom): Promise<void> => {
      let index = 1 + random.below(SLOTS)
      // Nobody has seen this: they learn what is there.
      let from: Filling = { beatmapId: 2_000_000_000 }
      const to = next.next().value
      for (;;) {
        const body = { changes: [{ mod: 'NM', index, from, to }] }
        const reply = await ask(person, 'PATCH', `${roundPath}/slots`, { body })
        if (reply.status === 200) break
        expect(reply.status, reply.text).toBe(409)
        refused += 1
        const [found] = reply.json.slots
        index = found.index
        from = fillingOf(found)
      }
      made.push({ index, from, to })
    }

    const replace = async (person: Host, random: SeededRandom): Promise<void> => {
      const index = 1 + random.below(SLOTS)
      const to = next.next().value
      for (;;) {
        const seen = await ask(person, 'GET', roundPath)
        const { name, slots } = seen.json.round as { name: string; slots: Slot[] }
        const body = {
          name,
          slots: slots.map((slot) =>
            slot.index === index ? { mod: slot.mod, index, ...to } : slot,
          ),
        }
        const ifMatch = { 'if-match': seen.headers.get('etag') ?? '' }
        const reply = await ask(person, 'PUT', roundPath, { body, headers: ifMatch })
        if (reply.status === 200) {
          made.push({ index, from: fillingOf(slots.find((slot) => slot.index === index)!), to })
          return
        }
        expect(reply.status, reply.text).toBe(412)
        refused += 1
      }
    }

    const vote = async (person: Host, random: SeededRandom): Promise<void> => {
      const id = candidates[random.below(SLOTS)]!
      const body = { vote: random.below(3) - 1 }
      const reply = await ask(person, 'PUT', `${roundPath}/candidates/${id}/vote`, { body })
      expect(reply.status, reply.text).toBe(200)
      voted.set(`${id} ${person.gameId}`, body.vote)
    }

    const work = async (person: Host, at: number): Promise<void> => {
      const random = new SeededRandom(at + 1)
      while (left > 0) {
        left -= 1
        const kind = random.below(10)
        await (kind === 0 ? replace : kind === 1 ? vote : patch)(person, random)
      }
    }
    await Promise.all(people.map(work))

    expect(refused).toBeGreaterThan(0)
    const ends = await Promise.all(people.map((person) => ask(person, 'GET', roundPath)))
    expect(new Set(ends.map(({ text }) => text)).size).toBe(1)
    const { slots } = ends[0]!.json.round as { slots: Slot[] }
    for (const { mod, index, ...filling } of first) {
      // Each filling is given once, so the changes of a slot are a chain from the first to the last.
      const after = new Map<string, string>()
      for (const each of made.filter((one) => one.index === index)) {
        const from = JSON.stringify(each.from)
        expect(after.has(from), `two changes of ${from}`).toBe(false)
        after.set(from, JSON.stringify(each.to))
      }
      let end = JSON.stringify(filling)
      let length = 0
      for (let to = after.get(end); to !== undefined; to = after.get(end)) {
        end = to
        length += 1
      }
      expect(length).toBe(after.size)
      const slot = slots.find((each) => each.index === index)
      expect(slot).toEqual({ mod, index, ...(JSON.parse(end) as Filling) })
    }
    const list = await ask(scene.host, 'GET', `${roundPath}/candidates`)
    const shown = new Map<string, number>()
    for (const { id, votes } of list.json.candidates) {
      for (const each of votes) shown.set(`${id} ${each.gameId}`, each.vote)
    }
    const expected = [...voted].filter(([, given]) => given !== 0)
    expect(shown).toEqual(new Map(expected))
  },
  120_000 + CHANGES * 500,
)
