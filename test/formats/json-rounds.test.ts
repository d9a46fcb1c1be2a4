import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'

const read = (text: string) => {
  const { pools, questions } = readImport(text)
  return {
    pools: pools.map(({ name, draft }) => [
      name,
      draft.slots.map(({ mod, index, beatmapId }) => `${mod ?? '-'}${index} ${beatmapId}`),
    ]),
    questions: questions.length,
  }
}
const someRounds = fc.uniqueArray(
  fc.constantFrom(
    'Qualifiers',
    'Q',
    'RO32',
    'Round of 16',
    'Quarterfinals',
    'SF',
    'Grand Finals',
    'Pool A',
  ),
  { minLength: 2, maxLength: 4 },
)
const anyKey = fc.oneof(
  fc.constantFrom(
    'abbreviation',
    'abbr',
    'mappool',
    'bracket',
    'category',
    'phase',
    'event',
    'ronda',
  ),
  fc.stringMatching(/^[xyz][a-z]{2,6}$/),
)
/** Slots of which no two have the same label, so that they could be of one pool. */
const slotsOf = (rounds: readonly string[]) =>
  rounds.flatMap((round, at) =>
    [1, 2].map((nth) => ({ round, label: `NM${at * 2 + nth}`, id: 20_000 + at * 2 + nth })),
  )

describe('beatmaps of several rounds never become one pool', () => {
  const forms: Record<string, (rows: readonly Record<string, unknown>[]) => string> = {
    'in a list': (rows) => JSON.stringify(rows),
    'in an object': (rows) =>
      JSON.stringify(Object.fromEntries(rows.map((row, at) => [`x${at}`, row]))),
    'in lines': (rows) => rows.map((row) => JSON.stringify(row)).join('\n'),
    'below the name of a tournament': (rows) => JSON.stringify({ name: 'Kettle Cup', maps: rows }),
  }

  it.each(Object.entries(forms))('%s', (_, write) => {
    fc.assert(
      fc.property(someRounds, anyKey, fc.boolean(), (rounds, key, isFirst) => {
        const rows = slotsOf(rounds).map(({ round, label, id }) =>
          isFirst ? { [key]: round, pick: label, id } : { pick: label, id, [key]: round },
        )
        expect(read(write(rows))).toEqual({
          pools: rounds.map((round, at) => [
            round,
            [1, 2].map((nth) => `NM${at * 2 + nth} ${20_000 + at * 2 + nth}`),
          ]),
          questions: 0,
        })
      }),
    )
  })

  it('that are lists in objects with the name of each', () => {
    fc.assert(
      fc.property(someRounds, anyKey, (rounds, key) => {
        const groups = rounds.map((round, at) => {
          return { [key]: round, maps: [{ pick: `NM${at + 1}`, id: 20_000 + at }] }
        })
        const { pools } = read(JSON.stringify(groups))
        expect(pools.map(([name]) => name)).toEqual(rounds)
      }),
    )
  })

  it('that have the same names in several tournaments', () => {
    const maps = (id: number) => [
      { abbr: 'Q', pick: 'NM1', id },
      { abbr: 'SF', pick: 'NM2', id: id + 1 },
    ]
    const data = [
      { name: 'Kettle Cup', maps: maps(20_000) },
      { name: 'Lantern Cup', maps: maps(30_000) },
    ]
    expect(read(JSON.stringify(data)).pools.map(([, slots]) => slots)).toEqual([
      ['NM1 20000'],
      ['NM2 20001'],
      ['NM1 30000'],
      ['NM2 30001'],
    ])
  })

  it('above objects of buckets, each with the list of its beatmaps', () => {
    const lists = fc.constantFrom<(id: number) => unknown>(
      (id) => ({ mod: 'NM', maps: [{ slot: 1, beatmapId: id }] }),
      (id) => ({ acronym: 'NM', name: 'No Mod', maps: [{ order: 1, beatmap: { ID: id } }] }),
      (id) => ({ mod: 'NM', maps: [{ id }] }),
      (id) => ({ bucket: 'NM', ids: [id] }),
    )
    const key = fc.constantFrom('mappool', 'slots', 'pool', 'buckets')
    fc.assert(
      fc.property(someRounds, lists, key, fc.boolean(), (names, write, own, isNamed) => {
        const all = names.map((name, at) => ({ name, [own]: [write(75_001 + at)] }))
        const text = JSON.stringify(isNamed ? { name: 'Some Cup', stages: all } : all)
        const pools = names.map((name, at) => [name, [`NM1 ${75_001 + at}`]])
        expect(read(text), text).toEqual({ pools, questions: 0 })
      }),
      { numRuns: 60 },
    )
  })

  it('beside facts of the round, whose own id says nothing of a beatmap', () => {
    const facts = fc.constantFrom('meta', 'info', 'details', 'settings')
    const inside = fc.constantFrom<unknown>(
      { NM1: 75_001, HD1: 75_002 },
      { maps: [75_001, 75_002].map((id, at) => ({ id, mod: ['NM1', 'HD1'][at] })) },
    )
    fc.assert(
      fc.property(facts, inside, fc.integer({ min: 1, max: 999 }), (key, content, id) => {
        const text = JSON.stringify({ [key]: { name: 'Finals', id }, content })
        expect(read(text), text).toEqual({
          pools: [['Finals', ['NM1 75001', 'HD1 75002']]],
          questions: 0,
        })
      }),
      { numRuns: 20 },
    )
  })

  it('and what is said of each beatmap makes none', () => {
    const key = fc.constantFrom('category', 'skill', 'abbr', 'genre', 'type', 'title', 'mapper')
    const values = fc.constantFrom(
      ['Stream', 'Jump', 'Alt', 'Tech'],
      ['FDFD', 'BZ', 'ANIMA', 'Exit'],
      ['Nomod', 'Hidden', 'Nomod', 'Hidden'],
    )
    fc.assert(
      fc.property(key, values, (own, texts) => {
        const rows = texts.map((text, at) => ({
          pick: `NM${at + 1}`,
          id: 20_000 + at,
          [own]: text,
        }))
        expect(read(JSON.stringify(rows)).pools.length).toBe(1)
      }),
    )
  })
})

it('a number among names, without a key or a label, is a name', () => {
  const name = fc.constantFrom('Alokas', 'nouw', 'YEPSTARE', 'sami dz')
  const rows = fc
    .tuple(fc.array(name, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 20_000_000 }))
    .chain(([names, number]) =>
      fc.shuffledSubarray([...names, String(number)], { minLength: names.length + 1 }),
    )
  const forms: ((name: string, at: number) => unknown)[] = [
    (each) => each,
    (each) => [each],
    (each, at) => [each, at % 2 === 0],
    (each) => [null, each],
  ]
  fc.assert(
    fc.property(rows, fc.constantFrom(...forms), fc.boolean(), (names, form, isBelow) => {
      const list = names.map(form)
      const { pools, questions } = read(JSON.stringify(isBelow ? { last_year: list } : list))
      expect(questions > 0 || pools.every(([, slots]) => slots!.length === 0)).toBe(true)
    }),
  )
})
