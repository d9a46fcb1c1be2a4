import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'

const labels = ['NM1', 'NM2', 'HD1', 'HR1', 'DT1', 'TB']
const anyIds = fc.uniqueArray(fc.integer({ min: 1_300_001, max: 5_999_999 }), {
  minLength: 12,
  maxLength: 12,
})
const anyTitle = fc.constantFrom('The Harbour', 'Old Lighthouse', 'Part one: tides', '항구의 밤')

type Row = { readonly label: string; readonly id: number }
const rowsOf = (ids: readonly number[]): Row[] =>
  labels.map((label, at) => ({ label, id: ids[at]! }))

/** What is read, and whether anything of it is refused or asked. */
const read = (text: string) => {
  const { pools, others, questions } = readImport(text)
  const lines = [...pools.flatMap((pool) => pool.lines), ...others]
  return {
    isWhole: questions.length === 0 && lines.every(({ outcome }) => outcome !== 'refused'),
    pools: pools.map(({ name, draft }) => ({
      name,
      slots: draft.slots.map(({ mod, index, beatmapId }) => `${mod}${index} ${beatmapId}`),
    })),
  }
}
const plainly = (rows: readonly Row[]) =>
  rows.map(({ label, id }) => `${label === 'TB' ? 'TB1' : label} ${id}`)

/** Each writes a pool so that it says the same as `NM1 129891`, line by line. */
const ways: Readonly<Record<string, (row: Row) => string>> = {
  'with the link broken after a slash, as in a PDF': ({ label, id }) =>
    `${label} Artist - Title\nhttps://osu.ppy.sh/beatmapsets/\n2095112#osu/${id}`,
  'with the short link broken': ({ label, id }) => `${label}\nhttps://osu.ppy.sh/b/\n${id}`,
  'with an emoji of the bucket in front': ({ label, id }) =>
    `<:${label.slice(0, 2).toLowerCase()}:123456789012345678> **${label}** | [Artist - Title](<https://osu.ppy.sh/b/${id}>)`,
  'with an emoji for the label': ({ label, id }) =>
    `<:${label}:123456789012345678> https://osu.ppy.sh/b/${id}`,
  'with mods after the id': ({ label, id }) => `${label} ${id} +HDHR`,
  'as a block, with title, artist and mapper': ({ label, id }) =>
    `${label}\nTitle of it\nby Artist\nmapped by Somebody\nhttps://osu.ppy.sh/b/${id}`,
  'as a block of three lines, with a bare id': ({ label, id }) => `${label}\nTitle of it\n${id}`,
}

describe('a pool is read as it is meant, without a question (D-90)', () => {
  it.each(Object.entries(ways))('%s', (_, way) => {
    fc.assert(
      fc.property(anyIds, (ids) => {
        const rows = rowsOf(ids)
        const { pools, isWhole } = read(rows.map(way).join('\n'))
        expect(isWhole).toBe(true)
        expect(pools.flatMap(({ slots }) => slots)).toEqual(plainly(rows))
      }),
      { numRuns: 30 },
    )
  })

  it('keeps the numbers of lines, and their text as it was written', () => {
    const text = '<:nm:123456789012345678> NM1 | https://osu.ppy.sh/b/1300001\nNM2 1,300,002'
    const [pool] = readImport(text).pools
    expect(pool!.lines.map(({ line, text: own }) => [line, own])).toEqual(
      text.split('\n').map((own, at) => [at + 1, own]),
    )
  })
})

describe('labels that begin anew begin another pool (D-90)', () => {
  const namesOf = (one: string, other: string): string[] => (one === other ? [one] : [one, other])

  it('below titles that are no usual names of rounds', () => {
    fc.assert(
      fc.property(anyIds, anyTitle, anyTitle, (ids, one, other) => {
        fc.pre(namesOf(one, other).length === 2)
        const [first, second] = [rowsOf(ids.slice(0, 6)), rowsOf(ids.slice(6))]
        const list = (rows: readonly Row[]) => rows.map(({ label, id }) => `${label} ${id}`)
        const text = [one, ...list(first), '', other, ...list(second)].join('\n')
        expect(read(text)).toEqual({
          isWhole: true,
          pools: [
            { name: one, slots: plainly(first) },
            { name: other, slots: plainly(second) },
          ],
        })
      }),
      { numRuns: 30 },
    )
  })

  it('but a remark between the slots of one pool begins none', () => {
    const rows = rowsOf(Array.from({ length: 6 }, (_, at) => 1_300_001 + at))
    const lines = rows.map(({ label, id }) => `${label} ${id}`)
    const text = [...lines.slice(0, 3), 'these are not final', ...lines.slice(3)].join('\n')
    expect(read(text).pools).toEqual([{ name: null, slots: plainly(rows) }])
  })

  it('in each of several lists of JSON, one after the other', () => {
    fc.assert(
      fc.property(anyIds, (ids) => {
        const pools = [rowsOf(ids.slice(0, 6)), rowsOf(ids.slice(6))]
        const text = pools
          .map((rows) => JSON.stringify(rows.map(({ label, id }) => ({ slot: label, id }))))
          .join('\n')
        const wanted = pools.map((rows) => ({ name: null, slots: plainly(rows) }))
        expect(read(text)).toEqual({ isWhole: true, pools: wanted })
      }),
      { numRuns: 30 },
    )
  })
})

describe('numbers that are those of something else are asked or refused (D-90)', () => {
  it.each([
    ['seats of groups in JSON', '{"A1": 1234567, "A2": 2234567, "B1": 3234567}'],
    ['the set in the name of an .osz file', 'NM1 2095112 Artist - Title.osz'],
  ])('%s', (_, text) => {
    const { isWhole } = read(text)
    expect(isWhole).toBe(false)
  })

  it('not where usual buckets are beside seats', () => {
    const text = '{"A1": 1234567, "NM1": 2234567, "HD1": 3234567}'
    expect(read(text).isWhole).toBe(true)
  })
})
