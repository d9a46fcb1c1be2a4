import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { ChecksReply } from '../../src/contract/checks.ts'
import type { RoundInput, RoundTargets } from '../../src/contract/rounds.ts'
import type { Beatmap } from '../../src/domain/beatmaps.ts'
import {
  type BeatmapFacts,
  beatmapsToCheck,
  checkRounds,
  type PooledBefore,
} from '../../src/domain/tournament-checks.ts'
import { aBeatmap } from '../support/a-beatmap.ts'
import { aSavedRound, aTournament } from './a-tournament.ts'

const valid = Compile(ChecksReply)

type Slots = NonNullable<RoundInput['slots']>

const aRoundOf = (slots: Slots, more: Partial<RoundInput> = {}, id = 'round-0001') =>
  aSavedRound({ id, input: { name: `Round ${id.at(-1)}`, slots, ...more } })

/** Checks one round; beatmaps are known as they are given, with the stars that count in their slot. */
const check = (
  slots: Slots,
  {
    targets,
    buckets,
    facts = {},
  }: Pick<RoundInput, 'buckets'> & {
    targets?: RoundTargets
    facts?: Record<number, Partial<Beatmap> | 'gone' | null>
  } = {},
) => {
  const round = aRoundOf(slots, { ...(targets && { targets }), ...(buckets && { buckets }) })
  const tournament = aTournament({ rounds: [round] })
  const checks = checkRounds(tournament, [round], ({ beatmapId }): BeatmapFacts => {
    const fact = facts[beatmapId]
    if (fact === null) return { beatmap: null, stars: null }
    if (fact === 'gone') return { beatmap: 'gone', stars: null }
    const beatmap = aBeatmap(beatmapId, fact)
    return { beatmap, stars: beatmap.stars }
  })
  expect([...valid.Errors({ checks })]).toEqual([])
  return checks
}

const nm1 = { mod: 'NM', index: 1, beatmapId: 1 }

describe('the checks of a round', () => {
  test('find nothing where all is well', () => {
    expect(check([nm1, { mod: 'TB', index: 1, beatmapId: 2 }])).toEqual([])
  })

  test('name round, slot and what it is: empty, or a placeholder', () => {
    const round = { id: 'round-0001', name: 'Round 1' }
    expect(
      check([
        { mod: 'TB', index: 1, placeholder: 'custom map, due Sunday' },
        { mod: 'NM', index: 2 },
      ]),
    ).toEqual([
      { kind: 'empty', round, mod: 'NM', index: 2, message: 'NM2 is empty' },
      {
        kind: 'placeholder',
        round,
        mod: 'TB',
        index: 1,
        message: 'TB has no beatmap yet: custom map, due Sunday',
      },
    ])
  })

  test('a beatmap that the platform no longer has, and one that is not known', () => {
    const slots = [nm1, { mod: 'NM', index: 2, beatmapId: 2 }]
    expect(check(slots, { facts: { 1: 'gone', 2: null } })).toMatchObject([
      { kind: 'gone', index: 1, beatmapId: 1 },
      { kind: 'unknown', index: 2, beatmapId: 2 },
    ])
  })

  test.each(['ranked', 'approved', 'loved'])('%s is a status for a pool', (status) => {
    expect(check([nm1], { facts: { 1: { status } } })).toEqual([])
  })

  test.each(['qualified', 'pending', 'graveyard', 'x'.repeat(1024), '\u202eevil'])(
    '%s is not',
    (status) => {
      const [found, ...others] = check([nm1], { facts: { 1: { status } } })
      expect(found).toMatchObject({ kind: 'status', mod: 'NM', index: 1, beatmapId: 1 })
      expect(found!.message).not.toContain('\u202e')
      expect(others).toEqual([])
    },
  )

  test('a status is shown up to 64 UTF-16 code units, and no half character', () => {
    const shown = (status: string) =>
      /^NM1 is (.*), neither/
        .exec(check([nm1], { facts: { 1: { status } } })[0]!.message)?.[1]
        ?.replaceAll(/[\u2068\u2069]/g, '')
    expect(shown('x'.repeat(64))).toBe('x'.repeat(64))
    expect(shown('x'.repeat(65))).toBe('x'.repeat(64))
    expect(shown(`${'x'.repeat(63)}\u{1f525}`)).toBe(`${'x'.repeat(63)}\ufffd`)
  })

  test('another ruleset than the tournament plays', () => {
    expect(check([nm1], { facts: { 1: { ruleset: 'taiko' } } })).toMatchObject([
      {
        kind: 'ruleset',
        message: 'NM1 is a beatmap of taiko, and the tournament plays base',
      },
    ])
  })
})

