import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RoundSlot } from '../../src/contract/rounds.ts'
import type { LookedUp } from '../../src/formats/import/evidence.ts'
import { readImport } from '../../src/formats/import/read-import.ts'
import { sheetDifferences } from '../../src/pool/sheet-merge.ts'
import { slotLabel } from '../../src/pool/slots.ts'
import { anyPool, type Row } from './table-shapes.ts'

/** How sheets write a pool; `id` is what stands in the place of the beatmap's id. */
type Written = Row & { readonly id: string }

const merged = (rows: readonly Written[], at: number): string =>
  rows[at]!.code === rows[at - 1]?.code ? '' : rows[at]!.code
const shapes: Readonly<Record<string, (rows: readonly Written[]) => readonly string[]>> = {
  lines: (rows) => rows.map(({ code, index, id }) => `${code}${index} ${id}`),
  'titled lines': (rows) =>
    rows.map(({ code, index, id, title }) => `${code} ${index}: ${title} ${id}`),
  'bare rows': (rows) => rows.map(({ code, index, id }) => `${code}${index}\t${id}`),
  'rows below a header': (rows) => [
    'Slot\tTitle\tBeatmap ID',
    ...rows.map(({ code, index, title, id }) => `${code}${index}\t${title}\t${id}`),
  ],
  'codes and numbers in two cells': (rows) => [
    'Mod,Index,Beatmap ID',
    ...rows.map(({ code, index, id }) => `${code},${index},${id}`),
  ],
  'merged codes': (rows) => [
    'Mod\tIndex\tBeatmap ID',
    ...rows.map(({ index, id }, at) => `${merged(rows, at)}\t${index}\t${id}`),
  ],
  'lists below headings': (rows) =>
    rows.flatMap(({ code, id }, at) => [
      ...(merged(rows, at) === '' ? [] : ['', code]),
      id || '???',
    ]),
  'numbered lists below headings': (rows) =>
    rows.flatMap(({ code, index, id, title }, at) => [
      ...(merged(rows, at) === '' ? [] : ['', code]),
      `${index}. Reef - ${title} ${id}`,
    ]),
  'objects of JSON': (rows) => [
    JSON.stringify(rows.map(({ code, index, id }) => ({ mod: code, index, beatmapId: id }))),
  ],
}

/** Those in which no title has a number that may be an id. */
const sure = Object.keys(shapes).filter((shape) => !/^(?:titled|numbered)/.test(shape))

const anyDamage = fc.constantFrom(
  '99999999999',
  '12x981',
  '129891 and 129892',
  'https://example.org/b/129891',
  'https://osu.ppy.sh/beatmaps/',
  '-129891',
  '',
)
/** By the place of a row in its pool: what stands there in place of its id, or that the platform has no such beatmap. */
const anyDamages = fc.array(
  fc.option(fc.oneof(anyDamage, fc.constant('gone' as const)), { freq: 2 }),
  {
    minLength: 24,
    maxLength: 24,
  },
)

describe('what a sheet has and could not be read (D-83)', () => {
  it.each(Object.keys(shapes))('is not left out by it: %s', (shape) => {
    let unread = 0
    fc.assert(
      fc.property(anyPool, anyDamages, (rows, damages) => {
        const written = rows.map((row, at): Written => {
          const damage = damages[at] ?? 'gone'
          return { ...row, id: damage === 'gone' ? String(row.beatmapId) : damage }
        })
        const evidence = new Map(
          rows.flatMap(({ beatmapId }, at): [number, LookedUp][] =>
            damages[at] === 'gone' ? [[beatmapId, 'gone']] : [],
          ),
        )
        const text = shapes[shape]!(written).join('\n')
        const draft = rows.map(({ code, index }): RoundSlot => ({ mod: code, index, beatmapId: 5 }))
        for (const { round, unread: places } of readImport(text, { evidence }).pools) {
          const found = sheetDifferences({ slots: draft }, { ...round, unread: places })
          unread += found.filter(({ kind }) => kind === 'unread').length
          const removed = found.filter(({ kind }) => kind === 'missing').map(slotLabel)
          expect({ text, removed }).toEqual({ text, removed: [] })
        }
      }),
      { numRuns: 40, endOnFailure: true },
    )
    expect(unread).toBeGreaterThan(20)
  })

  it.each(['HD3', 'see HD3', 'HD3 and DT2 come later'])(
    'is what a section names that has no slots: %s',
    (text) => {
      for (const [before, after] of [
        ['[box=Old maps]', '[/box]'],
        ['[box=a]', '[/box]\n[box=b]\n[/box]'],
      ]) {
        const { pools } = readImport(['NM1 75', 'NM2 76', before, text, after].join('\n'))
        const places = pools.flatMap(({ unread, round }) => [
          ...unread.map(({ code, index }) => `${code}${index}`),
          ...round.slots.map(slotLabel),
        ])
        expect(places).toContain('HD3')
      }
    },
  )

  it('is all that a draft has, where nothing of a text is used', () => {
    const text = 'Welcome to our cup\nHave fun, everybody\nThe rules are below\n129891'
    const { pools } = readImport(text, { answers: new Map([['half', 'b']]) })
    const slots = ['NM', 'TB'].map((mod): RoundSlot => ({ mod, index: 1, beatmapId: 5 }))
    expect(pools).toHaveLength(1)
    for (const { round, unread } of pools) {
      const found = sheetDifferences({ slots }, { ...round, unread })
      expect(found.map(({ kind }) => kind)).toEqual(['unread', 'unread'])
    }
  })

  it('is nothing where all was read: titled tables, beside one another and below', () => {
    const table = [
      ['Slot', 'Title', 'ID'],
      ['NM1', 'Harbour', '129891'],
      ['HD1', 'Reef', '129892'],
    ]
    const [one, other] = [
      table,
      table.map((row) => row.map((cell) => cell.replace('1298', '1297'))),
    ]
    const below = [['Pool A', '', ''], ...one, ['', '', ''], ['Pool B', '', ''], ...other]
    const beside = [
      ['Pool A', '', '', '', 'Pool B', '', ''],
      ...one.map((row, at) => [...row, '', ...other[at]!]),
    ]
    for (const rows of [below, beside]) {
      const { pools } = readImport(rows.map((row) => row.join(',')).join('\n'))
      expect(pools.map(({ name, unread }) => [name, unread])).toEqual([
        ['Pool A', []],
        ['Pool B', []],
      ])
    }
  })

  it.each([
    ['99999999999', ['']],
    ['129891 and 129892', ['']],
    ['HD3 12x9 https://osu.ppy.sh/users/5', ['HD', 'USERS']],
    ['https://osu.ppy.sh/beatmaps/', ['HTTPS']],
  ])('is what a line names, or any slot (“”) where it names none: %s', (text, codes) => {
    const { pools } = readImport(`NM1 75\n${text}`)
    const named = pools.flatMap(({ unread }) => unread.map(({ code }) => code))
    expect(new Set(named)).toEqual(new Set(codes))
  })

  it.each(sure)('is nothing where all was read: %s', (shape) => {
    fc.assert(
      fc.property(anyPool, (rows) => {
        const written = rows.map((row): Written => ({ ...row, id: String(row.beatmapId) }))
        const { pools, others } = readImport(shapes[shape]!(written).join('\n'))
        const lines = [...pools.flatMap((pool) => pool.lines), ...others]
        fc.pre(lines.every(({ outcome }) => outcome === 'slot' || outcome === 'skipped'))
        expect(pools.flatMap(({ unread }) => unread)).toEqual([])
      }),
      { numRuns: 20 },
    )
  })
})
