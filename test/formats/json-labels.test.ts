import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Import, readImport } from '../../src/formats/import/read-import.ts'
import { writeCodes, writeOverlay } from '../../src/formats/picks.ts'
import { completePool } from '../../src/pool/checks.ts'

const slotsOf = ({ pools }: Import) =>
  pools.flatMap(({ draft }) =>
    draft.slots.map(({ mod, index, beatmapId }) => `${mod ?? '-'}${index} ${beatmapId}`),
  )
const read = (data: unknown) => {
  const found = readImport(typeof data === 'string' ? data : JSON.stringify(data))
  return { slots: slotsOf(found).map((slot) => slot.toUpperCase()), questions: found.questions }
}

const anyId = fc.integer({ min: 10_000, max: 5_900_000 })
const anyCase = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.toLowerCase(),
  (text: string) => text.charAt(0) + text.slice(1).toLowerCase(),
)
const usual = ['NM', 'HD', 'HR', 'DT', 'FM', 'RC', 'LN', 'HB', 'EX', 'SV', 'MM']
/** Words of which a bucket's code may be one, none of them the name of a mod. */
const own = fc.constantFrom('ALT', 'SPECIAL', 'GIMMICK', 'TECHNICAL', 'QX')
const pools = (code: fc.Arbitrary<string>) =>
  fc
    .uniqueArray(fc.tuple(code, fc.integer({ min: 1, max: 9 })), {
      minLength: 2,
      maxLength: 6,
      selector: ([each, index]) => `${each}${index}`,
    })
    .chain((labels) =>
      fc
        .uniqueArray(anyId, { minLength: labels.length, maxLength: labels.length })
        .map((ids) =>
          labels.map(([each, index], at) => ({ label: `${each}${index}`, id: ids[at]! })),
        ),
    )
const wanted = (slots: readonly { label: string; id: number }[]) =>
  slots.map(({ label, id }) => `${label} ${id}`).toSorted()

describe('a label in data is the same in any case', () => {
  it('in a field for it, whatever the name of a mod beside it says', () => {
    const field = fc.constantFrom('code', 'pick', 'slot', 'identifier', 'label', 'name')
    const mod = fc.constantFrom(undefined, 'freemod', 'NM', 'DT')
    const any = fc.oneof(fc.constantFrom(...usual), own)
    fc.assert(
      fc.property(pools(any), field, mod, anyCase, (slots, key, name, write) => {
        const list = slots.map(({ label, id }) => ({
          [key]: write(label),
          id,
          ...(name !== undefined && { mod: name }),
        }))
        const { slots: found, questions } = read(list)
        expect([found.toSorted(), questions]).toEqual([wanted(slots), []])
      }),
    )
  })

  it('as the key of its beatmap; where it is of no usual bucket, it is asked rather than lost', () => {
    fc.assert(
      fc.property(pools(fc.constantFrom(...usual)), anyCase, (slots, write) => {
        const object = Object.fromEntries(slots.map(({ label, id }) => [write(label), id]))
        const { slots: found, questions } = read(object)
        expect([found.toSorted(), questions]).toEqual([wanted(slots), []])
      }),
    )
    fc.assert(
      fc.property(pools(own), anyId, anyCase, (slots, id, write) => {
        const pairs = slots.map((slot): [string, number] => [write(slot.label), slot.id])
        const { slots: found, questions } = read(Object.fromEntries([['nm1', id], ...pairs]))
        expect(found.length + questions.length).toBe(slots.length + 1)
      }),
    )
  })

  it('and what only counts or names something else is none', () => {
    const list = ['map1', 'player2', 'Stage 1', 'week3'].map((pick, at) => {
      return { pick, mod: 'HD', id: 20_000 + at }
    })
    expect(read(list)).toEqual({
      slots: ['HD1 20000', 'HD2 20001', 'HD3 20002', 'HD4 20003'],
      questions: [],
    })
    expect(read({ nm1: 75, team1: 129_891, map2: 129_892, v2: 3 })).toEqual({
      slots: ['NM1 75'],
      questions: [],
    })
  })
})

it('what was exported for bots and overlays comes back with the buckets of its own', () => {
  const code = fc
    .stringMatching(/^[A-Z][a-z]{4,9}$/)
    .filter((each) => !/^(?:hidden|easy)/i.test(each))
  fc.assert(
    fc.property(fc.oneof(code, fc.constantFrom('Special', 'Stage', 'Mix')), anyId, (mod, id) => {
      const pool = completePool({
        name: 'Finals',
        buckets: [{ code: mod, color: 0 }],
        slots: [
          { mod: 'NM', index: 1, beatmapId: 75 },
          { mod, index: 1, beatmapId: id },
          { mod, index: 2, beatmapId: 76 },
          { mod: 'TB', index: 1, beatmapId: 77 },
        ],
      })
      for (const write of [writeCodes, writeOverlay]) {
        const found = readImport(write(pool))
        expect(found.questions).toEqual([])
        expect(slotsOf(found)).toEqual(['NM1 75', `${mod}1 ${id}`, `${mod}2 76`, 'TB1 77'])
      }
    }),
  )
})
