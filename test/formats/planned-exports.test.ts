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
import { slotLabel, slotsInPoolOrder } from '../../src/pool/slots.ts'

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

  const anyListed = anySlot
    .map((slot) => (Object.keys(slot).length > 2 ? slot : { ...slot, placeholder: 'TBA' }))
    .chain((slot) => fc.constantFrom('NM', 'TB', 'RC1', 'SV').map((mod) => ({ ...slot, mod })))

  it('is a post of all its slots, which is read again with each of them', () => {
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
        const { pools } = readImport(writeBbcode([own]))
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
