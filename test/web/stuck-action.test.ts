import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RoundInput } from '../../src/contract/rounds.ts'
import { bucketCell, cellsOf, fieldCell, ORDER, textOf } from '../../src/web/editing/changes.ts'
import { valueWords } from '../../src/web/tournament-edit/stuck-action.tsx'
import { anyOf } from '../support/any-of-schema.ts'

const words = (cell: string, value: unknown): string | null =>
  valueWords(cell, textOf(value), (id) => `Beatmap ${id}`)

describe('what is in the way of a change', () => {
  it('is told in words, whatever part of a round it is of', () => {
    fc.assert(
      fc.property(anyOf(RoundInput) as fc.Arbitrary<RoundInput>, (input) => {
        const { buckets = [], slots = [], ...fields } = input
        const keyed = slots.map((slot, key) => ({ ...slot, key }))
        for (const [cell, value] of cellsOf({ ...fields, buckets, slots: keyed })) {
          // A link may have such signs.
          const text = words(cell, JSON.parse(value))?.replaceAll(/https:\S*/g, '')
          if (cell !== ORDER) expect(text, cell).not.toMatch(/["{}]/)
        }
      }),
    )
  })

  it.each([
    [bucketCell('RC'), { code: 'RC', color: 3 }, 'lime'],
    [bucketCell('RC'), { code: 'RC', color: 3, mods: { kind: 'free' } }, 'lime, free mods'],
    [
      bucketCell('RC'),
      { code: 'RC', color: 0, mods: { kind: 'forced', set: ['HD', 'DT'] } },
      'green, HDDT',
    ],
    [fieldCell('bestOf'), 11, '11'],
    [fieldCell('name'), 'Finals', 'Finals'],
    ['slot NM 1', { beatmapId: 75 }, 'Beatmap 75'],
  ])('as %s is: %j', (cell, value, expected) => {
    expect(words(cell, value)).toBe(expected)
  })
})
