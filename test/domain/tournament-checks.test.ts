import * as fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { type Check, type CheckKind, checkKinds, ChecksReply } from '../../src/contract/checks.ts'
import type { Ruleset } from '../../src/contract/mods.ts'
import type { RoundInput, RoundTargets } from '../../src/contract/rounds.ts'
import type { Beatmap } from '../../src/domain/beatmaps.ts'
import {
  type BeatmapFacts,
  beatmapsToCheck,
  checkRounds,
  type PooledBefore,
} from '../../src/domain/tournament-checks.ts'
import { countChecks } from '../../src/pool/check-words.ts'
import { aBeatmap } from '../support/a-beatmap.ts'
import { aSavedRound, aTournament } from './a-tournament.ts'

const valid = Compile(ChecksReply)
const expectValid = (checks: Check[]) =>
  expect([...valid.Errors({ checks, counts: countChecks(checks) })]).toEqual([])

type Slots = NonNullable<RoundInput['slots']>

const aRoundOf = (slots: Slots, more: Partial<RoundInput> = {}, id = 'round-0001') =>
  aSavedRound({ id, input: { name: `Round ${id.at(-1)}`, slots, ...more } })

/** Checks one round; beatmaps are known as they are given, with the stars that count in their slot. */
const check = (
  slots: Slots,
  {
    targets,
    buckets,
    ruleset = 'base',
    facts = {},
  }: Pick<RoundInput, 'buckets'> & {
    ruleset?: Ruleset
    targets?: RoundTargets
    facts?: Record<number, Partial<Beatmap> | 'gone' | null>
  } = {},
) => {
  const round = aRoundOf(slots, { ...(targets && { targets }), ...(buckets && { buckets }) })
  const tournament = aTournament({ rounds: [round], ruleset })
  const checks = checkRounds(tournament, [round], ({ beatmapId }): BeatmapFacts => {
    const fact = facts[beatmapId]
    if (fact === null) return { beatmap: null, stars: null }
    if (fact === 'gone') return { beatmap: 'gone', stars: null }
    const beatmap = aBeatmap(beatmapId, { mapper: `Mapper ${beatmapId}`, ...fact })
    return { beatmap, stars: beatmap.stars }
  })
  expectValid(checks)
  return checks
}

const nm1 = { mod: 'NM', index: 1, beatmapId: 1 }

