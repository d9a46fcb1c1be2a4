import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Import, readImport } from '../../src/formats/import/read-import.ts'
import { pasted } from './pasted-text.ts'
import { anyPool as anyRows, type Row } from './table-shapes.ts'

/** Ids up to a million may be scores. */
const anyPool = anyRows.filter((rows) => rows.some(({ beatmapId }) => beatmapId > 1_000_000))

const slotsOf = ({ pools }: Import) =>
  pools.map(({ name, draft }): [name: string | null, slots: string[]] => [
    name,
    draft.slots.map(({ mod, index, beatmapId }) => `${mod}${index} ${beatmapId}`),
  ])
const wanted = (rows: readonly Row[]) =>
  rows.map(({ code, index, beatmapId }) => `${code}${index} ${beatmapId}`)
const labelOf = ({ code, index }: Row) => (code === 'TB' ? code : `${code}${index}`)
/** Each row has the label, the title, the stars and the id. */
const cellsOf = (rows: readonly Row[]) =>
  rows.map((row) => [labelOf(row), row.title, '6.05', String(row.beatmapId)])
const aSeparator = fc.constantFrom(',', '\t', ';')
const written = (rows: readonly (readonly string[])[], separator: string) =>
  rows.map((cells) => cells.join(separator)).join('\n')

describe('a column without a name', () => {
  it('has rounds where it has names of rounds alone, in each row or in the first', () => {
    const names = fc.shuffledSubarray(['ROUND OF 32', 'Quarterfinals', 'SF', 'Week 2', 'Finals'], {
      minLength: 1,
      maxLength: 3,
    })
    const head = fc.constantFrom([], [['', 'Slot', 'Title', 'SR', 'Beatmap ID']])
    fc.assert(
      fc.property(
        names,
        anyPool,
        head,
        fc.boolean(),
        aSeparator,
        (rounds, rows, header, isMerged, s) => {
          const pools = rounds.map((name, n) => ({
            name,
            own: rows.map((row) => ({ ...row, beatmapId: row.beatmapId + n * 7 })),
          }))
          const body = pools.flatMap(({ name, own }) =>
            cellsOf(own).map((cells, at) => [isMerged && at > 0 ? '' : name, ...cells]),
          )
          const text = written([...header, ...body], s)
          const expected = pools.map(({ name, own }) => [name, wanted(own)])
          expect([text, slotsOf(readImport(text))]).toEqual([text, expected])
        },
      ),
    )
  })

  it('has the labels of new buckets, wherever it is', () => {
    const codes = fc.subarray(['RC', 'LN', 'HB', 'TECH', 'GIM', 'AB'], { minLength: 2 })
    const place = fc.constantFrom([0, 1, 2], [1, 0, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1])
    fc.assert(
      fc.property(
        codes,
        fc.integer({ min: 1, max: 3 }),
        place,
        aSeparator,
        (own, count, order, s) => {
          const rows = own.flatMap((code, at) =>
            Array.from({ length: count }, (_, n) => [
              `${code}${n + 1}`,
              String(5_400_000 + at * 10 + n),
              'Unit B - Paper Zeppelin',
            ]),
          )
          const text = written(
            rows.map((row) => order.map((at) => row[at]!)),
            s,
          )
          const slots = rows.map(([label, id]) => `${label} ${id}`)
          expect([text, slotsOf(readImport(text))]).toEqual([text, [[null, slots]]])
        },
      ),
    )
  })
})

it('refuses a cell of two ids below a header, also in the only row', () => {
  const [refusal, ...more] = pasted('Slot\tBeatmap ID\nNM1\t"75\n76"')
  expect([refusal, more]).toEqual([expect.stringContaining('2: No beatmap id'), []])
})
