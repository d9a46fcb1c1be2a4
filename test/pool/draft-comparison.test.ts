import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RoundSlot } from '../../src/contract/rounds.ts'
import { compareDrafts, type DraftContent, isOfSlot } from '../../src/pool/draft-comparison.ts'
import { slotFields } from '../../src/pool/round-fields.ts'
import { placeOf, slotLabel } from '../../src/pool/slots.ts'
import { anyRound } from '../support/any-round.ts'
import { anyDraft } from './any-draft.ts'

type Slots = Readonly<Record<string, object>>

const slotsOf = ({ slots }: DraftContent): Slots =>
  Object.fromEntries(slots.map((slot) => [slotLabel(slot), slotFields.sent(slot)]))

/** The slots after the differences, each of which is enough for its slot. */
function applied(differences: ReturnType<typeof compareDrafts>, before: DraftContent): Slots {
  const own = differences.filter(isOfSlot)
  const slots = new Map<string, object>(Object.entries(slotsOf(before)))
  for (const each of own) if (each.kind === 'moved') slots.delete(each.from)
  for (const { at, after } of own) {
    if (after === undefined) slots.delete(at)
    else slots.set(at, after)
  }
  return Object.fromEntries(slots)
}

/** Two drafts, also ones that differ in a few slots, or in the order of their slots' contents. */
const anyTwo = fc.oneof(
  fc.tuple(anyDraft, anyDraft),
  fc.tuple(anyRound, anyRound),
  anyDraft.chain((draft) =>
    fc
      .shuffledSubarray(draft.slots, { minLength: draft.slots.length })
      .map((order): [DraftContent, DraftContent] => {
        const { slots } = draft
        const moved = slots.map(({ mod, index }, at): RoundSlot => ({ ...order[at]!, mod, index }))
        return [draft, { ...draft, slots: moved }]
      }),
  ),
)

describe('the differences between two drafts', () => {
  it('are one for each slot that differs, which are enough to make the one of the other', () => {
    const property = fc.property(anyTwo, ([before, after]) => {
      const found = compareDrafts(before, after)
      const [was, is] = [slotsOf(before), slotsOf(after)]
      expect(applied(found, before)).toEqual(is)

      const own = found.filter(isOfSlot)
      const named = own.map(({ at }) => at)
      const moved = own.flatMap((each) => (each.kind === 'moved' ? [each.from] : []))
      // What has moved is told once, where it is now.
      const left = moved.filter((at) => is[at] === undefined)
      const changed = Object.keys({ ...was, ...is }).filter(
        (at) => JSON.stringify(was[at]) !== JSON.stringify(is[at]),
      )
      expect([...named, ...left].toSorted()).toEqual(changed.toSorted())
      for (const { at, before: old, after: now } of own) {
        expect([at, old, now]).toEqual([at, was[at], is[at]])
      }
    })
    fc.assert(property, { numRuns: 500 })
  })

  it('say of a beatmap that it has moved only where nothing else is lost by that', () => {
    const property = fc.property(anyTwo, ([before, after]) => {
      const [was, is] = [slotsOf(before), slotsOf(after)]
      const own = compareDrafts(before, after).filter(isOfSlot)
      const moves = own.flatMap((each) => (each.kind === 'moved' ? [each] : []))
      const gone = new Set(moves.map(({ from }) => from))
      expect(gone.size).toBe(moves.length)
      for (const { at, from } of moves) {
        expect(was[from]).toEqual(is[at])
        const held = Object.keys(was[at] ?? {}).length > 0
        expect(held && !gone.has(at)).toBe(false)
      }
    })
    fc.assert(property, { numRuns: 500 })
  })

  it('of a round that was only put into another order are moves alone', () => {
    const slots = ['NM1', 'NM2', 'NM3', 'HD1'].map((label, at) => ({
      ...placeOf(label),
      beatmapId: at + 1,
    }))
    const turned = slots.map((slot, at) => ({ ...slot, beatmapId: ((at + 1) % 4) + 1 }))
    const found = compareDrafts({ name: 'Finals', slots }, { name: 'Finals', slots: turned })
    expect(found.map(({ kind }) => kind)).toEqual(['moved', 'moved', 'moved', 'moved'])
  })
})
