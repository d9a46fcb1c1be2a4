import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { builtinCodes } from '../../src/contract/mods.ts'
import type { RoundSlot } from '../../src/contract/rounds.ts'
import { readImport } from '../../src/formats/import/read-import.ts'
import type { RoundPool, Sheet } from '../../src/formats/sheet.ts'
import { writeTable } from '../../src/formats/tables.ts'
import { findProblems } from '../../src/pool/checks.ts'
import { filledSlots } from '../../src/pool/round-fields.ts'
import { isBuiltinCode, slotLabel } from '../../src/pool/slots.ts'
import { aBeatmap } from '../support/a-beatmap.ts'

type Texts = { artist: string; title: string; difficulty: string; mapper: string }
type Drawn = { name: string; slots: RoundSlot[]; known: Texts | null }

const poolOf = ({ name, slots, known }: Drawn): RoundPool => {
  const custom = new Set(
    slots.flatMap(({ mod }) => mod ?? []).filter((code) => !isBuiltinCode(code)),
  )
  const buckets = [
    ...builtinCodes.map((code) => ({ code })),
    ...[...custom].map((code) => ({ code, color: 1 })),
  ]
  const filled = filledSlots(slots)
  const details = filled.map(
    ({ beatmapId }, at) => [at, { details: aBeatmap(beatmapId, known ?? {}), stars: 5 }] as const,
  )
  const times = { createdAt: '2026-11-01T10:00:00.000Z', updatedAt: '2026-11-01T10:00:00.000Z' }
  return {
    name,
    pool: { name, buckets, slots: filled },
    details: new Map(known === null ? [] : details),
    saved: { id: 'b3JkZXIgbX', name, slots, buckets, ...times },
  }
}

const byLabel = (slots: readonly RoundSlot[]): unknown =>
  Object.fromEntries(slots.map((slot) => [slotLabel(slot), slot]))

const writtenFrom = (kind: Sheet['kind'], rounds: readonly Drawn[], separator: ',' | '\t') =>
  writeTable({ kind, rounds: rounds.map(poolOf) }, separator)

/** Words by which the sheets of others are told apart, numbers, links and signs. */
const words = [
  'Average',
  'Total',
  'Total: 5',
  'Sum',
  'Round',
  'Finals',
  'Quarterfinals',
  'Mappool',
  'Warmups',
  'Removed',
  '(removed)',
  'Banned',
  'old',
  'backup',
  'Player',
  'Team',
  'Score',
  'yes',
  'no',
  '!mp map 1',
  '!mp map 129891 0',
  'EDIT: NM2 is now 129892',
  'TBD',
  'TBA',
  '???',
  '-',
  'n/a',
  'x',
  '12',
  '39393',
  '129891',
  '4384690',
  '1,300,000',
  '6.5',
  '1:30',
  '#1',
  '2. x',
  '10000 Years',
  'NM',
  'NM1',
  'HD2',
  'TB',
  'Hidden',
  'Slot',
  'Beatmap ID',
  'Set ID',
  'Title',
  'Mods',
  'Stars',
  'https://osu.ppy.sh/b/75',
  'https://files.example/a',
  'pk1.AQFhAQICrAKFPA',
  '{"a":1}',
  '[list]',
  '~~x~~',
  '// x',
  '<b>x</b>',
  '# NM',
  '@x',
  '=1',
  "'39393",
  '+ a',
  '|',
  'a|b',
  'a;b',
  'a,b',
  '"q"',
  'Camellia - Tidal Clock [Sea] (Ada)',
  'Ghost',
]
const word = fc.constantFrom(...words)
const anyName = fc.oneof(
  word,
  fc.tuple(word, word).map((both) => both.join(' ')),
)
const texts = { artist: anyName, title: anyName, difficulty: anyName, mapper: anyName }
const anyDetails = fc.record(texts, { requiredKeys: ['title'], noNullPrototype: true })
const link = fc.constantFrom('https://files.example/x', 'https://osu.ppy.sh/beatmapsets/39804')
const beatmap = fc.record(
  { beatmapId: fc.integer({ min: 1, max: 5_000_000 }), link },
  { requiredKeys: ['beatmapId'], noNullPrototype: true },
)
const planned = fc.record(
  { placeholder: anyName, details: anyDetails, link },
  { requiredKeys: [], noNullPrototype: true },
)
const anySlot = fc
  .tuple(
    fc.constantFrom(
      null,
      'NM',
      'HD',
      'FM',
      'TB',
      'RC1',
      'EZ',
      'nm2',
      '7',
      'AVERAGE',
      'Ⅷ',
      'A',
      'speed',
    ),
    fc.integer({ min: 1, max: 9 }),
    fc.oneof(beatmap, planned),
  )
  .map(([mod, index, filling]): RoundSlot => ({ mod, index, ...filling }))
