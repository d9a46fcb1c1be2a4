import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'

const buckets = [
  ['NoMod', 'NM'],
  ['Hidden', 'HD'],
  ['HardRock', 'HR'],
  ['DT', 'DT'],
  ['FreeMod', 'FM'],
  ['Tiebreaker', 'TB'],
] as const
/** How a post has the name of a bucket, and what ends its part. */
const marks: readonly (readonly [before: string, behind: string, end: string])[] = [
  ['[box=', ']', '[/box]'],
  ['[spoilerbox=', ']', '[/spoilerbox]'],
  ['[heading]', '[/heading]', ''],
  ['[b]', '[/b]', ''],
  ['[b]', ':[/b] ', ''],
  ['[b][u]', '[/u][/b]: ', ''],
  ['[size=120][b]', '[/b][/size]', ''],
  ['[notice][heading]', '[/heading]', '[/notice]'],
  ['**', '** ', ''],
  ['__**', '**__: ', ''],
]
const items: readonly ((id: number) => string)[] = [
  (id) => `[url=https://osu.ppy.sh/b/${id}]Kite - Lamp[/url]`,
  (id) => `https://osu.ppy.sh/b/${id}`,
  (id) => `[Kite - Lamp](https://osu.ppy.sh/b/${id})`,
]

describe('the name of a bucket in front of its first beatmap', () => {
  it('is its heading, whatever marks it up and wherever lines end', () => {
    const post = fc.record({
      own: fc.subarray([...buckets], { minLength: 2 }),
      counts: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 6, maxLength: 6 }),
      mark: fc.constantFrom(...marks),
      item: fc.constantFrom(...items),
      isApart: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
    })
    fc.assert(
      fc.property(post, ({ own, counts, mark: [before, behind, end], item, isApart }) => {
        let id = 75_000
        const wanted: string[] = []
        const parts = own.map(([name, code], at) => {
          const lines = Array.from({ length: counts[at]! }, (_, place) => {
            id += 1
            wanted.push(`${code}${place + 1} ${id}`)
            return item(id)
          })
          return `${before}${name}${behind}${isApart[at]! ? '\n' : ''}${lines.join('\n')}${end}`
        })
        const { pools, questions } = readImport(parts.join('\n'))
        const slots = pools.flatMap(({ draft }) =>
          draft.slots.map(({ mod, index, beatmapId }) => `${mod}${index} ${beatmapId}`),
        )
        expect([slots, questions]).toEqual([wanted, []])
      }),
      { numRuns: 300 },
    )
  })
})
