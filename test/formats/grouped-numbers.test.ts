import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Import, readImport } from '../../src/formats/import/read-import.ts'

const anyIds = fc.uniqueArray(fc.integer({ min: 1_300_001, max: 7_999_999 }), {
  minLength: 1,
  maxLength: 6,
})
const group = (id: number, sign: string): string =>
  String(id).replaceAll(/(?<=[0-9])(?=(?:[0-9]{3})+$)/g, sign)
const slots = ({ pools }: Import): string[] =>
  pools.flatMap(({ draft }) =>
    draft.slots.map(({ mod, index, beatmapId }) => `${mod}${index} ${beatmapId}`),
  )
const wanted = (ids: readonly number[]): string[] => ids.map((id, at) => `NM${at + 1} ${id}`)

describe('ids with separators between their thousands', () => {
  const forms: Readonly<Record<string, (id: string, at: number) => string>> = {
    'after a label': (id, at) => `NM${at} ${id}`,
    'after a colon, with a remark': (id, at) => `NM${at}: ${id} (warm-up)`,
    'in a cell after a tab': (id, at) => `NM${at}\t${id}`,
    'in a cell in quotes': (id, at) => `NM${at},"${id}"`,
  }

  it.each(Object.entries(forms))('are whole %s', (_, form) => {
    fc.assert(
      fc.property(anyIds, fc.constantFrom(',', '.', "'", '’', '\u00a0'), (ids, sign) => {
        const text = ids.map((id, at) => form(group(id, sign), at + 1)).join('\n')
        const read = readImport(text)
        expect(slots(read)).toEqual(wanted(ids))
        expect(read.pools[0]?.lines.map((line) => line.text).join('\n')).toBe(text)
      }),
      { numRuns: 40 },
    )
  })

  it.each(["'", '’'])('are one number, and asked where it may be a score: 129%s891', (sign) => {
    const { questions } = readImport(`NM3 129${sign}891`)
    expect(questions.map((question) => question.choices[1]?.text)).toEqual(['Yes, such as 129891'])
  })

  it('are whole below a header, too, and behind the apostrophe of a spreadsheet', () => {
    const text = "Slot;Map;ID\nNM1;Tin Larks;3.141.001\nNM2;Oak;'3141002"
    expect(slots(readImport(text))).toEqual(['NM1 3141001', 'NM2 3141002'])
  })
})

describe('numbers with separators that are no ids', () => {
  const anyScore = fc.integer({ min: 100_000, max: 999_999 }).map((score) => group(score, ','))

  it('are no slots where they are results or counts', () => {
    const form = fc.constantFrom('vs', '-', '–', 'to')
    fc.assert(
      fc.property(
        fc.array(fc.tuple(anyScore, anyScore), { minLength: 1, maxLength: 4 }),
        form,
        (rows, sign) => {
          fc.pre(rows.every(([first, second]) => first !== second))
          const read = readImport(
            rows.map(([first, second], at) => `NM${at + 1} ${first} ${sign} ${second}`).join('\n'),
          )
          expect(read.questions.length === 0 ? slots(read) : []).toEqual([])
        },
      ),
      { numRuns: 100 },
    )
    expect(slots(readImport('NM1 – 5,123 viewers'))).toEqual([])
    expect(readImport('NM1: 512,345\nHD1: 1,034,567').questions).toHaveLength(1)
  })
})