const anyRound: fc.Arbitrary<Drawn> = fc.record({
  name: anyName,
  slots: fc.uniqueArray(anySlot, { minLength: 1, maxLength: 8, selector: slotLabel }),
  known: fc.option(fc.record(texts)),
})
const anyRounds = fc.uniqueArray(anyRound, {
  minLength: 1,
  maxLength: 3,
  selector: ({ name }) => name.toLowerCase(),
})

describe('a table that was exported', () => {
  it('is no sheet of others, whose words it may have as names', () => {
    const rounds = [
      {
        name: 'Warmups',
        known: { artist: '129891', title: 'Average', difficulty: 'NM1', mapper: 'Total' },
        slots: [
          { mod: 'NM', index: 1, beatmapId: 75 },
          { mod: 'HD', index: 1, placeholder: '39393' },
          { mod: 'HR', index: 1, details: { title: 'Average' } },
          { mod: 'TB', index: 1, details: { title: '!mp map 129891 0' } },
        ],
      },
    ]
    const { pools, questions } = readImport(writtenFrom('rounds', rounds, ','))
    expect(questions).toEqual([])
    expect(pools.map(({ name, round }) => [name, round.slots])).toEqual([
      ['Warmups', rounds[0]!.slots],
    ])
  })

  it.each([',', '\t'] as const)('is read cell by cell, whatever is in it: %j', (separator) => {
    const kinds = fc.constantFrom('pack' as const, 'packs' as const, 'rounds' as const)
    const property = fc.property(kinds, anyRounds, (kind, drawn) => {
      const rounds = kind === 'pack' ? drawn.slice(0, 1) : drawn
      const text = writtenFrom(kind, rounds, separator)
      const { pools, others, questions } = readImport(text)
      expect([questions, others.filter(({ outcome }) => outcome !== 'skipped')], text).toEqual([
        [],
        [],
      ])
      expect(
        pools.map(({ name, round }) => [name, byLabel(round.slots)]),
        text,
      ).toEqual(rounds.map(({ name, slots }) => [kind === 'pack' ? null : name, byLabel(slots)]))
    })
    fc.assert(property, { numRuns: 300 })
  })

  it('is a sheet again where somebody has worked in it', () => {
    const text = writtenFrom(
      'pack',
      [{ name: '', known: null, slots: [{ mod: 'NM', index: 1, beatmapId: 75 }] }],
      ',',
    )
    const cells = ','.repeat(12)
    const read = (row: string) => readImport(text + row + cells).pools[0]?.draft.slots
    const own = { mod: 'NM', index: 1, beatmapId: 75 }
    const added = { mod: 'HD', index: 1, beatmapId: 129_891 }
    expect(read('HD1,https://osu.ppy.sh/b/129891')).toEqual([own, added])
    expect(read('hd 1,129891')).toEqual([own, added])
    expect(read('Average,129891')).toEqual([own])
    expect(readImport(`${text}NM1,129891${cells}`).questions).toHaveLength(1)
  })

  it('gives no slot that a pool cannot have, whatever somebody has written into a cell', () => {
    const label = fc
      .tuple(
        fc.constantFrom('', 'NM', 'HD', 'TB', 'RC1 ', 'ABCDEFGHIJKLM'),
        fc.constantFrom(0, 1, 99, 100, 4_294_967_296),
      )
      .map(([code, index]) => `${code}${index}`)
    const anyCell = fc.oneof(label, word, fc.constantFrom('0', '-1', '2147483648', '129891'))
    const property = fc.property(anyRound, anyCell, fc.nat(), fc.nat(), (round, cell, row, at) => {
      const [head = '', ...rows] = writtenFrom('pack', [round], '\t').trimEnd().split('\n')
      const cells = rows[row % rows.length]!.split('\t')
      // Most of what is written there is a label.
      cells[at % 2 === 0 ? 0 : at % cells.length] = cell
      rows[row % rows.length] = cells.join('\t')
      const { pools } = readImport([head, ...rows].join('\n'))
      for (const { draft } of pools) {
        expect(findProblems({ ...draft, name: 'any' }, 0), cells.join()).toEqual([])
      }
      const indexes = pools.flatMap(({ round }) => round.slots.map(({ index }) => index))
      expect(
        indexes.filter((index) => index < 1 || index > 99),
        cells.join(),
      ).toEqual([])
    })
    fc.assert(property, { numRuns: 50 })
  })
})
