import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { slurs } from '../../src/domain/slurs/slurs.ts'
import { releaseDue } from '../../src/operations/releases.ts'
import { openHouse } from '../support/house.ts'
import { newScene } from './tournament-scene.ts'

// What was stored under older rules stays readable, and can be mended (D-47).

const house = await openHouse()
afterAll(() => house.close())

const slur = slurs.find(({ stem }) => /^[a-z]{4,12}$/.test(stem))!.stem

const text = fc.constantFrom(
  'soon',
  slur,
  `the ${slur} map`,
  'soon \u202e',
  '\u2067due\u2069 Sunday',
  'two\u2028lines',
  'two\nlines',
  'tab\tand bell\u0007',
  '\u200b',
  '\u3164',
  'NFC é, NFD e\u0301',
  `a${'\u0301'.repeat(60)}`,
  '\uffff\ufdd0',
  '🏆'.repeat(20),
)
const link = fc.constantFrom(
  'https://files.example/map.osz',
  'https://ada:secret@files.example/map.osz',
  `https://files.example/${slur}`,
  'http://files.example/map.osz',
  'https://files.example/a b',
  'https://files.example/\u202emap',
)
const details = fc
  .record({ artist: text, title: text, difficulty: text, mapper: text }, { requiredKeys: [] })
  .filter((each) => Object.keys(each).length > 0)
const planned = fc.record({ placeholder: text, details, link }, { requiredKeys: [] })
const filled = fc.record(
  { beatmapId: fc.integer({ min: 1, max: 9 }), details, link },
  { requiredKeys: ['beatmapId'] },
)
const content = fc.oneof(planned, filled)
type Content = Record<string, unknown>

/** What a client sends back of a slot that it has read. */
const seen = (slot: Content): Content | null => {
  const { mod: _mod, index: _index, ...rest } = slot
  return Object.keys(rest).length === 0 ? null : rest
}

test('D-47, D-62: whatever a slot holds, it can be emptied, filled, removed, and nothing else changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(content, { minLength: 2, maxLength: 4 }),
      fc.constantFrom(null, slur, slur.toUpperCase(), 'EX'),
      async (contents, code) => {
        const scene = await newScene(house)
        const slots = contents.map((each, at) => ({ mod: code ?? 'NM', index: at + 1, ...each }))
        const quoted = (value: unknown) => `'${JSON.stringify(value).replaceAll("'", "''")}'`
        const codes = ['NM', 'HD', 'HR', 'DT', 'FM', 'TB'].map((each) => ({ code: each }))
        const buckets = code === null ? null : [...codes, { code, color: 1 }]
        await house.alter(
          `update tournament_round set slots = ${quoted(slots)}, buckets = ${buckets === null ? 'null' : quoted(buckets)}
           where tournament = '${scene.slug}'`,
        )
        const read = await scene.host.get(scene.roundPath)
        expect(read.status).toBe(200)
        expect(read.json.round.slots).toEqual(slots)
        let now: Content[] = read.json.round.slots
        for (const to of [{ beatmapId: 129891 }, null, { placeholder: 'later' }, 'none']) {
          const [first, ...others] = now
          const { mod, index } = first!
          const change = { mod, index, from: seen(first!), to }
          const reply = await scene.host.ask('PATCH', `${scene.roundPath}/slots`, {
            body: { changes: [change] },
          })
          expect({ change, text: reply.text, status: reply.status }).toMatchObject({ status: 200 })
          now = reply.json.round.slots
          const expected = to === 'none' ? [] : [{ mod, index, ...(to as object | null) }]
          expect(now).toEqual([...expected, ...others])
        }
      },
    ),
    { numRuns: 25 },
  )
})

test('D-24: a code that is in no slot of the round is refused without the word', async () => {
  const scene = await newScene(house)
  for (const from of ['none', null, { beatmapId: 75 }]) {
    const changes = [{ mod: slur, index: 1, from, to: { beatmapId: 77 } }]
    const reply = await scene.host.ask('PATCH', `${scene.roundPath}/slots`, { body: { changes } })
    expect([reply.status, reply.json.error.reason]).toEqual([400, 'slur'])
    expect(reply.text).not.toContain(slur)
  }
})

test.each(['name', 'code'])(
  'D-47, D-78: a slot that is filled later goes out, whatever the %s of its pack is',
  async (what) => {
    const scene = await newScene(house)
    const [old, now] = what === 'name' ? ['HLC Quarterfinals', slur] : ['EX', slur.toUpperCase()]
    const added = { mod: 'EX', index: 1, from: 'none', to: { beatmapId: 5 } }
    const emptied = { mod: 'NM', index: 1, from: { beatmapId: 75 }, to: null }
    const patch = (...changes: object[]) =>
      scene.host.ask('PATCH', `${scene.roundPath}/slots`, { body: { changes } })
    expect((await patch(added, emptied)).status).toBe(200)
    const body = { at: 'now', incomplete: true }
    const { json } = await scene.host.ask('PUT', `${scene.roundPath}/release`, { body })
    const { packSlug } = json.round
    for (const [table, key, value, ...columns] of [
      ['pack', 'slug', packSlug, 'name', 'slots', 'buckets'],
      ['tournament_round', 'tournament', scene.slug, 'name', 'slots', 'buckets', 'released'],
    ]) {
      const renamed = columns.map((column) => `${column} = replace(${column}, '${old}', '${now}')`)
      await house.alter(`update ${table} set ${renamed.join()} where ${key} = '${value}'`)
    }
    expect((await patch({ ...emptied, from: null, to: { beatmapId: 129891 } })).status).toBe(200)
    expect(await releaseDue(house.ports, { slug: scene.slug, roundId: scene.id })).toBe(true)
    const { pack } = (await (await house.host('packs')).get(`/packs/${packSlug}`)).json
    expect(pack.slots.map(({ beatmapId }: Content) => beatmapId)).toEqual([129891, 76, 5])
    expect(JSON.stringify(pack)).toContain(now)
  },
)
