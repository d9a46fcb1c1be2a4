import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  announcementsOf,
  deletionOf,
  presentAnnouncement,
  trialOf,
} from '../../src/domain/announcements.ts'
import type { ReleasedRound } from '../../src/domain/tournaments.ts'
import { presentReleased } from '../../src/domain/tournament-views.ts'
import { releasedFields } from '../../src/pool/round-fields.ts'
import { aRelease, aRoundPack, aSavedRound, aTournament } from './a-tournament.ts'

/** Of each field that an announcement shows, the values that a round may have. */
const values = {
  bestOf: [undefined, 9, 11],
  bans: [undefined, 0, 2],
  mapPackUrl: [undefined, 'https://maps.test/1', 'https://maps.test/2'],
  showcaseUrl: [undefined, 'https://video.test/1', 'https://video.test/2'],
} as const
type Shown = { readonly [K in keyof typeof values]: (typeof values)[K][number] }

const shown: fc.Arbitrary<Shown> = fc.record({
  bestOf: fc.constantFrom(...values.bestOf),
  bans: fc.constantFrom(...values.bans),
  mapPackUrl: fc.constantFrom(...values.mapPackUrl),
  showcaseUrl: fc.constantFrom(...values.showcaseUrl),
})

type Given<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> }

const given = <T extends object>(fields: T): Given<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>

/** Links are those of the draft, the rest is as it was released. */
const roundOf = (fields: Shown, at: number, changes: Partial<ReleasedRound> = {}) => {
  const { bestOf, bans, ...links } = fields
  const released = releasedFields(given({ bestOf, bans }))
  return aSavedRound({ input: given(links), released: aRelease({ ...released, at, ...changes }) })
}

const newsOf = (before: ReturnType<typeof roundOf>, after: ReturnType<typeof roundOf>) =>
  announcementsOf(aTournament({ rounds: [before] }), aTournament({ rounds: [after] }))

describe('an announcement (D-97)', () => {
  it('keeps what everybody could read of the round before and after', () => {
    fc.assert(
      fc.property(shown, shown, (before, after) => {
        const [old, now] = [roundOf(before, 1500), roundOf(after, 1600, { name: 'Renamed' })]
        const [news, ...others] = newsOf(old, now)
        expect(others).toEqual([])
        expect(news).toMatchObject({ kind: 'change', roundId: old.id })
        for (const [kept, round, fields] of [
          [news!.content.before, old, before],
          [news!.content.after, now, after],
        ] as const) {
          const { name, slots, packSlug } = presentReleased(round)!
          expect(kept).toEqual({ name, slots, packSlug, madeAt: 1500, ...given(fields) })
        }
      }),
    )
  })

  it('is made by a release that says something else than the last, links aside', () => {
    fc.assert(
      fc.property(shown, shown, (before, after) => {
        const isOther = before.bestOf !== after.bestOf || before.bans !== after.bans
        const kinds = newsOf(roundOf(before, 1500), roundOf(after, 1600)).map(({ kind }) => kind)
        expect(kinds).toEqual(isOther ? ['change'] : [])
      }),
    )
  })
})