describe('targets hold under the mods of the slot', () => {
  test('to the hundredth, at both ends, which are shown as they are', () => {
    const shown = (targets: RoundTargets, fact: Partial<Beatmap>) =>
      check([nm1], { targets, facts: { 1: fact } }).map(({ message }) => message)
    expect(shown({ stars: { min: 6.4 } }, { stars: 6.4 })).toEqual([])
    expect(shown({ stars: { max: 6.4 } }, { stars: 6.4 })).toEqual([])
    expect(shown({ stars: { min: 6.4 } }, { stars: 6.39 })).toEqual([
      'NM1 has 6.39 stars, 0.01 less than 6.40',
    ])
    expect(shown({ stars: { max: 6.4 } }, { stars: 6.41 })).toEqual([
      'NM1 has 6.41 stars, 0.01 more than 6.40',
    ])
    expect(shown({ bpm: { max: 200.25 } }, { bpm: 210 })).toEqual([
      'NM1 has 210 BPM, 9.75 more than 200.25',
    ])
  })

  const dt2 = { mod: 'DT', index: 2, beatmapId: 1 }

  test.each<[RoundTargets, Partial<Beatmap>, object | null]>([
    [
      { stars: { min: 5.4, max: 6.3 } },
      { stars: 6.52 },
      {
        kind: 'stars',
        value: 6.52,
        max: 6.3,
        message: 'DT2 has 6.52 stars with DT, 0.22 more than 6.30',
      },
    ],
    [
      { stars: { min: 5.4 } },
      { stars: 5 },
      {
        kind: 'stars',
        value: 5,
        min: 5.4,
        message: 'DT2 has 5.00 stars with DT, 0.40 less than 5.40',
      },
    ],
    [{ stars: { max: 6.3 } }, { stars: 6.304 }, null],
    [
      { length: { max: 300 } },
      { length: 468 },
      {
        kind: 'length',
        value: 312,
        max: 300,
        message: 'DT2 lasts 5:12 with DT, 0:12 longer than 5:00',
      },
    ],
    [
      { length: { min: 90 } },
      { length: 120 },
      {
        kind: 'length',
        value: 80,
        min: 90,
        message: 'DT2 lasts 1:20 with DT, 0:10 shorter than 1:30',
      },
    ],
    [
      { bpm: { max: 260 } },
      { bpm: 180 },
      {
        kind: 'bpm',
        value: 270,
        max: 260,
        message: 'DT2 has 270 BPM with DT, 10 more than 260',
      },
    ],
    [{ bpm: { min: 270, max: 270 } }, { bpm: 180 }, null],
    [{ bpm: { max: 1 } }, { bpm: null }, null],
    // Less than what a message could say.
    [{ bpm: { max: 269.996 } }, { bpm: 180 }, null],
    [{ bpm: { min: 270.004 } }, { bpm: 180 }, null],
    [{ length: {}, bpm: {}, stars: {} }, {}, null],
  ])('%j with %j', (targets, facts, found) => {
    const checks = check([dt2], { targets, facts: { 1: facts } })
    if (found === null) expect(checks).toEqual([])
    else {
      const where = { mod: 'DT', index: 2, beatmapId: 1 }
      const round = { id: 'round-0001', name: 'Round 1' }
      expect(checks).toEqual([{ round, ...where, ...found }])
    }
  })

  test('a rating that is not known is said, where stars matter alone', () => {
    const round = (targets?: RoundTargets) => aRoundOf([dt2], targets && { targets })
    const found = (targets?: RoundTargets) => {
      const rounds = [round(targets)]
      const known = { beatmap: aBeatmap(1), stars: null }
      return checkRounds(aTournament({ rounds }), rounds, () => known)
    }
    expect(found({ stars: { max: 7 } })).toMatchObject([{ kind: 'unknown', mod: 'DT', index: 2 }])
    expect(found({ length: { max: 700 } })).toEqual([])
    const needs = (targets?: RoundTargets) => beatmapsToCheck([round(targets)])
    const use = { beatmapId: 1, forced: ['DT'] }
    expect(needs({ stars: { max: 7 } })).toMatchObject([{ ...use, needsStars: true }])
    expect(needs()).toMatchObject([{ ...use, needsStars: false }])
  })

  test('of custom buckets, too', () => {
    const buckets = [
      { code: 'RC', color: 1, mods: { kind: 'forced' as const, set: ['HT' as const] } },
    ]
    const slots = [{ mod: 'RC', index: 1, beatmapId: 1 }]
    expect(
      check(slots, { buckets, targets: { bpm: { min: 140 } }, facts: { 1: { bpm: 180 } } }),
    ).toMatchObject([{ message: 'RC1 has 135 BPM with HT, 5 less than 140' }])
  })
})

