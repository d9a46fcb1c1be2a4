import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Round } from '../../src/contract/rounds.ts'
import { compareDrafts, type DraftContent, isOfSlot } from '../../src/pool/draft-comparison.ts'
import { draftFields, filledSlots, roundLinks } from '../../src/pool/round-fields.ts'
import { slotLabel, slotsInPoolOrder } from '../../src/pool/slots.ts'
import { draftWords, poolsOf, restoredEdit } from '../../src/web/tournament-edit/draft-versions.ts'
import { roundEditOf, roundInputOf } from '../../src/web/tournament-edit/round-store.ts'
import { anyDraft } from '../pool/any-draft.ts'
import { anyRound, type WholeRound } from '../support/any-round.ts'

const id = 'b3JkZXIgbX'
const asPage = (round: WholeRound): Round => ({ id, ...round, createdAt: 'x', updatedAt: 'x' })
const asVersion = (round: WholeRound, version: number) => {
  const { mapPackUrl: _, showcaseUrl: __, ...draft } = round
  return { ...draft, version, savedAt: 'x', changes: [] }
}
const beatmapsOf = (slots: DraftContent['slots']) =>
  new Map(filledSlots(slots).map((slot) => [slotLabel(slot), slot.beatmapId]))

describe('the beatmaps of the versions of a draft', () => {
  it('are found from the newest one and from what each has changed', () => {
    const any = fc.oneof(anyRound, anyDraft)
    const property = fc.property(fc.array(any, { minLength: 1, maxLength: 4 }), (rounds) => {
      const versions = rounds.map((round, at) => ({
        changes: rounds[at + 1] === undefined ? [] : compareDrafts(rounds[at + 1]!, round),
      }))
      const pools = poolsOf(rounds[0]!, versions)
      expect(pools.map(({ slots }) => beatmapsOf(slots))).toEqual(
        rounds.map(({ slots }) => beatmapsOf(slots)),
      )
    })
    fc.assert(property, { numRuns: 100 })
  })
})

describe('a restored draft', () => {
  it('is what it was, with the links that the round has now (D-85)', () => {
    const property = fc.property(anyRound, anyRound, (now, then) => {
      const edit = roundEditOf(asPage(now))
      const restored = restoredEdit(edit, asVersion(then, 3))
      expect(compareDrafts(then, restored)).toEqual([])
      expect(draftFields(restored)).toEqual(draftFields(then))
      expect(roundInputOf(restored).slots).toEqual(slotsInPoolOrder(then))
      expect(roundLinks(restored)).toEqual(roundLinks(now))
    })
    fc.assert(property, { numRuns: 30 })
  })
})

describe('a difference between drafts that is not of a slot', () => {
  it('has a name and its two sides in words, whatever differs', () => {
    const property = fc.property(anyRound, anyRound, (before, after) => {
      for (const difference of compareDrafts(before, after)) {
        if (isOfSlot(difference)) continue
        const { what, from, to } = draftWords(difference)
        for (const words of [what, from ?? 'none', to ?? 'none']) {
          expect(words).toMatch(/./)
          expect(words).not.toMatch(/undefined|\[object/)
        }
      }
    })
    fc.assert(property)
  })

  it.each([
    [{ kind: 'bestOf', from: 9, to: 11 }, 'Best of', '9', '11'],
    [{ kind: 'packName', to: 'Cup QF' }, 'Name of the pack', null, 'Cup QF'],
    [
      { kind: 'targets', from: { stars: { min: 5, max: 6 }, length: { max: 300 } } },
      'Targets',
      '5–6★, up to 5:00',
      null,
    ],
    [{ kind: 'name', from: 'Finals', to: 'Grand Finals' }, 'Name', 'Finals', 'Grand Finals'],
  ] as const)('%j is in the words of the site', (difference, what, from, to) => {
    expect(draftWords(difference)).toEqual({ what, from, to })
  })
})
