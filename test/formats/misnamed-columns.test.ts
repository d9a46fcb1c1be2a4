import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'

const slots = fc.uniqueArray(
  fc.constantFrom('NM1', 'NM2', 'HD1', 'HD2', 'HR1', 'DT1', 'FM1', 'TB'),
  {
    minLength: 2,
  },
)
const ids = fc.integer({ min: 200_000, max: 4_000_000 })

const read = (rows: readonly (readonly string[])[]) => {
  const { pools, questions, others } = readImport(rows.map((row) => row.join('\t')).join('\n'))
  const refused = [...pools.flatMap(({ lines }) => lines), ...others].filter(
    ({ outcome }) => outcome === 'refused',
  )
  const found = pools.flatMap(({ round }) =>
    round.slots.map(({ mod, index, ...slot }) => [`${mod}${mod === 'TB' ? '' : index}`, slot]),
  )
  return { found, questions, refused }
}

it('labels are those of the slots, whatever their column and one that counts the rows are called', () => {
  fc.assert(
    fc.property(
      slots,
      fc.array(ids, { minLength: 8, maxLength: 8 }),
      fc.constantFrom('Pick', 'Slot', 'Picks', 'Map slot', 'No', '#'),
      fc.constantFrom('Slot', 'Mod', 'Code', 'Category', 'Pick'),
      fc.integer({ min: 0, max: 3 }),
      fc.boolean(),
      (labels, beatmaps, counter, name, first, isBehind) => {
        fc.pre(counter !== name)
        const rows = labels.map((label, at) => {
          const two = [String(first + at), label]
          return [...(isBehind ? two.toReversed() : two), String(beatmaps[at])]
        })
        const names = [counter, name]
        const { found, questions, refused } = read([
          [...(isBehind ? names.toReversed() : names), 'Link'],
          ...rows,
        ])
        expect([questions, refused]).toEqual([[], []])
        expect(new Map(found as [string, object][])).toEqual(
          new Map(labels.map((label, at) => [label, { beatmapId: beatmaps[at] }])),
        )
      },
    ),
  )
})

it('labels are those of the slots where no other column is named so, whatever theirs is called', () => {
  fc.assert(
    fc.property(
      slots.filter((labels) => labels.filter((label) => label !== 'TB').length > 1),
      fc.array(ids, { minLength: 8, maxLength: 8 }),
      fc.constantFrom(
        'Type',
        'Stage',
        'Pool',
        'Map #',
        'Round',
        'Tier',
        'Skill',
        'Tipo',
        '类型',
        '',
      ),
      fc.constantFrom('Artist', 'Title', 'Mapper'),
      fc.integer({ min: 0, max: 2 }),
      (labels, beatmaps, name, other, place) => {
        const rows = [
          [other, 'Map ID'].toSpliced(place, 0, name),
          ...labels.map((label, at) => ['Kestrel', `${beatmaps[at]}`].toSpliced(place, 0, label)),
        ]
        const { found, questions, refused } = read(rows)
        expect([rows, questions, refused]).toEqual([rows, [], []])
        expect([rows, new Map(found as [string, object][])]).toEqual([
          rows,
          new Map(labels.map((label, at) => [label, { beatmapId: beatmaps[at] }])),
        ])
      },
    ),
    { numRuns: 200, endOnFailure: true },
  )
})

it('codes are those of the slots where no other column is named so, whatever theirs is called', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('NM', 'HD', 'HR', 'DT', 'FM', 'TB'), { minLength: 3, maxLength: 8 }),
      fc.uniqueArray(ids, { minLength: 8, maxLength: 8 }),
      fc.constantFrom('Type', 'Skill', 'Style', 'Tipo', '类型'),
      fc.constantFrom('Artist', 'Title', 'Mapper'),
      (written, beatmaps, name, other) => {
        const buckets = written.toSorted()
        const rows = buckets.map((code, at) => [code, `${beatmaps[at]}`, 'Kestrel'])
        const { found, questions, refused } = read([[name, 'Map ID', other], ...rows])
        expect([rows, questions, refused]).toEqual([rows, [], []])
        expect([rows, found.map(([label]) => (label as string).replace(/[0-9]+$/, ''))]).toEqual([
          rows,
          buckets,
        ])
      },
    ),
    { numRuns: 100, endOnFailure: true },
  )
})

it('a number that counts the rows is no beatmap of a row without a link', () => {
  fc.assert(
    fc.property(
      slots.filter(({ length }) => length > 2),
      fc.array(ids, { minLength: 8, maxLength: 8 }),
      fc.nat(7),
      fc.integer({ min: 0, max: 60 }),
      fc.constantFrom('', 'custom map, due Sunday', 'Someone - Something [Insane]'),
      (labels, beatmaps, at, first, planned) => {
        const gone = at % labels.length
        const { found } = read(
          labels.map((label, row) => [
            String(first + row),
            label,
            row === gone ? planned : 'Artist - Title',
            row === gone ? '' : `https://osu.ppy.sh/b/${beatmaps[row]}`,
          ]),
        )
        const beatmapOf = new Map(
          found.map(([label, slot]) => [label, Reflect.get(slot as object, 'beatmapId')]),
        )
        expect(beatmapOf.get(labels[gone])).toBeUndefined()
      },
    ),
  )
})
