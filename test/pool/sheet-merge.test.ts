import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RoundSlot } from '../../src/contract/rounds.ts'
import {
  fieldDifferences,
  isFieldTakenAtFirst,
  isTakenAtFirst,
  maySetField,
  type SheetDifference,
  sheetChanges,
  sheetDifferences,
  takenFields,
} from '../../src/pool/sheet-merge.ts'
import {
  roundFields,
  roundLinks,
  type SentRoundFields,
  slotWords,
} from '../../src/pool/round-fields.ts'
import { placeKey } from '../../src/pool/slots.ts'
import { anyRound } from '../support/any-round.ts'

const nm1 = { mod: 'NM', index: 1 }

const anyFilling = fc.oneof(
  fc.record({ beatmapId: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ placeholder: fc.constantFrom('TBA', 'due Sunday') }),
  fc.constant({}),
)
const anySlot = fc
  .tuple(
    fc.record({
      mod: fc.constantFrom('NM', 'HD', 'RC', null),
      index: fc.integer({ min: 1, max: 3 }),
    }),
    anyFilling,
    fc.record(
      { details: fc.constant({ title: 'Reef' }), link: fc.constant('https://files.example/1') },
      { requiredKeys: [] },
    ),
  )
  .map(([place, filling, known]): RoundSlot => ({ ...place, ...filling, ...known }))
const anySlots = fc.uniqueArray(anySlot, { maxLength: 10, selector: placeKey })

/** The draft after these changes, which are all of slots that are as they were seen. */
function applied(draft: readonly RoundSlot[], taken: readonly SheetDifference[]): RoundSlot[] {
  const slots = new Map(draft.map((slot) => [placeKey(slot), slot]))
  for (const { mod, index, from, to } of sheetChanges(taken)) {
    const key = placeKey({ mod, index })
    const { mod: _, index: __, ...seen } = slots.get(key) ?? { mod, index }
    const isEmpty = Object.keys(seen).length === 0
    expect(from).toEqual(!slots.has(key) ? 'none' : isEmpty ? null : seen)
    if (to === 'none') slots.delete(key)
    else slots.set(key, { mod, index, ...to })
  }
  return [...slots.values()]
}

