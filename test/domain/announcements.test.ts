import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { announcementsOf } from '../../src/domain/announcements.ts'
import type { ReleasedRound } from '../../src/domain/tournaments.ts'
import { presentReleased } from '../../src/domain/tournament-views.ts'
import { releasedFields } from '../../src/pool/round-fields.ts'
import { aRelease, aSavedRound, aTournament } from './a-tournament.ts'

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
