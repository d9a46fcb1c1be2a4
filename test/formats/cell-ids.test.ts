import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pasted } from './pasted-text.ts'

const anyId = fc.integer({ min: 1_400_000, max: 7_999_999 }).filter((id) => id % 1000 > 0)
const anyIds = fc.uniqueArray(anyId, { minLength: 5, maxLength: 5 })
const anyWord = fc.constantFrom(
  ...'new old was now changed backup maybe alt osu ID bm TBD Oak (Extra) [Insane] - / | → 6.32* (6.1*) neu nuevo 待定'.split(
    ' ',
  ),
)
const anySide = fc.array(anyWord, { maxLength: 2 }).map((words) => words.join(' '))
const anyGap = fc.constantFrom(' ', ': ', ' (', '/', ' - ', '')

/** A table whose second row has this cell in the column of its ids. */
const tables: Readonly<Record<string, (ids: readonly number[], cell: string) => string>> = {
  'the id of a map': ([a, b, c], cell) =>
    [
      'Slot\tMap ID\tTitle',
      `NM1\t${a}\tElm`,
      `NM2\t${cell}\tAsh`,
      `HD1\t${b}\tYew`,
      `TB\t${c}\tFir`,
    ].join('\n'),
  'an id, behind the title': ([a, b, c], cell) =>
    [
      'Pick\tTitle\tID',
      `NM1\tElm\t${a}`,
      `NM2\tAsh\t${cell}`,
      `HD1\tYew\t${b}`,
      `TB\tFir\t${c}`,
    ].join('\n'),
  'a mod and a number': ([a, b, c], cell) =>
    ['Mod\tIndex\tBeatmap ID', `NM\t1\t${a}`, `NM\t2\t${cell}`, `HD\t1\t${b}`, `TB\t1\t${c}`].join(
      '\n',
    ),
}

describe.each(Object.entries(tables))('a cell of ids in a table of %s', (_, table) => {
  const rowOf = (ids: readonly number[], cell: string): string => {
    const rows = pasted(table(ids, cell))
    return rows.find((row) => row.startsWith('NM2') || row.startsWith('3')) ?? 'nothing'
  }

  it('is no plan where it holds an id and something else', () => {
    fc.assert(
      fc.property(anyIds, anySide, anyGap, anySide, (ids, before, gap, after) => {
        const id = ids[3]!
        const cell = `${before}${before === '' ? '' : gap}${id}${after === '' ? '' : ' '}${after}`
        const row = rowOf(ids, cell)
        const isTold = row.includes(`${id}`) || row.startsWith('3: ')
        expect({ cell, row, isTold }).toEqual({ cell, row, isTold: true })
        const hasWords = /\p{L}{2}/u.test(before + after)
        if (hasWords)
          expect({ cell, row }).toEqual({ cell, row: expect.stringMatching(/^(?!NM2:|3:)/) })
      }),
      { numRuns: 100, endOnFailure: true },
    )
  })

  it('is asked which of two ids it means', () => {
    fc.assert(
      fc.property(anyIds, anyGap, anySide, (ids, gap, between) => {
        const [, , , one, other] = ids
        const cell = `${one}${gap} ${between}${between === '' ? '' : ' '}${other}`
        const row = rowOf(ids, cell)
        expect({ cell, row }).toEqual({ cell, row: expect.stringMatching(/^3\? /) })
        for (const id of [one, other]) expect(row).toContain(`NM2 is ${id}`)
      }),
      { numRuns: 100, endOnFailure: true },
    )
  })

  it('says the same as the line of its slot where that is certain', () => {
    fc.assert(
      fc.property(anyIds, anySide, anySide, (ids, before, after) => {
        const cell = `${before} ${ids[3]} ${after}`.trim()
        const [line] = pasted(`NM2 ${cell}`)
        const row = rowOf(ids, cell)
        if (/^3[?:] /.test(row)) return
        expect({ cell, row }).toEqual({ cell, row: line })
      }),
      { numRuns: 100, endOnFailure: true },
    )
  })
})

describe('a slot with two ids in cells of their own', () => {
  it.each([', ', '; ', ' | ', '\t', ', Ash, '])('is asked which one it is: “%s”', (separator) => {
    fc.assert(
      fc.property(anyIds, fc.constantFrom(' ', ': ', ' - '), ([a, b, c, d], gap) => {
        const text = [`NM1${gap}${a}`, `NM2${gap}${b}${separator}${c}`, `HD1${gap}${d}`].join('\n')
        const rows = pasted(text)
        const row = rows.find((each) => each.startsWith('2')) ?? rows.join()
        expect({ text, row }).toEqual({ text, row: expect.stringMatching(/^2\? /) })
        for (const id of [b, c]) expect(row).toContain(`${id}`)
      }),
      { numRuns: 20, endOnFailure: true },
    )
  })
})
