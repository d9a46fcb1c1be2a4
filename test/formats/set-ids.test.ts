import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asInPack, readImport } from '../../src/formats/import/read-import.ts'

// D-77: a set has several beatmaps. Its id or its link plans a slot of a round, whose difficulty is to be chosen, and is
// refused for a pack; it is nowhere the id of a beatmap.

const columns = [
  'Set',
  'Set ID',
  'Mapset',
  'BeatmapSet ID',
  'beatmapset_id',
  'SID',
  'Set Link',
  'Mapset URL',
  '谱面集ID',
  'セットID',
  '세트 ID',
  'ID набора',
  'ID du set',
  'ID do conjunto',
  'Link de la colección',
  'Set-Nr.',
] as const
const keys = ['beatmapset_id', 'beatmapsetId', 'setId', 'set_id', 'mapset', 'sid'] as const
const difficulties = ['Extra', 'Insane', "Ada's Expert"] as const
const labels = ['NM1', 'HD2', 'TB1']

type Sets = {
  readonly ids: readonly number[]
  readonly isLink: boolean
  readonly names: readonly string[]
}
const address = (id: number): string => `https://osu.ppy.sh/beatmapsets/${id}`
const anySets: fc.Arbitrary<Sets> = fc.record({
  ids: fc.uniqueArray(fc.integer({ min: 1000, max: 2_500_000 }), { minLength: 3, maxLength: 3 }),
  isLink: fc.boolean(),
  names: fc.array(fc.constantFrom(...difficulties), { minLength: 3, maxLength: 3 }),
})
const written = ({ ids, isLink }: Sets): readonly (number | string)[] =>
  isLink ? ids.map(address) : ids

/** What a text makes of a round and of a pack, where nothing is answered. */
const read = (text: string) => {
  const { pools, questions } = readImport(text)
  expect(questions).toEqual([])
  const lines = pools.flatMap((pool) => pool.lines)
  const outcomes = lines.map((line) => asInPack(line).outcome)
  return {
    saved: pools.flatMap(({ draft }) => draft.slots),
    refused: outcomes.filter((outcome) => outcome === 'refused').length,
    planned: pools.flatMap(({ round }) =>
      round.slots.map(({ link, details }) => [link, details?.difficulty]),
    ),
  }
}
const planned = ({ ids, names }: Sets) => ({
  saved: [],
  refused: 3,
  planned: ids.map((id, at) => [address(id), names[at]]),
})

describe('ids and links of sets in place of beatmaps', () => {
  it('plan the slots of a table, in whatever order its columns are', () => {
    const order = fc.shuffledSubarray([0, 1, 2], { minLength: 3 })
    fc.assert(
      fc.property(
        anySets,
        fc.constantFrom(...columns),
        order,
        fc.constantFrom(',', '\t', ';'),
        (sets, name, own, separator) => {
          const rows = [
            ['Slot', name, 'Difficulty'],
            ...written(sets).map((set, at) => [labels[at], set, sets.names[at]]),
          ]
          const text = rows
            .map((row) => own.map((column) => row[column]).join(separator))
            .join('\n')
          expect(read(text)).toEqual(planned(sets))
        },
      ),
    )
  })

  it('plan those of data, by a field or by a key', () => {
    fc.assert(
      fc.property(anySets, fc.constantFrom(...keys), fc.boolean(), (sets, key, isKeyed) => {
        const items = written(sets).map((set, at) => ({ [key]: set, difficulty: sets.names[at] }))
        const data = isKeyed
          ? Object.fromEntries(items.map((item, at) => [labels[at], item]))
          : items.map((item, at) => ({ slot: labels[at], ...item }))
        expect(read(JSON.stringify(data))).toEqual(planned(sets))
      }),
    )
  })

  it('plan those of lines, where they are links', () => {
    fc.assert(
      fc.property(anySets, (sets) => {
        const lines = sets.ids.map((id, at) => `${labels[at]} ${address(id)} [${sets.names[at]}]`)
        expect(read(lines.join('\n'))).toEqual(planned(sets))
      }),
    )
  })

  it('are refused where the table names no slots', () => {
    fc.assert(
      fc.property(anySets, fc.constantFrom(...columns), (sets, name) => {
        const rows = written(sets).map((set, at) => `${set},${sets.names[at]}`)
        expect(read([`${name},Difficulty`, ...rows].join('\n'))).toEqual({
          saved: [],
          refused: 3,
          planned: [],
        })
      }),
    )
  })

  it('are no matter where the beatmap has a column or a field of its own', () => {
    fc.assert(
      fc.property(
        anySets,
        fc.constantFrom(...columns),
        fc.constantFrom(...keys),
        (sets, name, key) => {
          const rows = written(sets).map((set, at) => `${labels[at]},${set},${4_000_000 + at}`)
          const items = written(sets).map((set, at) => ({
            slot: labels[at],
            [key]: set,
            beatmap_id: 4_000_000 + at,
          }))
          for (const text of [
            [`Slot,${name},Beatmap ID`, ...rows].join('\n'),
            JSON.stringify(items),
          ]) {
            const { saved, refused } = read(text)
            expect([saved.map(({ beatmapId }) => beatmapId), refused]).toEqual([
              [4_000_000, 4_000_001, 4_000_002],
              0,
            ])
          }
        },
      ),
    )
  })

  it('are no sets where the column counts them', () => {
    expect(read('Slot,Set,Title\nNM1,1,Harbour\nNM2,2,Peridot').planned).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ])
  })
})
