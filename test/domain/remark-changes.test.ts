import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from '../../src/contract/errors.ts'
import {
  changedRemark,
  presentRemark,
  type RemarkChange,
  type SavedRemark,
} from '../../src/domain/discussion.ts'
import { aMember, aSavedRound, aTournament } from './a-tournament.ts'

const round = aSavedRound()
const staff = [
  aMember('host', 1),
  aMember('pooler', 2),
  aMember('tester', 3, 'writer'),
  aMember('tester', 4, 'other'),
  aMember('referee', 5),
]
const tournament = aTournament({ visibility: 'private', rounds: [round], staff })
const speakerOf = (id: string) => staff.find(({ accountId }) => accountId === id)!

/** PATCH …/remarks/{id} by somebody, while the clock moves on, stands, or is set back. */
const anyStep = fc.record({
  by: fc.constantFrom(...staff.map(({ accountId }) => accountId)),
  patch: fc.record(
    // Most settle it, so that many settle it again.
    {
      text: fc.constantFrom('Too long', 'Far too long'),
      settled: fc.nat(3).map(Boolean),
      slot: fc.constantFrom(null, ...round.slots.map(({ mod, index }) => ({ mod, index }))),
    },
    { requiredKeys: ['slot'] },
  ),
  clock: fc.integer({ min: -3, max: 3 }),
})

/** Who may change what of the remark that `writer` has written (D-61). */
function mayChange(by: string, patch: RemarkChange, saved: SavedRemark): boolean {
  const rewords = patch.text !== undefined && patch.text !== saved.text
  const settles = patch.settled !== undefined && patch.settled !== saved.isSettled
  const moves = JSON.stringify(patch.slot ?? saved.slot) !== JSON.stringify(saved.slot)
  if (rewords && by !== 'writer') return false
  return (rewords && !settles && !moves) || ['host', 'pooler', 'writer'].includes(by)
}

test('D-26, D-61: whoever changes a remark in whatever order, it says who settled it, and each change is later than the one before', () => {
  const done = { changed: 0, resettled: 0, refused: 0 }
  fc.assert(
    fc.property(fc.array(anyStep, { minLength: 1, maxLength: 20, size: 'max' }), (steps) => {
      const { accountId, gameId, username } = speakerOf('writer')
      const writtenBy = { accountId, gameId, username }
      let saved: SavedRemark = {
        id: 'remark-001',
        slot: null,
        text: 'Too long',
        writtenBy,
        isSettled: false,
        settledBy: null,
        createdAt: 1000,
        updatedAt: 1000,
      }
      let settler: string | null = null
      let now = 1000
      for (const { by, patch, clock } of steps) {
        now += clock
        const before = saved
        try {
          const { settledBy, ...state } = changedRemark(tournament, round, by, saved, patch, now)
          // As the store reads it back, with what the account is called.
          saved = { ...saved, ...state, settledBy: settledBy && speakerOf(settledBy.accountId) }
        } catch (error) {
          expect(mayChange(by, patch, before)).toBe(false)
          expect(error).toBeInstanceOf(AppError)
          expect(error).toMatchObject({ code: 'forbidden' })
          done.refused += 1
          continue
        }
        expect(mayChange(by, patch, before)).toBe(true)
        const { text = before.text, settled = before.isSettled } = patch
        const slot = patch.slot ?? before.slot
        const isMoved = JSON.stringify(slot) !== JSON.stringify(before.slot)
        const hasChanged = isMoved || text !== before.text || settled !== before.isSettled
        // Who settled it first stays, whoever says so again.
        if (!settled) settler = null
        else settler ??= by
        if (!hasChanged) {
          expect(saved).toEqual(before)
          continue
        }
        done.changed += 1
        if (settled && before.isSettled && settler !== by) done.resettled += 1
        expect(saved).toMatchObject({ slot, text, isSettled: settled, writtenBy, createdAt: 1000 })
        expect(saved.settledBy?.accountId ?? null).toBe(settler)
        expect(saved.updatedAt).toBeGreaterThan(before.updatedAt)
        expect(saved.updatedAt).toBe(Math.max(now, before.updatedAt + 1))
        const shown = presentRemark(saved)
        expect(shown.settledBy?.gameId).toBe(
          settler === null ? undefined : speakerOf(settler).gameId,
        )
        expect(shown.settled).toBe(settled)
      }
    }),
    { numRuns: 300 },
  )
  expect(Math.min(...Object.values(done)), JSON.stringify(done)).toBeGreaterThan(20)
})
