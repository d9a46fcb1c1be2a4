import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'

const read = (data: unknown) => {
  const { pools, others, questions } = readImport(JSON.stringify(data))
  const slots = pools.flatMap(({ round }) =>
    round.slots.map(({ mod, index, beatmapId }) => `${mod ?? '-'}${index} ${beatmapId ?? '-'}`),
  )
  const lines = [...pools.flatMap((pool) => pool.lines), ...others]
  const refused = lines.filter(({ outcome }) => outcome === 'refused')
  return { slots, questions: questions.map(({ text }) => text), refused: refused.length }
}

const labels = ['NM1', 'NM2', 'HD1', 'HR1', 'DT1', 'TB1'] as const
const anyKey = fc.oneof(
  fc.stringMatching(/^x[a-z]{0,6}z$/),
  fc.constantFrom(
    'slot',
    'mod',
    'code',
    'id',
    'beatmap',
    'map',
    'data',
    'info',
    'pool',
    'tags',
    'name',
    'node',
    'entry',
  ),
)
const anyPath = fc.array(anyKey, { minLength: 1, maxLength: 3 })
/** Numbers below `tags` are no ids. */
const pathOfId = anyPath.filter((path) => !path.includes('tags'))
const inside = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight((inner, key) => ({ [key]: inner }), value)

describe('an object about one beatmap', () => {
  it('has its label and its id at any depth below any keys: read, asked or refused, and never lost', () => {
    const written = fc.constantFrom(
      (label: string): unknown => label,
      (label: string) => [label],
      (label: string) => ({ mod: label.slice(0, 2), number: Number(label.slice(2)) }),
      (label: string) => ({ mod: { acronym: label.slice(0, 2) }, index: Number(label.slice(2)) }),
      (label: string) => ({ name: label }),
    )
    const property = fc.property(
      anyPath,
      pathOfId,
      written,
      fc.constantFrom('list', 'keys'),
      fc.integer({ min: 2, max: 6 }),
      (ofLabel, ofId, write, shape, count) => {
        fc.pre(ofLabel[0] !== ofId[0])
        const wanted = labels.slice(0, count).map((label, at) => ({ label, id: 1_400_000 + at }))
        const objects = wanted.map(({ label, id }) =>
          Object.assign({}, inside(ofLabel, write(label)), inside(ofId, id)),
        )
        const data =
          shape === 'list'
            ? objects
            : Object.fromEntries(objects.map((each, at) => [`x${at}y`, each]))
        const { slots, questions, refused } = read(data)
        const right = wanted.map(({ label, id }) => `${label} ${id}`)
        expect(slots.filter((slot) => !right.includes(slot) && !slot.endsWith(' -'))).toEqual([])
        if (slots.length < count || slots.some((slot) => slot.endsWith(' -')))
          expect(questions.length + refused).toBeGreaterThan(0)
      },
    )
    fc.assert(property, { numRuns: 1000 })
  })
})