describe('a sheet that comes again (D-83)', () => {
  it('loses nothing that it leaves out, takes what it has, and changes nothing when it comes twice', () => {
    fc.assert(
      fc.property(anySlots, anySlots, (draft, sheet) => {
        const differences = sheetDifferences({ slots: draft }, { slots: sheet })
        const after = applied(draft, differences.filter(isTakenAtFirst))
        const places = new Set([...draft, ...sheet].map(placeKey))
        expect(new Set(differences.map(placeKey))).toEqual(places)
        expect(new Set(after.map(placeKey))).toEqual(places)
        const at = (slots: readonly RoundSlot[], slot: RoundSlot) =>
          slots.find((each) => placeKey(each) === placeKey(slot))
        for (const slot of after) {
          const [was, row] = [at(draft, slot), at(sheet, slot)]
          expect(slot.beatmapId).toBe(row?.beatmapId ?? was?.beatmapId)
          const isKept = row?.beatmapId === undefined && was?.beatmapId !== undefined
          const isOther =
            !isKept && was?.beatmapId !== undefined && row?.beatmapId !== was.beatmapId
          if (isKept) expect(slot).toEqual(was)
          else if (!isOther) expect(slot.link).toBe(row?.link ?? was?.link)
          if (row === undefined) expect(slot).toEqual(was)
        }
        const again = sheetDifferences({ slots: after }, { slots: sheet })
        expect(sheetChanges(again.filter(isTakenAtFirst))).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('removes what it leaves out only when that is asked for', () => {
    const [missing] = sheetDifferences({ slots: [{ ...nm1, beatmapId: 5 }] }, { slots: [] })
    expect(missing).toEqual({ ...nm1, kind: 'missing', from: { beatmapId: 5 }, to: 'none' })
    expect(isTakenAtFirst(missing!)).toBe(false)
    expect(sheetChanges([missing!])).toEqual([{ ...nm1, from: { beatmapId: 5 }, to: 'none' }])
  })

  it.each([
    { code: 'NM', index: 1 },
    { code: 'NM', index: null },
    { code: null, index: null },
  ])('keeps a slot whose line could not be read, %j', (place) => {
    const draft = [nm1, { mod: 'HD', index: 1 }].map((slot) => ({ ...slot, beatmapId: 5 }))
    const found = sheetDifferences({ slots: draft }, { slots: [], unread: [place] })
    const kinds = found.map(({ kind }) => kind)
    expect(kinds).toEqual(['unread', place.code === null ? 'unread' : 'missing'])
    expect(sheetChanges(found.slice(0, 1))).toEqual([])
  })

  it.each([{ placeholder: 'TBA' }, {}])('%j empties no slot that has a beatmap by now', (row) => {
    const draft = { slots: [{ ...nm1, beatmapId: 5 }] }
    const [kept] = sheetDifferences(draft, { slots: [{ ...nm1, ...row }] })
    expect(kept).toMatchObject({ kind: 'kept', to: { beatmapId: 5 } })
    expect(sheetChanges([kept!])).toEqual([])
  })

  it.each([{}, { placeholder: 'due Sunday' }, { details: { title: 'Reef' } }])(
    'TBA says nothing, and takes nothing from a slot that holds %j',
    (filling) => {
      const [row] = sheetDifferences(
        { slots: [{ ...nm1, ...filling }] },
        { slots: [{ ...nm1, placeholder: 'TBA' }] },
      )
      expect(sheetChanges([row!])).toEqual([])
      expect(row).toMatchObject({ kind: Object.keys(filling).length === 0 ? 'same' : 'kept' })
    },
  )

  it.each([
    ['the mapper out of the title', { title: 'Tidal (Ada)' }, { title: 'Tidal', mapper: 'Ada' }],
    ['exchanged parts', { title: 'Tidal', mapper: 'Ada' }, { title: 'Ada', mapper: 'Tidal' }],
  ])('takes what corrects the parts of a song: %s', (_what, details, corrected) => {
    const [row] = sheetDifferences(
      { slots: [{ ...nm1, details }] },
      { slots: [{ ...nm1, details: corrected }] },
    )
    expect(row).toMatchObject({ kind: 'changed', to: { details: corrected } })
  })

  it('shows no difference whose two sides read the same', () => {
    const anyText = fc.constantFrom('Tidal', 'Tidal by Foo', 'Tidal [Ebb]', 'Foo', 'Ebb')
    const anyDetails = fc.record(
      { artist: anyText, title: anyText, difficulty: anyText, mapper: anyText },
      { requiredKeys: ['title'] },
    )
    const anyRow = fc.oneof(
      anyDetails.map((details) => ({ details })),
      anyFilling,
    )
    let same = 0
    fc.assert(
      fc.property(anyRow, anyRow, (filling, row) => {
        const [found] = sheetDifferences(
          { slots: [{ ...nm1, ...filling }] },
          { slots: [{ ...nm1, ...row }] },
        )
        const [from, to] = [found!.from, found!.to].map((content) =>
          content === 'none' ? '' : slotWords(content ?? {}),
        )
        if (from !== to) expect(found!.kind).toBe('changed')
        else {
          same += 1
          expect(sheetChanges([found!])).toEqual([])
        }
      }),
      { numRuns: 500 },
    )
    expect(same).toBeGreaterThan(10)
    // Written as one text, what the game would write comes back as a title.
    const [known] = sheetDifferences(
      { slots: [{ ...nm1, details: { artist: 'A', title: 'Tidal', mapper: 'Foo' } }] },
      { slots: [{ ...nm1, details: { artist: 'A', title: 'Tidal by Foo' } }] },
    )
    expect(known).toMatchObject({ kind: 'same', to: { details: { mapper: 'Foo' } } })
  })

  it('keeps the link of a slot that gets its beatmap, and says what becomes of it', () => {
    const link = 'https://files.example/reef.osz'
    const draft = { slots: [{ ...nm1, placeholder: 'due Sunday', link }] }
    const [filled] = sheetDifferences(draft, { slots: [{ ...nm1, beatmapId: 5 }] })
    expect(filled).toMatchObject({
      kind: 'changed',
      from: { placeholder: 'due Sunday', link },
      to: { beatmapId: 5, link },
    })
  })
})

describe('the fields of a round in a sheet (D-83, D-85)', () => {
  const links: readonly string[] = Object.keys(roundLinks({}))
  /** Some of the fields, by the table of them. */
  const anyFields = fc
    .tuple(anyRound, fc.subarray([...roundFields.names]))
    .map(([round, names]): SentRoundFields => {
      const all = roundFields.sent(round)
      return Object.fromEntries(names.map((name) => [name, all[name]]))
    })

  it('are taken where the round has none, or another that is drafted; what the sheet leaves out stays', () => {
    const property = fc.property(anyFields, anyFields, (round, sheet) => {
      const found = fieldDifferences(round, sheet)
      const after = { ...round, ...takenFields(found.filter(isFieldTakenAtFirst)) }
      for (const field of roundFields.names) {
        const isKept = links.includes(field) && round[field] !== undefined
        const wanted = isKept ? round[field] : (sheet[field] ?? round[field])
        expect(roundFields.isSame({ [field]: after[field] }, { [field]: wanted })).toBe(true)
      }
      const all = { ...round, ...sheet }
      expect(roundFields.isSame({ ...round, ...takenFields(found) }, all)).toBe(true)
      expect(fieldDifferences(all, sheet)).toEqual([])
      for (const each of found) {
        expect(maySetField(each, true)).toBe(true)
        expect(maySetField(each, false)).toBe(!links.includes(each.field))
      }
    })
    fc.assert(property)
  })
})
