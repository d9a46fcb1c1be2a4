import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Round } from '../../src/contract/rounds.ts'
import { roundFields, roundLinks, slotContent } from '../../src/pool/round-fields.ts'
import { bucketTable, placeKey, slotsInPoolOrder } from '../../src/pool/slots.ts'
import { changesBetween, withChanges } from '../../src/web/editing/changes.ts'
import { readSource } from '../../src/web/editing/paste/read-source.ts'
import { writeUnsaved } from '../../src/web/editing/unsaved.ts'
import { readActions } from '../../src/web/tournament-edit/unsaved-actions.ts'
import { sentRound } from '../../src/web/tournament-edit/rounds.ts'
import { roundEditOf, roundInputOf } from '../../src/web/tournament-edit/round-store.ts'
import {
  changesOf,
  entryOf,
  fieldChangesOf,
  mergeOf,
} from '../../src/web/tournament-edit/sheet-merge.tsx'
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

  it('is not lost while a change of it is kept in the browser', () => {
    const property = fc.property(anyRound, anyRound, (round, other) => {
      const changes = changesBetween(roundEditOf(asPage(round)), roundEditOf(asPage(other)))
      const actions = changes.map((each, at) => ({ label: each.cell, at, changes: [each] }))
      expect(readActions(writeUnsaved({ actions }))).toEqual(actions)
    })
    fc.assert(property)
  })

  it('is sent whole when rounds are arranged', () => {
    const property = fc.property(anyRound, (round) => {
      expect(sentRound(asPage(round))).toEqual({ id, ...round })
    })
    fc.assert(property)
  })

  it('stays, but for slots that are taken, when a sheet is pasted over it (D-83)', () => {
    const property = fc.property(anyRound, anyRound, (round, sheet) => {
      const { name, slots: rows } = sheet
      const pool = {
        name,
        slots: rows,
        buckets: bucketTable(sheet.buckets),
        newBuckets: [],
        unread: [],
      }
      const merge = mergeOf(asPage(round), { round: pool, roundFields: {} }, new Map(), true)
      const edit = roundEditOf(asPage(round))
      const changes = changesOf(merge, round, pool.buckets)
      const { slots, buckets: _, ...fields } = roundInputOf(withChanges(edit, changes))
      const { slots: before, buckets: __, ...rest } = round
      expect(fields).toEqual(rest)
      const places = new Set([...before, ...sheet.slots].map(placeKey))
      expect(new Set(slots?.map(placeKey))).toEqual(places)
      for (const { mod, index, to } of merge.taken) {
        const slot = slots?.find((each) => each.mod === mod && each.index === index)
        expect(slotContent(slot)).toEqual(to)
      }
    })
    fc.assert(property)
  })

  const pasted = async (round: WholeRound) => {
    const text = JSON.stringify({ rounds: [asPage(round)] })
    const reply = await readSource({ source: { kind: 'text', text }, isOfRounds: true })
    if (reply.kind !== 'read') throw new Error(reply.kind)
    return reply.read.pools[0]!
  }

  it('comes with a new round that is pasted as JSON', async () => {
    const property = fc.asyncProperty(anyRound, fc.boolean(), async (round, isHost) => {
      const entry = entryOf({ name: round.name, pasted: await pasted(round) }, isHost)
      const links = isHost ? {} : roundLinks({})
      expect(roundFields.stored(entry)).toEqual({ ...roundFields.stored(round), ...links })
    })
    await fc.assert(property)
  })

  it('is merged with a round that is there when JSON is pasted over it', async () => {
    const property = fc.asyncProperty(anyRound, anyRound, async (round, sheet) => {
      const links = new Map(Object.keys(roundLinks({})).map((field) => [field, true]))
      const merge = mergeOf(asPage(round), await pasted(sheet), links, true)
      const edit = withChanges(roundEditOf(asPage(round)), fieldChangesOf(merge))
      expect(roundFields.stored(roundInputOf(edit))).toEqual(roundFields.stored(sheet))
    })
    await fc.assert(property)
  })
})
