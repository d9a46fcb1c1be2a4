import { describe, expect, test } from 'vitest'
import { Round } from '../../src/contract/rounds.ts'
import { StaffMember } from '../../src/contract/staff.ts'
import { Tournament, TournamentSummary } from '../../src/contract/tournaments.ts'
import { problemFinder } from '../../src/domain/reading/schema.ts'
import {
  placeOf,
  presentDeleted,
  presentMember,
  presentPage,
  presentRound,
  presentSummary,
  presentTournament,
  seesRound,
} from '../../src/domain/tournament-views.ts'
import { factsOf, type SavedTournament } from '../../src/domain/tournaments.ts'
import { plainSlot } from '../../src/pool/slots.ts'
import { aMember, aRelease, aRoundPack, aSavedRound, aTournament, thrown } from './a-tournament.ts'

const notFound = {
  code: 'not_found',
  message: 'there is no such tournament, or no such part of it, that you may see or change',
}
const staff = [
  aMember('host', 1),
  aMember('pooler', 2),
  aMember('tester', 3),
  aMember('referee', 4),
]
const draft = aSavedRound({
  id: 'draft-0001',
  updatedAt: 2500,
  input: {
    name: 'Secret finals',
    slots: [
      { mod: 'RC', index: 1, beatmapId: 987_654 },
      { mod: 'NM', index: 1, placeholder: 'secret map' },
      { mod: 'NM', index: 2 },
    ],
    bestOf: 13,
    bans: 3,
    packName: 'Secret pack',
    targets: { stars: { min: 6.125 } },
  },
})
const released = aSavedRound({
  id: 'released-1',
  released: aRelease(),
  updatedAt: 2600,
  input: {
    name: 'Secret new name',
    slots: [{ mod: 'NM', index: 9, beatmapId: 876_543 }],
    bestOf: 11,
    bans: 2,
    packName: 'Secret new pack',
    targets: { bpm: { max: 222 } },
  },
})
const facts = {
  name: 'Harbour Lights Cup',
  shortName: 'HLC',
  description: 'Two weeks',
  ruleset: 'mania',
  year: 2026,
  rankMin: 10,
  rankMax: 99,
  link: 'https://example.com/hlc',
  visibility: 'public',
  announceRounds: false,
} as const
const whole = aTournament({
  ...factsOf(facts),
  rounds: [draft, released],
  staff,
  updatedAt: 3000,
  publicAt: 2000,
})
const summary = { slug: 'tournament', ...facts }
const [second, third] = ['1970-01-01T00:00:02.000Z', '1970-01-01T00:00:03.000Z']
const first = '1970-01-01T00:00:01.000Z'
const releaseTime = '1970-01-01T00:00:01.500Z'

/** The slots of its pack, which are neither those of the draft. */
const publicRound = {
  id: 'released-1',
  name: 'Quarter finals as released',
  slots: aRoundPack().slots,
  bestOf: 9,
  bans: 1,
  releaseAt: releaseTime,
  releasedAt: releaseTime,
  packSlug: 'pack-00001',
  createdAt: releaseTime,
  updatedAt: releaseTime,
}

/** In the order of the fields of the contract (D-45). */
const expectView = (
  view: unknown,
  expected: unknown,
  schema: Parameters<typeof problemFinder>[0],
) => {
  expect(problemFinder(schema)(view, '')).toEqual([])
  expect(JSON.stringify(view, null, 1)).toBe(JSON.stringify(expected, null, 1))
}

describe('D-61: the staff see the drafts', () => {
  const draftView = {
    id: 'draft-0001',
    name: 'Secret finals',
    slots: [
      { mod: 'RC', index: 1, beatmapId: 987_654 },
      { mod: 'NM', index: 1, placeholder: 'secret map' },
      { mod: 'NM', index: 2 },
    ],
    buckets: draft.buckets,
    bestOf: 13,
    bans: 3,
    packName: 'Secret pack',
    targets: { stars: { min: 6.125 } },
    createdAt: first,
    updatedAt: '1970-01-01T00:00:02.500Z',
  }
  const releasedView = {
    id: 'released-1',
    name: 'Secret new name',
    slots: [{ mod: 'NM', index: 9, beatmapId: 876_543 }],
    bestOf: 11,
    bans: 2,
    packName: 'Secret new pack',
    targets: { bpm: { max: 222 } },
    releaseAt: releaseTime,
    releasedAt: releaseTime,
    packSlug: 'pack-00001',
    createdAt: first,
    updatedAt: '1970-01-01T00:00:02.600Z',
  }

  test.each(['host', 'pooler', 'tester', 'referee'] as const)('a %s', (role) => {
    const times = { createdAt: first, updatedAt: third }
    const rounds = [draftView, releasedView]
    expectView(presentTournament(whole, role), { ...summary, role, ...times, rounds }, Tournament)
    const hidden = { ...whole, hiddenAt: 2000, hiddenReason: 'spam' }
    expectView(
      presentTournament(hidden, role),
      { ...summary, hiddenAt: second, role, ...times, rounds },
      Tournament,
    )
    expect(presentTournament({ ...whole, visibility: 'private' }, role).rounds).toEqual(rounds)
    expectView(presentRound(whole, draft, role), draftView, Round)
    expectView(presentRound(hidden, released, role), releasedView, Round)
  })

  test('a time that is to come is shown in the place of the last release', () => {
    const again = { ...released, releaseAt: 9000 }
    expect(presentRound(whole, again, 'host')).toMatchObject({
      releaseAt: '1970-01-01T00:00:09.000Z',
      releasedAt: releaseTime,
      packSlug: 'pack-00001',
    })
    const scheduled = presentRound(whole, { ...draft, releaseAt: 9000 }, 'host')
    expect(scheduled.releaseAt).toBe('1970-01-01T00:00:09.000Z')
    expect(scheduled).not.toHaveProperty('releasedAt')
  })

  test('a round whose pack was removed otherwise is a draft, as one that was withdrawn', () => {
    const gone = { ...released, released: aRelease({ pack: null }) }
    const { releasedAt: _, releaseAt: __, packSlug: ___, ...drafted } = releasedView
    expect(presentRound(whole, gone, 'host')).toEqual(drafted)
    const scheduled = presentRound(whole, { ...gone, releaseAt: 9000 }, 'host')
    expect(scheduled).toEqual({ ...drafted, releaseAt: '1970-01-01T00:00:09.000Z' })
  })
})

