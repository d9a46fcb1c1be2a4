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

describe('a row without a slot among rows that have one each', () => {
  const custom: Readonly<Record<string, string>> = { NM: 'RC', HD: 'LN', HR: 'GIM' }
  const pool = fc
    .tuple(
      anyPool.filter((rows) => rows.length > 3),
      fc.boolean(),
    )
    .map(([rows, isOwn]) =>
      rows.map((row) => ({ ...row, code: (isOwn ? custom[row.code] : undefined) ?? row.code })),
    )
  const head = fc.constantFrom([], [['Slot', 'Title', 'SR', 'Beatmap ID']])
  /** What stands in the places of the label and the title. */
  const words = fc.constantFrom(
    ['', ''],
    ['Mappack', ''],
    ['(backup)', ''],
    ['Showcase', ''],
    ['', 'Showcase replayer:'],
    ['', '(backup)'],
  )
  const id = fc.integer({ min: 6_000_000, max: 7_000_000 })

  it('is asked where it is below a tiebreaker or has no title', () => {
    fc.assert(
      fc.property(
        pool,
        head,
        words,
        id,
        aSeparator,
        (rows, header, [label = '', title = ''], id, s) => {
          const isBelow = title === '' || rows.at(-1)!.code === 'TB'
          const text = written([...header, ...cellsOf(rows), [label, title, '6.2', String(id)]], s)
          const read = readImport(text)
          const own = slotsOf(read).flatMap(([, slots]) => slots)
          const isNew = (slot: string) => isBelow || !slot.startsWith('null')
          expect([text, own.filter(isNew)]).toEqual([text, wanted(rows)])
          const line = rows.length + header.length + 1
          if (isBelow) expect(read.questions.map(({ lines }) => lines)).toEqual([[line]])
        },
      ),
    )
  })

  it('is left out where it has the average or the sum of the ids', () => {
    fc.assert(
      fc.property(pool, head, fc.boolean(), aSeparator, (rows, header, isSum, s) => {
        const sum = rows.reduce((total, { beatmapId }) => total + beatmapId, 0)
        fc.pre(!isSum || sum < 20_000_000)
        const id = isSum ? sum : Math.round(sum / rows.length)
        const text = written([...header, ...cellsOf(rows), ['Mappack', '', '6.2', String(id)]], s)
        const read = readImport(text)
        expect([text, slotsOf(read), read.questions]).toEqual([text, [[null, wanted(rows)]], []])
      }),
    )
  })

  it('goes on with the bucket above where rows have no numbers of their own', () => {
    const text = 'NM\tA - B\t129891\n\tC - D\t129892\nTB\tE - F\t129893\n\tG - H\t129894'
    expect(pasted(text)).toEqual(['NM1=129891', 'NM2=129892', 'TB=129893', 'TB2=129894'])
  })
})

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
