import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'
import { slotLabel } from '../../src/pool/slots.ts'

const read = (rows: readonly (readonly string[])[]) => {
  const { pools, questions } = readImport(rows.map((row) => row.join(',')).join('\n'))
  expect(questions).toEqual([])
  return Object.fromEntries(
    pools.map(({ name, round }) => [
      name,
      Object.fromEntries(round.slots.map((slot) => [slotLabel(slot), slot.beatmapId])),
    ]),
  )
}

const header = ['Round', 'Mod', 'Map ID']

it('a merged cell of mods goes on in rows of other rounds, which take turns below it', () => {
  const rows = [
    ['QF', 'NM', '2547849'],
    ['SF', '', '2547850'],
    ['QF', '', '2547851'],
    ['SF', '', '2547852'],
    ['QF', 'HD', '2547853'],
    ['SF', '', '2547854'],
  ]
  expect(read([header, ...rows])).toEqual({
    QF: { NM1: 2_547_849, NM2: 2_547_851, HD1: 2_547_853 },
    SF: { NM1: 2_547_850, NM2: 2_547_852, HD1: 2_547_854 },
  })
})

it('a sheet that is sorted by mods is the same with its cells merged or not, in any order of its columns', () => {
  const names = fc.subarray(['QF', 'SF', 'Finals'], { minLength: 2 })
  const counts = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 2, maxLength: 4 })
  const order = fc.shuffledSubarray([0, 1, 2], { minLength: 3 })
  const property = fc.property(
    names,
    counts,
    order,
    fc.boolean(),
    (rounds, sizes, columns, isTurn) => {
      let id = 2_547_849
      const buckets = sizes.map((size, at) => {
        const places = Array.from({ length: size }, () => rounds).flat()
        const own = isTurn
          ? places
          : places.toSorted((a, b) => rounds.indexOf(a) - rounds.indexOf(b))
        return { code: ['NM', 'HD', 'HR', 'DT'][at]!, rounds: own }
      })
      const rows = (isMerged: boolean): string[][] => {
        id = 2_547_849
        return buckets.flatMap(({ code, rounds: own }) =>
          own.map((round, at) => [round, isMerged && at > 0 ? '' : code, String((id += 37))]),
        )
      }
      const written = (isMerged: boolean) =>
        [header, ...rows(isMerged)].map((row) => columns.map((column) => row[column]!))
      expect(read(written(true))).toEqual(read(written(false)))
    },
  )
  fc.assert(property)
})
