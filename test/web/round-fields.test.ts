import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Round } from '../../src/contract/rounds.ts'
import { plainRoundSlot } from '../../src/pool/round-fields.ts'
import { bucketTable, slotsInPoolOrder } from '../../src/pool/slots.ts'
import { changesBetween, withChanges } from '../../src/web/editing/changes.ts'
import { sentRound } from '../../src/web/tournament-edit/model.ts'
import { roundEditOf, roundInputOf } from '../../src/web/tournament-edit/round-store.ts'
import { entryOf } from '../../src/web/tournament-edit/sheet.tsx'
import { anyRound, type WholeRound } from '../support/any-round.ts'

const id = 'b3JkZXIgbX'
/** As pages receive it. */
const asPage = (round: WholeRound): Round => ({ id, ...round, createdAt: 'x', updatedAt: 'x' })
/** As editors save it: slots in pool order. */
const inOrder = (round: WholeRound) => ({ ...round, slots: slotsInPoolOrder(round) })

describe('what hosts draft of a round', () => {
  it('is saved by the editor as it was opened', () => {
    const property = fc.property(anyRound, (round) => {
      expect(roundInputOf(roundEditOf(asPage(round)))).toEqual(inOrder(round))
    })
    fc.assert(property)
  })

  it('is made of any other round by the changes of the editor', () => {
    const property = fc.property(anyRound, anyRound, (round, other) => {
      const [before, after] = [roundEditOf(asPage(round)), roundEditOf(asPage(other))]
      const changed = withChanges(before, changesBetween(before, after))
      expect(roundInputOf(changed)).toEqual(inOrder(other))
    })
    fc.assert(property)
  })

  it('is sent whole when rounds are arranged', () => {
    const property = fc.property(anyRound, (round) => {
      expect(sentRound(asPage(round))).toEqual({ id, ...round })
    })
    fc.assert(property)
  })

  it('stays, but for the pool, when a sheet is pasted over it', () => {
    const property = fc.property(anyRound, anyRound, (round, sheet) => {
      const pool = { name: sheet.name, slots: sheet.slots, buckets: bucketTable(sheet.buckets) }
      const part = { name: sheet.name, pasted: { round: pool }, replaces: asPage(round) }
      const { slots: _, buckets: __, ...rest } = round
      const slots = sheet.slots.map(plainRoundSlot)
      expect(sentRound(entryOf(part as never))).toEqual({
        id,
        ...rest,
        slots,
        ...(sheet.buckets && { buckets: sheet.buckets }),
      })
    })
    fc.assert(property)
  })
})
