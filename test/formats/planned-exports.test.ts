import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { builtinCodes } from '../../src/contract/mods.ts'
import type { Round, RoundSlot } from '../../src/contract/rounds.ts'
import { readImport } from '../../src/formats/import/read-import.ts'
import { writeBbcode, writeWiki } from '../../src/formats/posts.ts'
import type { RoundPool } from '../../src/formats/sheet.ts'
import { writeTable } from '../../src/formats/tables.ts'
import { writePoolsJson } from '../../src/formats/whole-pools.ts'
import { filledSlots } from '../../src/pool/round-fields.ts'
import { isSettled, sheetDifferences } from '../../src/pool/sheet-merge.ts'
import { foldCode, isBuiltinCode, slotLabel, slotsInPoolOrder } from '../../src/pool/slots.ts'
import { anyCode } from '../pool/pool-arbitrary.ts'

const links = {
  mapPackUrl: 'https://files.example/maps.zip',
  showcaseUrl: 'https://video.example/showcase',
}
const aRound = (slots: readonly RoundSlot[]): Round => ({
  id: 'b3JkZXIgbX',
  name: 'Finals',
  slots: [...slots],
  ...links,
  createdAt: '2026-11-01T10:00:00.000Z',
  updatedAt: '2026-11-01T10:00:00.000Z',
})
const poolOf = (saved: Round): RoundPool => ({
  name: saved.name,
  pool: { name: saved.name, buckets: null, slots: filledSlots(saved.slots) },
  details: new Map(),
  saved,
})

const planned: RoundSlot[] = [
  { mod: 'NM', index: 1, beatmapId: 75 },
  {
    mod: 'NM',
    index: 2,
    details: { artist: 'Camellia', title: 'Tidal Clock', difficulty: 'Sea', mapper: 'Ada' },
    link: 'https://files.example/tidal.osz',
  },
  { mod: 'TB', index: 1, placeholder: 'custom map, due Sunday' },
]