describe('what is announced of a round (D-97)', () => {
  const draft = aSavedRound()
  const slots = [
    { mod: 'NM', index: 1, beatmapId: 4392947 },
    { mod: 'NM', index: 2, beatmapId: 7 },
  ]
  const planned = [slots[0]!, { mod: 'NM', index: 2 }]
  const released = aSavedRound({ released: aRelease() })
  const linked = aSavedRound({ ...released, mapPackUrl: 'https://maps.test/1' })
  const hidden = aSavedRound({ released: aRelease({ pack: aRoundPack({ hiddenAt: 1_600 }) }) })
  const packOf = (held: typeof slots) => aRoundPack({ slots: held })
  const incomplete = aSavedRound({
    released: aRelease({ slots: planned, pack: packOf(slots.slice(0, 1)) }),
  })
  const whole = aSavedRound({ released: aRelease({ slots: null, pack: packOf(slots) }) })

  it.each([
    ['a release', draft, released, 'release'],
    ['a round that is released as it is added', undefined, released, 'release'],
    ['a withdrawal', released, draft, 'withdrawal'],
    ['a deletion', released, undefined, 'withdrawal'],
    ['a beatmap for a planned slot (D-78)', incomplete, whole, 'fill'],
    ['a new link (D-85)', released, linked, 'links'],
    ['another address of its pack', released, withSlug('pack-00002'), 'change'],
    ['a link that is removed', linked, released, null],
    ['a pack that a moderator hides', released, hidden, null],
    ['one that a moderator shows again', hidden, released, 'release'],
    ['a hidden one that is withdrawn', hidden, draft, null],
    ['a change of a draft', draft, aSavedRound({ version: 2 }), null],
    ['the same round', released, released, null],
  ] as const)('of %s', (_of, was, is, kind) => {
    const roundsOf = (round: typeof was) => (round === undefined ? [] : [round])
    const news = announcementsOf(
      aTournament({ rounds: roundsOf(was) }),
      aTournament({ name: 'Renamed Cup', rounds: roundsOf(is) }),
    )
    expect(news.map((each) => each.kind)).toEqual(kind === null ? [] : [kind])
    for (const { roundId, content } of news) {
      expect(roundId).toBe('round-0001')
      expect(content.tournament).toBe('Renamed Cup')
      expect(content.before === null).toBe(kind === 'release')
      expect(content.after === null).toBe(kind === 'withdrawal')
    }
  })

  it('comes in the order of the rounds, and those that are gone last', () => {
    const [one, two, three] = ['a', 'b', 'c'].map((id) =>
      aSavedRound({ id, released: aRelease({ packSlug: id }) }),
    ) as [typeof draft, typeof draft, typeof draft]
    const [before, after] = [
      aTournament({ rounds: [one, { ...two, released: null }] }),
      aTournament({ rounds: [three, two] }),
    ]
    expect(announcementsOf(before, after).map(({ kind, roundId }) => [kind, roundId])).toEqual([
      ['release', 'c'],
      ['release', 'b'],
      ['withdrawal', 'a'],
    ])
  })

  it('shows the buckets of its pack', () => {
    const buckets = [{ code: 'NM' }, { code: 'X1', color: 1 }] as const
    const own = aSavedRound({ released: aRelease({ pack: aRoundPack({ buckets }) }) })
    const [news] = announcementsOf(aTournament({ rounds: [draft] }), aTournament({ rounds: [own] }))
    expect(news!.content.after).toMatchObject({ buckets, packSlug: 'pack-00001', bestOf: 9 })
  })
})

function withSlug(packSlug: string) {
  return aSavedRound({ released: aRelease({ packSlug, pack: aRoundPack({ slug: packSlug }) }) })
}

describe('the deletion of a tournament (D-97)', () => {
  const rounds = [
    aSavedRound({ released: aRelease({ name: 'Finals' }) }),
    aSavedRound({ id: 'round-0002', input: { name: 'Secret' } }),
    aSavedRound({ id: 'round-0003', released: aRelease({ pack: aRoundPack({ hiddenAt: 9 }) }) }),
  ]

  it('names the rounds that everybody could read, and those that were to be withdrawn, once', () => {
    expect(deletionOf(aTournament({ rounds }), ['Quals', 'Finals'])).toEqual({
      kind: 'deletion',
      roundId: null,
      content: {
        tournament: 'Harbour Lights Cup',
        before: null,
        after: null,
        rounds: ['Quals', 'Finals'],
      },
    })
    expect(deletionOf(aTournament({ rounds }), [])?.content.rounds).toEqual(['Finals'])
  })

  it('says nothing of drafts alone, nor of what a moderator has hidden', () => {
    expect(deletionOf(aTournament({ rounds: rounds.slice(1) }), [])).toBeNull()
    expect(deletionOf(aTournament({ rounds, hiddenAt: 5 }), ['Quals'])).toBeNull()
  })
})

it('a trial says nothing but the tournament', () => {
  expect(trialOf(aTournament({ rounds: [aSavedRound({ released: aRelease() })] }))).toEqual({
    kind: 'trial',
    roundId: null,
    content: { tournament: 'Harbour Lights Cup', before: null, after: null },
  })
})

describe('the log of a channel', () => {
  const waiting = {
    id: 'a1',
    kind: 'trial',
    roundId: null,
    round: null,
    at: 1_000,
    state: 'waiting',
    finishedAt: null,
    attempts: 0,
    problem: null,
    nextAttemptAt: null,
    status: null,
    code: null,
  } as const
  const bare = {
    id: 'a1',
    kind: 'trial',
    at: '1970-01-01T00:00:01.000Z',
    state: 'waiting',
    attempts: 0,
  }

  it('leaves out what there is none of', () => {
    expect(presentAnnouncement(waiting)).toEqual(bare)
  })

  it.each([
    [{ round: 'Finals' }, { round: 'Finals' }],
    [{ finishedAt: 0 }, { finishedAt: '1970-01-01T00:00:00.000Z' }],
    [{ nextAttemptAt: 2_000 }, { nextAttemptAt: '1970-01-01T00:00:02.000Z' }],
    [{ problem: 'gone' as const }, { problem: 'gone' }],
    [
      { status: 404, code: 10_015 },
      { status: 404, code: 10_015 },
    ],
  ])('shows %j', (kept, shown) => {
    expect(presentAnnouncement({ ...waiting, ...kept })).toEqual({ ...bare, ...shown })
  })
})
