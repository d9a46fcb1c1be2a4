import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'

const idsOf = (text: string): string[] =>
  readImport(text).pools.flatMap(({ round }) =>
    round.slots.map(({ mod, index, beatmapId }) => `${mod}${index} ${beatmapId ?? 'planned'}`),
  )
const anyBuckets = fc.shuffledSubarray(['NM', 'HD', 'HR', 'DT', 'FM'], { minLength: 2 })
const anySeparator = fc.constantFrom(',', '\t', ';')

it('joins no two tables in which buckets begin again, and tables that go on', () => {
  const middles = [['Mod', 'ID'], ['', ''], null]
  fc.assert(
    fc.property(
      anyBuckets.chain((codes) =>
        fc.tuple(fc.constant(codes), fc.shuffledSubarray(codes, { minLength: 2 })),
      ),
      anySeparator,
      fc.constantFrom(...middles),
      fc.boolean(),
      ([codes, again], separator, middle, isNumbered) => {
        const rows = (own: readonly string[], id: number, n: number): string[] =>
          own.map((code, at) => `${code}${isNumbered ? n : ''}${separator}${id + at}`)
        const head = `Mod${separator}ID`
        const between = middle === null ? ['', head] : [middle.join(separator)]
        // Without a header, only what begins in the same order begins again.
        const second = middle?.[0] === '' ? codes : again
        const text = [head, ...rows(codes, 129891, 1), ...between, ...rows(second, 131891, 2)]
        const { questions } = readImport(text.join('\n'))
        expect(questions.length, text.join('\n')).toBe(isNumbered ? 0 : 1)
        if (isNumbered) expect(idsOf(text.join('\n'))).toHaveLength(codes.length + second.length)
      },
    ),
  )
})

it('names rounds by the rows of one cell above buckets that come again', () => {
  const text = 'Mod,ID\nGold,\nNM,129891\nHD,129892\nSilver,\nNM,129893\nHD,129894\n'
  expect(readImport(text).pools.map(({ name }) => name)).toEqual(['Gold', 'Silver'])
})

it('takes no id of a column of sets for a beatmap', () => {
  for (const name of [
    '비트맵셋',
    '맵셋',
    '譜面セット',
    '谱面集',
    'Набор карт',
    'Jeu de beatmaps',
  ]) {
    const { pools } = readImport(`Slot,${name},Title\nNM1,542902,x\n`)
    const ids = pools.flatMap(({ round }) => round.slots.map(({ beatmapId }) => beatmapId))
    expect(
      ids.filter((id) => id === 542902),
      name,
    ).toEqual([])
  }
})