describe('the checks of a round', () => {
  test('find nothing where all is well', () => {
    expect(check([nm1, { mod: 'TB', index: 1, beatmapId: 2 }])).toEqual([])
  })

  test('name round, slot and what it is: empty, or what is known of the map without an id (D-77)', () => {
    const round = { id: 'round-0001', name: 'Round 1' }
    const details = { artist: 'Camellia', title: 'Tidal Clock', mapper: 'arbor' }
    const link = 'https://files.example/tidal-clock.osz'
    expect(
      check([
        { mod: 'TB', index: 1, placeholder: 'custom map, due Sunday' },
        { mod: 'TB', index: 2, details },
        { mod: 'TB', index: 3, link },
        { mod: 'TB', index: 4, placeholder: 'due Sunday', details, link },
        { mod: 'NM', index: 2 },
      ]),
    ).toEqual([
      { kind: 'empty', round, mod: 'NM', index: 2, message: 'NM2 is empty' },
      ...[
        'TB has no beatmap yet: custom map, due Sunday',
        'TB2 has no beatmap yet: Camellia - Tidal Clock by arbor',
        `TB3 has no beatmap yet: ${link}`,
        `TB4 has no beatmap yet: due Sunday, Camellia - Tidal Clock by arbor, ${link}`,
      ].map((message, at) => ({ kind: 'placeholder', round, mod: 'TB', index: at + 1, message })),
    ])
  })

  test('what is planned is shown whole, however long, each text isolated from the others', () => {
    const long = 'ש'.repeat(128)
    const [found] = check([
      {
        mod: 'TB',
        index: 1,
        placeholder: 'ש'.repeat(100),
        details: { artist: long, title: long, difficulty: long, mapper: long },
        link: `https://files.example/${'x'.repeat(490)}`,
      },
    ])
    expect(found!.message.match(/\u2068[^\u2069]+\u2069/g)).toHaveLength(2)
    expect(found!.message.endsWith('x'.repeat(490))).toBe(true)
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

  test.each([
    ['pending', 'NM1 is pending, not ranked'],
    ['graveyard', 'NM1 is in the graveyard, not ranked'],
    ['wip', 'NM1 is a work in progress, not ranked'],
    ['qualified', 'NM1 is qualified, not ranked yet'],
    ['new', 'NM1 is new, not ranked'],
  ])('%s is said in plain words', (status, message) => {
    expect(check([nm1], { facts: { 1: { status } } })).toMatchObject([{ message }])
  })

  test('a status is shown up to 64 UTF-16 code units, and no half character', () => {
    const shown = (status: string) =>
      /^NM1 is (.*), not ranked$/
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
        message: 'NM1 is for Taiko, and the tournament plays Standard',
      },
    ])
    expect(check([nm1], { ruleset: 'fruits', facts: { 1: { ruleset: 'mania' } } })).toMatchObject([
      { message: 'NM1 is for Mania, and the tournament plays Catch' },
    ])
    expect(check([nm1], { ruleset: 'mania', facts: { 1: { ruleset: 'mania' } } })).toEqual([])
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
      { length: { max: 60.125 } },
      { length: 100 },
      {
        kind: 'length',
        value: 67,
        max: 60.125,
        message: 'DT2 lasts 1:07 with DT, 0:06.88 longer than 1:00.13',
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

  test('lengths are said in minutes and two digits of seconds', () => {
    for (let seconds = 61; seconds <= 130; seconds += 1) {
      const facts = { 1: { length: seconds } }
      const slot = { mod: 'NM', index: 1, beatmapId: 1 }
      const [found] = check([slot], { targets: { length: { max: 60 } }, facts })
      const clockTime = (time: number) =>
        `${Math.floor(time / 60)}:${String(time % 60).padStart(2, '0')}`
      expect(found?.message).toBe(
        `NM1 lasts ${clockTime(seconds)}, ${clockTime(seconds - 60)} longer than 1:00`,
      )
    }
  })

  test('a rating that the platform does not have is said to be the one without mods (D-93)', () => {
    const round = aRoundOf([dt2], { targets: { stars: { max: 6.3 }, bpm: { max: 1 } } })
    const facts = { beatmap: aBeatmap(1, { bpm: 180 }), stars: 6.52, noRating: true }
    const found = checkRounds(aTournament({ rounds: [round] }), [round], () => facts)
    expect(found.map(({ message }) => message)).toEqual([
      'DT2 has 6.52 stars without DT (the platform has no rating with it), 0.22 more than 6.30',
      'DT2 has 270 BPM with DT, 269 more than 1',
    ])
  })

  test.each([
    [null, 'DT2 could not be checked for its stars with DT: the game platform could not be asked'],
    [0, 'DT2 could not be checked for its stars with DT: the game platform has not rated it yet'],
  ])('stars that are %j are unknown, wherever they should be', (stars, message) => {
    for (const target of [{ min: 1 }, { max: 7 }]) {
      const rounds = [aRoundOf([dt2], { targets: { stars: target } })]
      const known = { beatmap: aBeatmap(1, { stars: 0 }), stars }
      const found = checkRounds(aTournament({ rounds }), rounds, () => known)
      expect(found).toMatchObject([{ kind: 'unknown', message }])
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

  test.each<[NonNullable<RoundTargets['keys']>, number, string | null]>([
    [{ max: 4 }, 7, 'DT2 has 7 keys with DT, 3 more than 4'],
    [{ min: 7, max: 7 }, 4, 'DT2 has 4 keys with DT, 3 less than 7'],
    [{ min: 2 }, 1, 'DT2 has 1 key with DT, 1 less than 2'],
    [{ min: 4, max: 7 }, 4, null],
    [{ min: 4, max: 7 }, 7, null],
    // As the game does: a CS is a whole number of keys, and one at least.
    [{ min: 7, max: 7 }, 6.6, null],
    [{ min: 1, max: 1 }, 0, null],
  ])('keys of a mania beatmap are its CS: %j of %d', (keys, circleSize, message) => {
    const facts = { 1: { ruleset: 'mania' as const, circleSize } }
    const found = check([dt2], { ruleset: 'mania', targets: { keys }, facts })
    expect(found.map((each) => each.message)).toEqual(message === null ? [] : [message])
    expect(found).toMatchObject(found.map(() => ({ kind: 'keys', value: circleSize })))
  })

  test('a beatmap of another ruleset has no keys', () => {
    const found = check([dt2], { targets: { keys: { max: 1 } }, facts: { 1: { circleSize: 7 } } })
    expect(found).toEqual([])
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
  const facts = ({ beatmapId }: { beatmapId: number }) => ({
    beatmap: aBeatmap(beatmapId, { mapper: `Mapper ${beatmapId}` }),
    stars: 5,
  })
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

  test('names all places, but twelve at most of the round and of others', () => {
    const slots = Array.from({ length: 20 }, (_, at) => ({
      mod: 'NM',
      index: at + 1,
      beatmapId: 1,
    }))
    const [found] = check(slots, { facts: { 1: { mapper: '' } } })
    expect(found!.message).toMatch(/^NM1 has the same beatmap as NM2, .*, NM13 and 7 more$/)
  })

  test('fits the bound of a message with the longest names and codes', () => {
    const code = 'ש'.repeat(12)
    const rounds = Array.from({ length: 16 }, (_, at) =>
      aSavedRound({
        id: `round-00${at + 10}`,
        input: {
          name: `${'ש'.repeat(60)} ${at}`,
          slots: Array.from({ length: 64 }, (_, place) => ({
            mod: code,
            index: place + 1,
            beatmapId: 1,
          })),
        },
      }),
    )
    expectValid(checkRounds(aTournament({ rounds }), rounds.slice(0, 1), facts))
  })

  test('is found in each place, in the round rather than in another', () => {
    const checks = checkRounds(tournament, tournament.rounds, facts)
    expect(checks.map(({ kind, round, mod, message }) => [kind, round.name, mod, message])).toEqual(
      [
        [
          'duplicate',
          'Round 1',
          'NM',
          'NM1 has the same beatmap as NM1 of Round 2 and TB of Round 2',
        ],
        ['duplicate', 'Round 2', 'NM', 'NM1 has the same beatmap as TB, and as NM1 of Round 1'],
        ['duplicate', 'Round 2', 'TB', 'TB has the same beatmap as NM1, and as NM1 of Round 1'],
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
    expectValid(checks)
    return checks
  }

  test.each<[message: string, pooled: PooledBefore]>([
    [
      'NM2 was pooled 3 times, last as HD1 of Semifinals in Harbour Lights Cup 2025',
      { total: 3, last: inCup },
    ],
    [
      'NM2 was pooled twice, last as HD1 of Semifinals in Harbour Lights Cup',
      {
        total: 2,
        last: { ...last, round: { name: 'Semifinals', tournament: { ...cup, year: null } } },
      },
    ],
    // The name says the year.
    [
      'NM2 was pooled once, as HD1 of Semifinals in World Cup 2025',
      {
        total: 1,
        last: {
          ...inCup,
          round: { name: 'Semifinals', tournament: { ...cup, name: 'World Cup 2025' } },
        },
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

describe('too many by one mapper', () => {
  const slotsOf = (count: number): Slots =>
    Array.from({ length: count }, (_, at) => ({
      mod: at < 4 ? 'NM' : 'HD',
      index: at < 4 ? at + 1 : at - 3,
      beatmapId: at + 1,
    }))
  /** Of the round's beatmaps, these are by one mapper. */
  const found = (count: number, ids: readonly number[], more: Slots = []) =>
    check([...slotsOf(count), ...more], {
      facts: Object.fromEntries(ids.map((id) => [id, { mapper: 'arbor' }])),
    }).filter(({ kind }) => kind === 'many')

  test('is said at the first of the slots, with the mapper and the slots', () => {
    expect(found(8, [2, 3, 6])).toEqual([
      {
        kind: 'many',
        round: { id: 'round-0001', name: 'Round 1' },
        mod: 'NM',
        index: 2,
        beatmapId: 2,
        message: 'NM2, NM3 and HD2 are by arbor: 3 of 8 beatmaps',
        value: 3,
      },
    ])
  })

  test.each<[by: number, of: number, isFound: boolean]>([
    [2, 2, false],
    [2, 3, false],
    [3, 3, true],
    [3, 11, true],
    [3, 12, false],
    [4, 15, true],
    [4, 16, false],
    [5, 16, true],
  ])('%d of %d: %s', (by, of, isFound) => {
    const ids = Array.from({ length: by }, (_, at) => at + 1)
    expect(found(of, ids)).toHaveLength(isFound ? 1 : 0)
  })

  test('slots without a beatmap do not count, and each round counts by itself', () => {
    const open = { mod: 'TB', index: 1, placeholder: 'custom map' }
    expect(found(11, [1, 2, 3], [open, { ...open, index: 2 }])).toHaveLength(1)
    const rounds = ['round-0001', 'round-0002'].map((id) => aRoundOf(slotsOf(2), {}, id))
    const facts = () => ({ beatmap: aBeatmap(1, { mapper: 'arbor' }), stars: 5 })
    const checks = checkRounds(aTournament({ rounds }), rounds, facts)
    expect(checks.filter(({ kind }) => kind === 'many')).toEqual([])
  })

  test('is nothing that can be said of beatmaps that are gone or not known', () => {
    const facts = { 1: 'gone', 2: 'gone', 3: 'gone', 4: null, 5: null, 6: null } as const
    expect(check(slotsOf(6), { facts }).filter(({ kind }) => kind === 'many')).toEqual([])
  })

  test('names twelve slots at most, and no name turns the direction of text', () => {
    const slots = Array.from({ length: 64 }, (_, at) => ({
      mod: 'NM',
      index: at + 1,
      beatmapId: at + 1,
    }))
    const mapper = `\u202e${'x'.repeat(1000)}`
    const facts = Object.fromEntries(slots.map(({ beatmapId }) => [beatmapId, { mapper }]))
    const [{ message } = { message: '' }] = check(slots, { facts })
    expect(message).toBe(
      `NM1, NM2, NM3, NM4, NM5, NM6, NM7, NM8, NM9, NM10, NM11, NM12 and 52 more are by ${'x'.repeat(64)}: 64 of 64 beatmaps`,
    )
  })
})

describe('the order of findings', () => {
  const order: readonly CheckKind[] = [
    'empty',
    'placeholder',
    'gone',
    'duplicate',
    'stars',
    'length',
    'bpm',
    'keys',
    'ruleset',
    'status',
    'many',
    'unknown',
    'pooled',
  ]
  const placeOf = (kind: CheckKind) => order.indexOf(kind)

  /** A slot: what is wrong with it, if anything. */
  const anySlot = fc.constantFrom(
    {},
    { placeholder: 'soon' },
    { beatmapId: 1 },
    { beatmapId: 2 },
    ...Array.from({ length: 8 }, (_, at) => ({ beatmapId: at + 10 })),
  )
  const factsOf = ({ beatmapId }: { beatmapId: number }): BeatmapFacts => {
    if (beatmapId === 1) return { beatmap: 'gone', stars: null }
    if (beatmapId === 2) return { beatmap: null, stars: null }
    const beatmap = aBeatmap(beatmapId, {
      ruleset: beatmapId % 2 === 0 ? 'mania' : 'base',
      circleSize: beatmapId % 5,
      status: beatmapId % 3 === 0 ? 'graveyard' : 'ranked',
      bpm: beatmapId * 15,
      length: beatmapId * 20,
      mapper: `Mapper ${beatmapId % 4}`,
    })
    return { beatmap, stars: beatmapId > 15 ? null : beatmapId / 2 }
  }
  const targets = {
    stars: { min: 6 },
    length: { max: 260 },
    bpm: { min: 180 },
    keys: { min: 3 },
  }
  const last = { mod: 'HD', index: 1, packName: 'Spring Cup', round: null }

  test('is by kind, what weighs most first, then rounds, then slots, whatever is drafted', () => {
    const seen = new Set<CheckKind>()
    fc.assert(
      fc.property(fc.array(fc.array(anySlot, { maxLength: 10 }), { maxLength: 3 }), (drafts) => {
        const rounds = drafts.map((slots, at) => {
          const placed = slots.map((slot, place) => ({ mod: 'NM', index: place + 1, ...slot }))
          return aRoundOf(placed, { targets }, `round-000${at}`)
        })
        const pooled = new Map([[11, { total: 1, last }]])
        const checks = checkRounds(aTournament({ rounds }), rounds, factsOf, pooled)
        expectValid(checks)
        const places = checks.map(({ kind, round, index }) => {
          seen.add(kind)
          return [placeOf(kind), rounds.findIndex(({ id }) => id === round.id), index]
        })
        const inOrder = places.toSorted((a, b) => a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!)
        expect(places).toEqual(inOrder)
      }),
    )
    expect([...seen].toSorted()).toEqual([...checkKinds].toSorted())
  })
})
