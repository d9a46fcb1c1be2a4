import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { roleOf } from '../../src/formats/import/tables/column-names.ts'
import { readImport } from '../../src/formats/import/read-import.ts'
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