describe('a round that was released as it is (D-78, D-85)', () => {
  it('is a wiki text with the map pack, the showcase and every slot', () => {
    expect(writeWiki([poolOf(aRound(planned))])).toBe(
      [
        '### Finals',
        '',
        '**[Download the mappack here](https://files.example/maps.zip)**\\',
        '[Watch the showcase VOD here](https://video.example/showcase)',
        '',
        '- No Mod',
        '  1. [Beatmap 75](https://osu.ppy.sh/b/75)',
        '  2. [Camellia - Tidal Clock (Ada) \\[Sea\\]](https://files.example/tidal.osz)',
        '- Tiebreaker',
        '  1. **custom map, due Sunday**',
        '',
      ].join('\n'),
    )
  })

  it('is a post with the same', () => {
    const post = writeBbcode([poolOf(aRound(planned))])
    expect(post).toContain('[url=https://files.example/maps.zip]Download the mappack here[/url]\n')
    expect(post).toContain('[url=https://video.example/showcase]View the showcase here[/url]\n')
    expect(post).toContain('[*]NM2: [url=https://files.example/tidal.osz]Camellia - Tidal Clock')
    expect(post).toContain('[*]TB: custom map, due Sunday\n')
  })

  it('is JSON as the API returns it', () => {
    const round = aRound(planned)
    expect(JSON.parse(writePoolsJson({ rounds: [poolOf(round)] }))).toEqual({ rounds: [round] })
  })

  const anySlot = fc
    .record({
      mod: fc.constantFrom('NM', 'HD', 'TB'),
      index: fc.integer({ min: 1, max: 4 }),
      filling: fc.oneof(
        fc.record({ beatmapId: fc.integer({ min: 1, max: 9_999 }) }),
        fc.record({ placeholder: fc.constantFrom('TBA', 'custom map, due Sunday') }),
        fc.constant({ details: { artist: 'Camellia', title: 'Tidal Clock', mapper: 'Ada' } }),
        fc.constant({ placeholder: 'TBA', link: 'https://drive.google.com/file/d/1' }),
        fc.constant({}),
      ),
    })
    .map(({ filling, ...place }): RoundSlot => ({ ...place, ...filling }))

  it.each(['csv', 'json'] as const)(
    'is a %s of all its slots, which is read again with each of them',
    (id) => {
      const property = fc.property(
        fc.uniqueArray(anySlot, { minLength: 3, maxLength: 12, selector: slotLabel }),
        (slots) => {
          fc.pre(slots.some(({ beatmapId }) => beatmapId !== undefined))
          const sheet = { rounds: [poolOf(aRound(slots))] }
          const text = id === 'csv' ? writeTable(sheet, ',') : writePoolsJson(sheet)
          const { pools } = readImport(text)
          const found = pools.flatMap(({ round }) => round.slots)
          expect(slotsInPoolOrder({ slots: found })).toEqual(slotsInPoolOrder({ slots }))
        },
      )
      fc.assert(property)
    },
  )

  const anyBucket = fc.oneof(
    fc.constantFrom(null, 'NM', 'FM', 'nm2', 'RC1', 'Ⅷ', '7', 'speed', 'HYBRIDS', 'HDHR'),
    anyCode.filter((code) => !isBuiltinCode(foldCode(code))),
  )
  /** What a table alone tells from the song of a slot that has the same text in other fields. */
  const likeSong = { mod: 'NM', index: 1, placeholder: 'Camellia - Tidal Clock [Sea] (Ada)' }
  const anyOwn = fc
    .uniqueArray(anyBucket, {
      minLength: 1,
      maxLength: 4,
      selector: (code) => (code === null ? null : foldCode(code)),
    })
    .chain((codes) =>
      fc.uniqueArray(
        fc
          .tuple(
            fc.oneof(anySlot, fc.constant(likeSong)),
            fc.constantFrom(...codes),
            fc.integer({ min: 1, max: 99 }),
          )
          .map(([slot, mod, index]): RoundSlot => ({ ...slot, mod, index })),
        { minLength: 1, maxLength: 8, selector: slotLabel },
      ),
    )

  it.each([',', '\t'] as const)(
    'is a table of all its slots, whatever their buckets are called: %j',
    (separator) => {
      const property = fc.property(anyOwn, (planned) => {
        const slots: RoundSlot[] = [{ mod: 'HD', index: 1, beatmapId: 129_891 }, ...planned]
        const { pools, questions } = readImport(
          writeTable({ rounds: [poolOf(aRound(slots))] }, separator),
        )
        expect(questions).toEqual([])
        // A table has no order of buckets.
        const byLabel = (all: readonly RoundSlot[]): unknown =>
          Object.fromEntries(all.map((slot) => [slotLabel(slot), slot]))
        expect(byLabel(pools.flatMap(({ round }) => round.slots))).toEqual(byLabel(slots))
      })
      fc.assert(property)
    },
  )

  const anyListed = anySlot
    .map((slot) => (Object.keys(slot).length > 2 ? slot : { ...slot, placeholder: 'TBA' }))
    .chain((slot) => fc.constantFrom('NM', 'TB', 'RC1', 'SV').map((mod) => ({ ...slot, mod })))

  it.each([
    ['BBCode', writeBbcode],
    ['wiki', writeWiki],
  ] as const)(
    'is a %s text of all its slots, which is read again with each of them',
    (_, write) => {
      const property = fc.property(
        fc.uniqueArray(anyListed, { minLength: 3, maxLength: 12, selector: slotLabel }),
        (slots) => {
          fc.pre(slots.some(({ beatmapId }) => beatmapId !== undefined))
          const codes = ['RC1', 'SV'].map((code) => ({ code, color: 3 }))
          const buckets = [...builtinCodes.map((code) => ({ code })), ...codes]
          const round = { ...aRound(slots), buckets }
          const own = {
            ...poolOf(round),
            pool: { name: 'Finals', buckets, slots: filledSlots(slots) },
          }
          const { pools } = readImport(write([own]))
          const found = pools.flatMap((pool) => pool.round.slots)
          // Without a difficulty, the mapper may be a part of the title.
          const contents = (all: readonly RoundSlot[]): string[] =>
            all
              .map(({ mod, index, beatmapId, placeholder, link }) =>
                [slotLabel({ mod, index }), beatmapId, placeholder, link].join(' '),
              )
              .toSorted()
          expect(contents(found)).toEqual(contents(slots))
        },
      )
      fc.assert(property)
    },
  )

  const anyPlanned = fc.oneof(
    anyListed,
    fc.constant(likeSong),
    fc
      .tuple(anyListed, fc.constantFrom('due Sunday', '“due 12:30”', 'see #pool'))
      .map(([{ mod, index }, placeholder]) => ({
        mod,
        index,
        placeholder,
        details: { title: 'Tidal Clock', difficulty: 'Sea' },
      })),
  )

  it.each([
    ['BBCode', writeBbcode],
    ['wiki', writeWiki],
  ] as const)('is a %s text that changes nothing when it is imported again (D-83)', (_, write) => {
    const property = fc.property(
      fc.uniqueArray(anyPlanned, { minLength: 1, maxLength: 9, selector: slotLabel }),
      (planned) => {
        const slots = [{ mod: 'HR', index: 1, beatmapId: 129_891 }, ...planned]
        const codes = ['RC1', 'SV'].map((code) => ({ code, color: 3 }))
        const buckets = [...builtinCodes.map((code) => ({ code })), ...codes]
        const round = poolOf(aRound(slots))
        const pool = { ...round.pool, buckets }
        const found = readImport(write([{ ...round, pool }])).pools.flatMap(
          (each) => each.round.slots,
        )
        const kinds = sheetDifferences({ buckets, slots }, { buckets, slots: found })
        expect(kinds.filter(({ kind }) => !isSettled(kind))).toEqual([])
      },
    )
    fc.assert(property)
  })

  it('names the slot that is wrong in its JSON, wherever those without a beatmap stand', () => {
    const property = fc.property(fc.integer({ min: 0, max: 5 }), (count) => {
      const empty = Array.from({ length: count }, (_, at) => ({ mod: 'HD', index: at + 1 }))
      const round = { name: 'Finals', slots: [...empty, { mod: 'NM', index: 1, beatmapId: 'x' }] }
      const [line] = readImport(JSON.stringify({ rounds: [round] })).pools.flatMap(
        (pool) => pool.lines,
      )
      expect(line).toMatchObject({ reason: `rounds[0].slots[${count}].beatmapId must be a number` })
    })
    fc.assert(property)
  })
})

