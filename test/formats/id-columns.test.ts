import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { roleOf } from '../../src/formats/import/tables/column-names.ts'
import { readImport } from '../../src/formats/import/read-import.ts'
import { slotLabel } from '../../src/pool/slots.ts'
import { anyPool } from './table-shapes.ts'

const anyCell = (id: number) =>
  fc.oneof(
    fc.constantFrom(
      String(id),
      `#${id}`,
      `${String(id)[0]}.${String(id).slice(1)}E+0${String(id).length - 1}`,
    ),
    fc.constantFrom(
      '99999999999',
      '3000000000',
      '12x',
      '1.2E+06',
      '#12x',
      '-5',
      'TBA',
      'due Sunday',
    ),
  )

it.each(['ID', 'Beatmap ID', 'Map ID'])('reads each cell below %s by itself', (title) => {
  const anyTable = anyPool.chain((rows) =>
    fc.tuple(fc.constant(rows), fc.tuple(...rows.map(({ beatmapId }) => anyCell(beatmapId)))),
  )
  fc.assert(
    fc.property(anyTable, ([rows, cells]) => {
      const body = rows.map(({ code, index }, at) => `Finals\t${code}${index}\t${cells[at]}`)
      const text = [`Round\tSlot\t${title}`, ...body].join('\n')
      const { pools, others } = readImport(text)
      const lines = [...pools.flatMap((pool) => pool.lines), ...others]
      for (const [at, { beatmapId }] of rows.entries()) {
        const cell = cells[at]!
        const line = lines.find((each) => each.line === at + 2)
        const isIntact = cell.replaceAll(/[#.]|E.*/g, '') === String(beatmapId)
        if (isIntact) expect({ text, line }).toMatchObject({ text, line: { beatmapId } })
        else if (/^(?:TBA|due)/.test(cell))
          expect(line).toMatchObject({ outcome: 'planned', filling: { placeholder: cell } })
        else expect({ text, line }).toMatchObject({ text, line: { outcome: 'refused' } })
      }
    }),
    { numRuns: 60, endOnFailure: true },
  )
})

it.each([
  ['beatmap id', 'beatmap'],
  ['what is the current map id', 'beatmap'],
  ['what is the current final map id', undefined],
  ['which is our current final map id', undefined],
])('a sentence of more than six words is no name of a column: %s', (cell, role) => {
  expect(roleOf(cell)).toBe(role)
})

describe('the id and the link of a slot', () => {
  type Row = { readonly slot: string; readonly id: number; readonly link: number }
  const linkTo = (id: number): string => `https://osu.ppy.sh/b/${id}`
  const forms: Readonly<Record<string, (rows: readonly Row[]) => string>> = {
    'a table': (rows) =>
      [
        'Mod\tID\tLink',
        ...rows.map(({ slot, id, link }) => `${slot}\t${id}\t${linkTo(link)}`),
      ].join('\n'),
    'a table, the link first': (rows) =>
      [
        'Link,Slot,ID,Title',
        ...rows.map(({ slot, id, link }) => `${linkTo(link)},${slot},${id},Low Tide`),
      ].join('\n'),
    data: (rows) =>
      JSON.stringify(rows.map(({ slot, id, link }) => ({ slot, id, link: linkTo(link) }))),
  }
  const anyRows = fc
    .uniqueArray(fc.integer({ min: 100_000, max: 5_900_000 }), { minLength: 4, maxLength: 9 })
    .map((ids) => ids.map((id, at): Row => ({ slot: `NM${at + 1}`, id, link: id })))
  const read = (text: string) => {
    const { pools, questions } = readImport(text)
    const slots = pools.flatMap(({ draft }) => draft.slots)
    return {
      slots: slots.map((each) => `${slotLabel(each)} ${each.beatmapId}`),
      asked: questions.map(({ choices }) => choices.map((each) => each.text)),
    }
  }

  it.each(Object.entries(forms))(
    'are asked about where they differ from those of others: %s',
    (_, form) => {
      fc.assert(
        fc.property(
          anyRows,
          fc.nat(),
          fc.integer({ min: 6_000_000, max: 6_999_999 }),
          (rows, at, other) => {
            const own = rows.map((row, place) =>
              place === at % rows.length ? { ...row, id: other } : row,
            )
            const wanted = rows.filter((_, place) => place !== at % rows.length)
            const { slots, asked } = read(form(own))
            expect(slots).toEqual(wanted.map(({ slot, link }) => `${slot} ${link}`))
            const { link } = rows[at % rows.length]!
            expect(asked).toEqual([[`The link, ${link}`, `The id ${other}`, 'Leave this line out']])
          },
        ),
        { numRuns: 15 },
      )
    },
  )

  it.each(Object.entries(forms))(
    'are one beatmap without a question where the ids are of sets or of rows: %s',
    (_, form) => {
      const ids = [2_345_671, 2_345_672, 2_345_673]
      for (const others of [ids, [1, 2, 3], [100_001, 100_002, 100_003]]) {
        const rows = ids.map((link, at) => ({ slot: `NM${at + 1}`, id: others[at]!, link }))
        expect(read(form(rows))).toEqual({
          slots: rows.map(({ slot, link }) => `${slot} ${link}`),
          asked: [],
        })
      }
    },
  )
})

it('heads the rows below with its bucket, whether its beatmap was asked or not', () => {
  fc.assert(
    fc.property(anyPool, fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }), (pool, both) => {
      const codes = [...new Set(pool.map(({ code }) => code))]
      const rows = pool.map(({ code, index, beatmapId }) =>
        index > 1
          ? ['', `${beatmapId}`, '']
          : [code, `${beatmapId}`, both[codes.indexOf(code)] === true ? `${beatmapId + 1}` : ''],
      )
      const text = [['Slot', 'ID', 'ID'], ...rows].map((row) => row.join('\t')).join('\n')
      const { pools } = readImport(text, { answers: new Map([['*', 'a']]) })
      const slots = pools.flatMap(({ draft }) =>
        draft.slots.map((slot) => `${slotLabel(slot)} ${slot.beatmapId}`),
      )
      const expected = pool.map((row) => `${slotLabel({ ...row, mod: row.code })} ${row.beatmapId}`)
      expect([text, slots.toSorted()]).toEqual([text, expected.toSorted()])
    }),
  )
})