describe('the same beatmap twice', () => {
  const facts = () => ({ beatmap: aBeatmap(1), stars: 5 })
  const first = aRoundOf([nm1, { mod: 'HD', index: 1, beatmapId: 2 }], {}, 'round-0001')
  const second = aRoundOf(
    [
      { mod: 'NM', index: 1, beatmapId: 1 },
      { mod: 'TB', index: 1, beatmapId: 1 },
    ],
    {},
    'round-0002',
  )
  const tournament = aTournament({ rounds: [first, second] })

  test('is found in two slots of one bucket', () => {
    const slots = [nm1, { mod: 'NM', index: 2, beatmapId: 1 }]
    expect(check(slots).map(({ message }) => message)).toEqual([
      'NM1 has the same beatmap as NM2',
      'NM2 has the same beatmap as NM1',
    ])
  })

  test('is found in each place, in the round rather than in another', () => {
    const checks = checkRounds(tournament, tournament.rounds, facts)
    expect(checks.map(({ kind, round, mod, message }) => [kind, round.name, mod, message])).toEqual(
      [
        ['duplicate', 'Round 1', 'NM', 'NM1 has the same beatmap as NM1 of Round 2'],
        ['duplicate', 'Round 2', 'NM', 'NM1 has the same beatmap as TB'],
        ['duplicate', 'Round 2', 'TB', 'TB has the same beatmap as NM1'],
      ],
    )
    expect(checks[0]).toMatchObject({
      beatmapId: 1,
      other: { round: { id: 'round-0002', name: 'Round 2' }, mod: 'NM', index: 1 },
    })
  })

  test('across rounds is found when one round alone is checked', () => {
    expect(checkRounds(tournament, [first], facts)).toMatchObject([
      { kind: 'duplicate', mod: 'NM', index: 1, other: { round: { id: 'round-0002' } } },
    ])
  })
})

describe('a beatmap that was pooled before (D-67)', () => {
  const known = () => ({ beatmap: aBeatmap(1), stars: 5 })
  const rounds = [aRoundOf([{ mod: 'NM', index: 2, beatmapId: 1 }])]
  const tournament = aTournament({ rounds })
  const cup = { name: 'Harbour Lights Cup', year: 2025 }
  const last = { mod: 'HD', index: 1, packName: 'HLC Semifinals', round: null }
  const inCup = { ...last, round: { name: 'Semifinals', tournament: cup } }
  const found = (pooled: PooledBefore, facts: () => BeatmapFacts = known) => {
    const checks = checkRounds(tournament, rounds, facts, new Map([[1, pooled]]))
    expect([...valid.Errors({ checks })]).toEqual([])
    return checks
  }

  test.each<[message: string, pooled: PooledBefore]>([
    [
      'NM2 was pooled 3 times, last as HD1 of Semifinals in Harbour Lights Cup 2025 (pack HLC Semifinals)',
      { total: 3, last: inCup },
    ],
    [
      'NM2 was pooled twice, last as HD1 of Semifinals in Harbour Lights Cup (pack HLC Semifinals)',
      {
        total: 2,
        last: { ...last, round: { name: 'Semifinals', tournament: { ...cup, year: null } } },
      },
    ],
    ['NM2 was pooled once, as HD1 of the pack HLC Semifinals', { total: 1, last }],
    [
      'NM2 was pooled once, as 4 of the pack HLC Semifinals',
      { total: 1, last: { ...last, mod: null, index: 4 } },
    ],
  ])('%s', (message, pooled) => {
    expect(found(pooled)).toEqual([
      {
        kind: 'pooled',
        round: { id: 'round-0001', name: 'Round 1' },
        mod: 'NM',
        index: 2,
        beatmapId: 1,
        message,
        value: pooled.total,
      },
    ])
  })

  test('comes after what is wrong with it, also while nothing is known of it', () => {
    const kinds = (beatmap: BeatmapFacts['beatmap']) =>
      found({ total: 1, last }, () => ({ beatmap, stars: null })).map(({ kind }) => kind)
    expect(kinds('gone')).toEqual(['gone', 'pooled'])
    expect(kinds(null)).toEqual(['unknown', 'pooled'])
    expect(kinds(aBeatmap(1, { status: 'graveyard' }))).toEqual(['status', 'pooled'])
  })

  test('fits the bound of a message with the longest names, which cannot turn its direction', () => {
    const long = '\u202e'.repeat(32) + 'x'.repeat(32)
    const pooled = {
      total: 10_000_000,
      last: { ...last, packName: long, round: { name: long, tournament: { ...cup, name: long } } },
    }
    expect(found(pooled)[0]!.message).not.toContain('\u202e')
  })

  test('is said of each slot that has it, and of no other', () => {
    const slots = [nm1, { mod: 'NM', index: 2, beatmapId: 2 }]
    const round = aRoundOf(slots)
    const checks = checkRounds(
      aTournament({ rounds: [round] }),
      [round],
      known,
      new Map([[2, { total: 1, last }]]),
    )
    expect(checks.map(({ kind, index }) => [kind, index])).toEqual([['pooled', 2]])
  })
})