describe('D-60: others see what was released, and nothing of a draft', () => {
  const times = { createdAt: first, updatedAt: second }
  const publicView = { ...summary, ...times, rounds: [publicRound] }

  test.each(['stranger', ''])('of a public tournament: %j', (accountId) => {
    expectView(presentTournament(whole, accountId), publicView, Tournament)
    expectView(presentRound(whole, released, accountId), publicRound, Round)
    expect(seesRound(whole, released, accountId)).toBe(true)
  })

  test('the next release changes nothing before it comes', () => {
    const again = { ...whole, rounds: [{ ...released, releaseAt: 9000 }] }
    expectView(presentTournament(again, 'stranger'), publicView, Tournament)
  })

  test('with rounds announced, names and times of those to come', () => {
    const scheduled = { ...draft, releaseAt: 9000 }
    const unplanned = { ...draft, id: 'draft-0002', name: 'Losers finals' }
    const announced = { ...whole, announceRounds: true, rounds: [scheduled, released, unplanned] }
    expectView(
      presentTournament(announced, 'stranger'),
      {
        ...publicView,
        announceRounds: true,
        createdAt: first,
        updatedAt: second,
        rounds: [publicRound],
        upcoming: [
          { name: 'Secret finals', releaseAt: '1970-01-01T00:00:09.000Z' },
          { name: 'Losers finals' },
        ],
      },
      Tournament,
    )
    expect(presentTournament(announced, 'host')).not.toHaveProperty('upcoming')
  })

  const unseen: Record<string, SavedTournament> = {
    private: { ...whole, visibility: 'private' },
    hidden: { ...whole, hiddenAt: 2000 },
    'private and hidden': { ...whole, visibility: 'private', hiddenAt: 2000 },
  }
  test.each(Object.entries(unseen))('nothing of a tournament that is %s', (_, tournament) => {
    for (const announceRounds of [false, true]) {
      const told = { ...tournament, announceRounds }
      expect(thrown(() => presentTournament(told, 'stranger'))).toMatchObject(notFound)
      for (const round of told.rounds) {
        expect(thrown(() => presentRound(told, round, 'stranger'))).toMatchObject(notFound)
        expect(seesRound(told, round, 'stranger')).toBe(false)
      }
    }
  })

  test.each([
    ['not released', draft],
    ['scheduled', { ...draft, releaseAt: 9000 }],
    [
      'with a hidden pack',
      { ...released, released: aRelease({ pack: aRoundPack({ hiddenAt: 5 }) }) },
    ],
    ['whose pack was removed', { ...released, released: aRelease({ pack: null }) }],
  ])('nothing of a round %s', (_, round) => {
    const tournament = { ...whole, rounds: [round] }
    expect(presentTournament(tournament, 'stranger').rounds).toEqual([])
    expect(thrown(() => presentRound(tournament, round, 'stranger'))).toMatchObject(notFound)
    expect(seesRound(tournament, round, 'stranger')).toBe(false)
    expect(seesRound(tournament, round, 'referee')).toBe(true)
  })

  test.each([
    ['public', null, ['staff', 'moderator', 'player', 'signedOut']],
    ['public', 2000, ['staff', 'moderator']],
    ['private', null, ['staff']],
    ['private', 2000, ['staff']],
  ] as const)(
    'D-60: the page of a %s tournament, hidden at %s, is for %j',
    (visibility, hiddenAt, seen) => {
      const saved = aTournament({ visibility, hiddenAt, staff })
      const viewers = {
        staff: { accountId: 'referee', isModerator: false },
        moderator: { accountId: 'somebody', isModerator: true },
        player: { accountId: 'somebody', isModerator: false },
        signedOut: null,
      }
      for (const [name, viewer] of Object.entries(viewers)) {
        if (!(seen as readonly string[]).includes(name)) {
          expect(
            thrown(() => presentPage(saved, viewer)),
            name,
          ).toMatchObject(notFound)
          continue
        }
        const page = presentPage(saved, viewer)
        expect([page.visibility, page.hiddenAt, page.role], name).toEqual([
          visibility,
          hiddenAt === null ? undefined : second,
          name === 'staff' ? 'referee' : undefined,
        ])
      }
    },
  )

  test('a round with a hidden pack is not announced as one to come', () => {
    const hidden = aRelease({ pack: aRoundPack({ hiddenAt: 5 }) })
    const rounds = [{ ...released, released: hidden }]
    const tournament = { ...whole, announceRounds: true, rounds }
    expect(presentTournament(tournament, 'stranger').upcoming).toEqual([])
  })

  test('a round whose pack was removed is one to come again', () => {
    const rounds = [{ ...released, released: aRelease({ pack: null }) }]
    const tournament = { ...whole, announceRounds: true, rounds }
    expect(presentTournament(tournament, 'stranger').upcoming).toEqual([
      { name: 'Secret new name' },
    ])
  })
})