/** Names that are numbers, labels or buckets themselves, or have the signs of cells. */
const awkwardNames = [
  '2026',
  '1',
  '129891',
  '#1',
  'TB 1',
  'NM',
  'HD',
  'Hidden',
  'Tiebreaker',
  'Mixed Mod',
  'EX 5',
  'RC1',
  'Day 1: 12345',
  'Stage 3 - 54321',
  'Pool 129891',
  'NM1 123456',
  'OWC 2026',
  'Best of 9',
  'Pick 5',
  'Finals | Gold',
  'Finals, Gold',
  'Title,Map ID',
  'Slot',
  'Scores',
  'Teams',
  'Removed',
  'Mappool',
]

describe('posts are read back', () => {
  const names = fc.oneof(
    fc.constantFrom(...awkwardNames),
    fc
      .tuple(fc.constantFrom('NM', 'HD', 'TB', 'Day', 'Pool', 'Cup'), fc.nat(3_000_000))
      .map((parts) => parts.join(' ')),
  )
  const slots = fc.subarray(
    [
      { mod: 'NM', index: 1 },
      { mod: 'NM', index: 2 },
      { mod: 'HD', index: 1 },
      { mod: 'TB', index: 1 },
    ],
    { minLength: 1 },
  )
  const cases = fc.uniqueArray(fc.record({ name: names, slots }), {
    minLength: 1,
    maxLength: 3,
    selector: ({ name }) => name.toLowerCase(),
  })
  const poolsOf = (text: string) => {
    const { pools, questions } = readImport(text)
    expect(questions).toEqual([])
    return new Map(pools.map(({ name, draft }) => [name, draft.slots]))
  }

  it.each([
    ['BBCode', writeBbcode],
    ['wiki', writeWiki],
  ] as const)('whatever their rounds are called: %s', (_, write) => {
    fc.assert(
      fc.property(cases, (made) => {
        const rounds = made.map((each, n): RoundPool => {
          const filled = each.slots.map((slot, at) => ({
            ...slot,
            beatmapId: 3_000_000 + n * 10_000 + at * 37,
          }))
          return {
            name: each.name,
            pool: { name: each.name, buckets: null, slots: filled },
            details: new Map(),
          }
        })
        expect(poolsOf(write(rounds))).toEqual(
          new Map(rounds.map(({ name, pool }) => [name, pool.slots])),
        )
      }),
    )
  })

  it('and a number that is planned is no beatmap', () => {
    const round = poolOf(
      aRound([
        { mod: 'NM', index: 1, beatmapId: 129_891 },
        { mod: 'HD', index: 1, placeholder: '39393' },
        { mod: 'HD', index: 2, placeholder: '1234567', link: 'https://drive.google.com/x' },
        { mod: 'HR', index: 1, details: { artist: '39394' } },
      ]),
    )
    for (const write of [writeBbcode, writeWiki]) {
      const { pools } = readImport(write([round]))
      expect(pools.flatMap(({ draft }) => draft.slots)).toEqual([
        { mod: 'NM', index: 1, beatmapId: 129_891 },
      ])
    }
  })
})
