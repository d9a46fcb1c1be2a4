import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import type { Stats } from '../../src/contract/packs.ts'
import { IndexEntry } from '../../src/contract/search-index.ts'
import { SYSTEM_ACCOUNT_ID } from '../../src/domain/accounts.ts'
import { type SavedPack, indexEntryOf } from '../../src/domain/packs.ts'
import { computeStats } from '../../src/domain/stats.ts'
import { aNewPack } from '../ports/sample-pack.ts'
import { aBeatmap, pool } from '../support/a-beatmap.ts'
import { base, knownBeatmaps, knownRatings } from '../support/known.ts'
import { toIndexedPack } from '../support/memory-public-index.ts'

const NOW = Date.parse('2026-10-03T18:30:04.120Z')

const entryOf = (changes: Partial<SavedPack> = {}): IndexEntry =>
  indexEntryOf(
    toIndexedPack({ ...aNewPack(changes), ownerUsername: 'Peridot', ...changes }),
    'Tournament pools',
  )

const check = pool('NM1 129891', 'DT1 75')
const checkStats = computeStats(
  check,
  knownBeatmaps(
    aBeatmap(129891, { stars: 7.8058, length: 258, bpm: 222.22 }),
    aBeatmap(75, { stars: 2.55, length: 142, bpm: 119.999 }),
  ),
  knownRatings([base(75, 'DT'), { stars: 3.61 }]),
  NOW,
)

describe('spec 2.10: an entry of the search index', () => {
  it('shows 129891 in NM1 and 75 in DT1 to the digit, its keys in the order of the table', () => {
    const entry = entryOf({
      slug: 'q7Jm2_xT0a',
      name: 'Autumn Cup',
      slots: check.slots,
      description: 'Best of 13.',
      stats: checkStats,
      createdAt: Date.parse('2026-10-01T20:00:00.000Z'),
      updatedAt: Date.parse('2026-10-03T18:30:00.250Z'),
    })
    expect(JSON.stringify(entry)).toBe(
      '{"s":"q7Jm2_xT0a","n":"Autumn Cup","o":"Peridot","c":2,"d":"Best of 13.",' +
        '"u":"2026-10-03T18:30:00.250Z","t":"2026-10-01T20:00:00.000Z",' +
        '"r":[3.61,7.81],"a":5.71,"l":[95,258],"b":[180,222],"m":"NM,DT","g":"base","k":true}',
    )
    expect(Object.keys(entry)).toEqual(Object.keys(IndexEntry.properties))
    expect(Value.Check(IndexEntry, entry)).toBe(true)
  })

  it('ends with t while there are no stats', () => {
    const entry = entryOf({ stats: null })
    expect(Object.keys(entry)).toEqual(['s', 'n', 'o', 'c', 'd', 'u', 't'])
    expect(Value.Check(IndexEntry, entry)).toBe(true)
  })

  it('D-38: leaves r, a, l and b out when they are not known; m and g may be empty', () => {
    const unknown: Stats = {
      ...checkStats,
      srMin: null,
      srMax: null,
      srAvg: null,
      lenMin: null,
      lenMax: null,
      bpmMin: null,
      bpmMax: null,
      mods: [],
      modes: [],
      complete: false,
    }
    const entry = entryOf({ stats: unknown })
    expect(entry).toMatchObject({ m: '', g: '', k: false })
    expect(Object.keys(entry).slice(7)).toEqual(['m', 'g', 'k'])
    expect(Value.Check(IndexEntry, entry)).toBe(true)
  })

  it('D-38: keeps what is known beside what is not, a zero included', () => {
    const noStars: Stats = { ...checkStats, srMin: null, srMax: null, srAvg: null, bpmMin: 0 }
    expect(entryOf({ stats: noStars })).toMatchObject({ l: [95, 258], b: [0, 222] })
    expect(entryOf({ stats: noStars })).not.toHaveProperty('r')
    expect(entryOf({ stats: { ...checkStats, srMin: 0, srAvg: 0 } })).toMatchObject({
      r: [0, 7.81],
      a: 0,
    })
  })

  it('D-2, D-34: m and g list several, comma-separated, in the order of the stats', () => {
    const stats: Stats = { ...checkStats, mods: ['NM', 'TB', 'EZ'], modes: ['base', 'mania'] }
    expect(entryOf({ stats })).toMatchObject({ m: 'NM,TB,EZ', g: 'base,mania' })
  })

  it('D-33: c counts slots, a beatmap that stands in two of them twice', () => {
    const { slots } = pool('NM1 75', 'TB1 75', 'HD1 129891')
    expect(entryOf({ slots }).c).toBe(3)
  })

  it.each([
    ['the label for tournament pools (D-28)', SYSTEM_ACCOUNT_ID, null, 'Tournament pools'],
    ['Unknown player while no name is known', 'owner', null, 'Unknown player'],
    ["the owner's username now", 'owner', 'Ada', 'Ada'],
  ])('o is %s', (_what, ownerId, ownerUsername, name) => {
    expect(entryOf({ ownerId, ownerUsername }).o).toBe(name)
  })
})

describe('spec 2.10: d, the start of the description', () => {
  const d = (description: string | null): string => entryOf({ description }).d

  it('D-38: is "" when there is none', () => {
    expect(d(null)).toBe('')
  })

  it('is whole up to 140 characters', () => {
    expect(d('x'.repeat(140))).toBe('x'.repeat(140))
  })

  it('is 139 characters and an ellipsis from 141 on: at most 140 in all', () => {
    expect(d('x'.repeat(141))).toBe(`${'x'.repeat(139)}…`)
    expect(d('x'.repeat(500))).toBe(`${'x'.repeat(139)}…`)
  })

  it('D-19: counts UTF-16 code units', () => {
    expect(d('🎵'.repeat(70))).toBe('🎵'.repeat(70))
    expect(d('🎵'.repeat(71))).toHaveLength(139)
  })

  it('never cuts a character in two', () => {
    expect(d('🎵'.repeat(71))).toBe(`${'🎵'.repeat(69)}…`)
    expect(d(`x${'🎵'.repeat(70)}`)).toBe(`x${'🎵'.repeat(69)}…`)
  })

  it('has no blank before the ellipsis', () => {
    expect(d(`${'x'.repeat(138)} ${'y'.repeat(20)}`)).toBe(`${'x'.repeat(138)}…`)
  })

  it('is one line: blanks and line breaks become one space before it is measured', () => {
    expect(d('Round 1\r\n\r\n  Round 2\n\tRound 3')).toBe('Round 1 Round 2 Round 3')
    expect(d(`${'a\n\n\n'.repeat(69)}a`)).toBe(`${'a '.repeat(69)}a`)
  })
})
