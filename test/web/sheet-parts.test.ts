import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RoundSlot } from '../../src/contract/rounds.ts'
import { slotContent } from '../../src/pool/round-fields.ts'
import { isTakenAtFirst } from '../../src/pool/sheet-merge.ts'
import { placeKey } from '../../src/pool/slots.ts'
import {
  changesOf,
  entryOf,
  fieldChangesOf,
  mergeOf,
} from '../../src/web/tournament-edit/sheet-merge.tsx'
import {
  firstShown,
  followed,
  type ShownRound,
  withDecision,
} from '../../src/web/tournament-edit/sheet-parts.ts'

const anyPlace = fc.record({
  mod: fc.constantFrom('NM', 'HD'),
  index: fc.integer({ min: 1, max: 3 }),
})
const anyFilling = fc.oneof(
  fc.record({ beatmapId: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ placeholder: fc.constantFrom('later', 'due Sunday') }),
  fc.constant({}),
)
const anySlot = fc
  .tuple(anyPlace, anyFilling)
  .map(([place, filling]): RoundSlot => ({ ...place, ...filling }))
const anySlots = fc.uniqueArray(anySlot, { maxLength: 6, selector: placeKey })

const roundOf = (slots: readonly RoundSlot[], id = 'b3JkZXIgbX'): ShownRound => ({
  id,
  slots: [...slots],
})
const sheetOf = (
  slots: RoundSlot[],
  roundFields: Partial<Record<'mapPackUrl' | 'showcaseUrl', string>> = {},
) => ({ round: { name: '', slots, buckets: [], newBuckets: [], unread: [] }, roundFields })
const without = (slots: readonly RoundSlot[], key: string): RoundSlot[] =>
  slots.filter((each) => placeKey(each) !== key)

describe('what a sheet would change while others change the round (D-83)', () => {
  it('is taken only if it was decided by what the slot holds now; what changed is marked', () => {
    const anyStep = fc.oneof(
      anySlot.map((slot) => ({ kind: 'fill', slot }) as const),
      anyPlace.map((slot) => ({ kind: 'remove', slot }) as const),
      fc
        .tuple(anyPlace, fc.boolean())
        .map(([slot, isTaken]) => ({ kind: 'decide', slot, isTaken }) as const),
    )
    fc.assert(
      fc.property(
        anySlots,
        anySlots,
        fc.array(anyStep, { maxLength: 12 }),
        (first, rows, steps) => {
          let slots: readonly RoundSlot[] = first
          let part = firstShown(roundOf(slots))
          const contentAt = (key: string): string =>
            JSON.stringify(slotContent(slots.find((each) => placeKey(each) === key)))
          const changed = new Set<string>()
          const decided = new Map<string, boolean>()
          for (const step of steps) {
            const key = placeKey(step.slot)
            if (step.kind === 'decide') {
              part = withDecision(part, [key], step.isTaken)
              decided.set(key, step.isTaken)
              continue
            }
            const before = contentAt(key)
            slots = [...without(slots, key), ...(step.kind === 'fill' ? [step.slot] : [])]
            part = followed(part, roundOf(slots))
            if (contentAt(key) !== before) {
              changed.add(key)
              decided.set(key, false)
            }
          }
          expect(part.changed).toEqual(changed)
          const merge = mergeOf(part.round!, sheetOf(rows), part.decided, true)
          for (const each of merge.differences) {
            const key = placeKey(each)
            const isOpen = each.kind !== 'same' && each.kind !== 'kept'
            const isTaken = isOpen && (decided.get(key) ?? isTakenAtFirst(each))
            expect(merge.taken.includes(each)).toBe(isTaken)
            expect(JSON.stringify(each.from)).toBe(contentAt(key))
          }
          // Each is sent as a change from what was shown.
          expect(changesOf(merge, {}, []).map(({ from }) => from ?? '"none"')).toEqual(
            merge.taken.map(({ from }) => (from === null ? '{}' : JSON.stringify(from))),
          )
        },
      ),
      { numRuns: 500 },
    )
  })

  it('has a row for each link of the round that the sheet has and the round has not, for hosts alone (D-61, D-85)', () => {
    const [one, two] = ['https://files.example/1.zip', 'https://video.example/2']
    const sheet = sheetOf([], { mapPackUrl: one, showcaseUrl: two })
    const round = { ...roundOf([]), showcaseUrl: 'https://video.example/old' }
    const part = firstShown(round)
    const merge = mergeOf(round, sheet, part.decided, true)
    expect(merge.fields.map(({ field, kind }) => [field, kind])).toEqual([
      ['mapPackUrl', 'new'],
      ['showcaseUrl', 'changed'],
    ])
    // Another link is replaced only if somebody says so.
    const ofPack = { cell: 'field mapPackUrl', from: null, to: JSON.stringify(one) }
    expect(fieldChangesOf(merge)).toEqual([ofPack])
    const decided = withDecision(part, ['showcaseUrl'], true)
    expect(fieldChangesOf(mergeOf(round, sheet, decided.decided, true))).toEqual([
      ofPack,
      {
        cell: 'field showcaseUrl',
        from: JSON.stringify('https://video.example/old'),
        to: JSON.stringify(two),
      },
    ])
    const now = followed(decided, { ...round, showcaseUrl: 'https://video.example/newer' })
    expect([...now.changed]).toEqual(['showcaseUrl'])
    expect(fieldChangesOf(mergeOf(now.round!, sheet, now.decided, true))).toEqual([ofPack])
    expect(mergeOf(round, sheet, decided.decided, false).fields).toEqual([])
    const entry = { name: 'Finals', pasted: sheet }
    expect(entryOf(entry, true)).toMatchObject({ mapPackUrl: one, showcaseUrl: two })
    expect(entryOf(entry, false)).not.toHaveProperty('mapPackUrl')
  })

  it('takes no round that came or went since it was shown, unless it is chosen again', () => {
    const [there, other] = [roundOf([]), roundOf([], 'c2Vjb25kMT')]
    for (const [before, now] of [
      [undefined, there],
      [there, undefined],
      [there, other],
    ]) {
      const part = followed(firstShown(before), now)
      expect(part).toMatchObject({ isTaken: false, isOther: true })
      expect(followed({ ...part, isTaken: true }, now)).toMatchObject({ isTaken: true })
    }
    expect(followed(firstShown(undefined), undefined)).toMatchObject({ isTaken: true })
  })
})