describe('D-81: who is limited to rounds reads of the others what strangers do', () => {
  const ids = whole.rounds.map(({ id }) => id)

  test.each([[[draft.id]], [[released.id]], [ids]])('limited to %j', (limit) => {
    const member = { ...aMember('tester', 5, 'tester-5'), rounds: limit }
    const announced = { ...whole, announceRounds: true, staff: [...staff, member] }
    const others = announced.rounds.filter(({ id }) => !limit.includes(id))
    const strangers = presentTournament({ ...announced, rounds: others }, 'stranger')
    const read = presentTournament(announced, 'tester-5')
    expect(read.limitedTo).toEqual(limit)
    expect(read.rounds.filter(({ id }) => !limit.includes(id))).toEqual(strangers.rounds)
    // Where there are no others, nothing is to come that they do not know.
    expect(read.upcoming).toEqual(others.length === 0 ? undefined : strangers.upcoming)
  })
})

describe('what the page of a pack reads of its round', () => {
  const link = 'https://example.com/map'

  test('D-77, D-78: each slot without a beatmap as planned, each with a beatmap and a link as linked', () => {
    const filled = [
      { mod: 'NM', index: 1, beatmapId: 11 },
      { mod: 'NM', index: 2, beatmapId: 12, link },
    ]
    const planned = [
      { mod: 'HD', index: 1, placeholder: 'To come', link },
      { mod: 'TB', index: 1 },
    ]
    const pack = aRoundPack({ slots: filled.map(plainSlot) })
    const release = aRelease({ slots: [...filled, ...planned], pack })
    const place = placeOf({ ...whole, rounds: [{ ...released, released: release }] }, 'pack-00001')
    expect(place).toMatchObject({ planned, linked: [filled[1]] })
  })

  test('nothing of slots that are in the pack already', () => {
    const place = placeOf(whole, 'pack-00001')
    expect(place).not.toHaveProperty('planned')
    expect(place).not.toHaveProperty('linked')
  })
})

test('a tournament in a list has no rounds; for its staff a role, and when it was hidden', () => {
  const { rounds: _, staff: __, ...listed } = { ...whole, hiddenAt: 2000 }
  expectView(
    presentSummary(listed, 'pooler'),
    { ...summary, hiddenAt: second, role: 'pooler', createdAt: first, updatedAt: third },
    TournamentSummary,
  )
  expectView(
    presentSummary(listed, null),
    { ...summary, createdAt: first, updatedAt: second },
    TournamentSummary,
  )
  const plain = { ...listed, ...factsOf({ name: 'Cup' }), hiddenAt: null }
  expectView(
    presentSummary(plain, null),
    {
      slug: 'tournament',
      name: 'Cup',
      ruleset: 'base',
      visibility: 'private',
      announceRounds: false,
      createdAt: first,
      updatedAt: second,
    },
    TournamentSummary,
  )
})

test('a member of the staff whose name is not known is an unknown player', () => {
  const member = { gameId: 7, username: 'Player 7', role: 'tester' }
  expectView(presentMember(aMember('tester', 7), []), member, StaffMember)
  const nameless = { ...aMember('tester', 7), username: null }
  expect(presentMember(nameless, []).username).toBe('Unknown player')
})

test('a deleted round names who deleted it, as far as that is known', () => {
  const of = (deletedBy: { readonly username: string | null } | null) =>
    presentDeleted({ round: draft, deletedAt: 3000, deletedBy })
  expect(of({ username: 'Player 7' })).toHaveProperty('deletedBy', 'Player 7')
  expect(of({ username: null })).toHaveProperty('deletedBy', 'Unknown player')
  expect(of(null)).not.toHaveProperty('deletedBy')
  expect(of(null)).toMatchObject({
    deletedAt: third,
    restorableUntil: '1970-01-31T00:00:03.000Z',
  })
})
