import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'
import { readingCases, wholeReading } from './whole-readings.ts'

const cases = readingCases((file) => file === 'data.txt')

describe('all that is read of JSON that was found somewhere, and what each answer makes of it', () => {
  it.each(cases)('$name', ({ text, options, reading }) => {
    expect(wholeReading(text, options)).toBe(reading)
  })
})

it('JSON is read the same with other white space, and its questions too', () => {
  for (const { text, name } of cases) {
    if (/sentence|comma|line each|ids as keys/.test(name)) continue
    const read = (json: string) => {
      const { pools, questions, notes } = readImport(json)
      const asked = questions.map((question) => ({ ...question, lines: [] }))
      return { drafts: pools.map(({ draft }) => draft), asked, notes: notes.map(withoutLine) }
    }
    expect(read(JSON.stringify(JSON.parse(text), null, 2)), name).toEqual(read(text))
  }
})

/** Rows of some slots, by the number of each. */
const numberedRows: readonly [string, (ids: readonly number[]) => unknown][] = [
  ['in `id`', (ids) => ids.map((id, at) => ({ id, slot: `NM${at + 1}` }))],
  ['in `id`, beside mods', (ids) => ids.map((id) => ({ mod: 'HD', id }))],
  ['in `ID` below a bucket', (ids) => ({ NM: ids.map((ID) => ({ ID })), HD: [{ ID: ids[0] }] })],
  ['in `id` of each round', (ids) => ({ RO16: named(ids), QF: named(ids) })],
  ['in a table', (ids) => ({ columns: ['id', 'slot'], data: pairs(ids) })],
  ['in pairs', pairs],
  ['as keys', (ids) => Object.fromEntries(pairs(ids).map(([id, slot]) => [id, { slot }]))],
]
const named = (ids: readonly number[]) => ids.map((id, at) => ({ id, code: `NM${at + 1}` }))
function pairs(ids: readonly number[]): [number, string][] {
  return ids.map((id, at) => [id, `NM${at + 1}`])
}

it.each(numberedRows)('numbers %s are beatmaps unless they count the rows', (name, rowsOf) => {
  const slotsOf = (ids: readonly number[]) =>
    readImport(JSON.stringify(rowsOf(ids))).pools.flatMap(({ round }) => round.slots)
  for (const first of [0, 1]) {
    const counted = [3, 4, 9].map((n) => slotsOf(Array.from({ length: n }, (_, at) => first + at)))
    expect(counted.map((slots) => slots.length)).not.toContain(0)
    expect(counted.flat().filter(({ beatmapId }) => beatmapId !== undefined)).toEqual([])
  }
  const others = [[1], [75, 76], [1, 3], [2, 3], [1, 1], [3, 75, 4]]
  for (const ids of others) {
    const found = slotsOf(ids).flatMap(({ beatmapId }) => beatmapId ?? [])
    // At labels alone, such numbers are asked about.
    const slots = { 'in pairs': ids.length, 'as keys': new Set(ids).size }[name] ?? 0
    const isAsked = slots > 1 && ids.every((id) => id < 50)
    expect(new Set(found)).toEqual(new Set(isAsked ? [] : ids))
  }
})

const withoutLine = (note: string): string => note.replace(/^Line \d+: /, '')
