import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Slot } from '../../src/contract/pools.ts'
import {
  addBucket,
  addSlot,
  changeBucket,
  moveBucket,
  removeBucket,
  renumberSlot,
} from '../../src/pool/edits.ts'
import { slotLabel, slotsInPoolOrder } from '../../src/pool/slots.ts'
import {
  type Edit,
  editOf,
  emptyEdit,
  inputOf,
  isSameEdit,
  withDraft,
} from '../../src/web/editor/edit.ts'
import {
  hasGaps,
  lanesOf,
  numberFromOne,
  placeOfStep,
  placeSlot,
  shownLanes,
  stepSlot,
} from '../../src/web/editing/lanes/lanes.ts'

/** `NM1 11` is the slot NM1 with beatmap 11; `1 12` has no bucket. */
const slot = (text: string): Slot => {
  const [, mod = '', index, id] = /^([A-Z]*)(\d+) (\d+)$/.exec(text) ?? []
  return { mod: mod === '' ? null : mod, index: Number(index), beatmapId: Number(id) }
}
const edit = (...slots: string[]): Edit => editOf({ name: 'Cup', slots: slots.map(slot) })
const told = (of: Edit): string[] =>
  slotsInPoolOrder(of).map((each) => `${slotLabel(each)} ${each.beatmapId}`)
const keyOf = (of: Edit, id: number): number =>
  of.slots.find(({ beatmapId }) => beatmapId === id)?.key ?? -1
const place = (of: Edit, id: number, mod: string | null, at: number): string[] =>
  told(placeSlot(of, keyOf(of, id), mod, at))

describe('an edit', () => {
  it('begins as an unlisted pack with the six built-in buckets and nothing in them', () => {
    expect(inputOf(emptyEdit)).toEqual({ name: '', slots: [], visibility: 'unlisted' })
    expect(lanesOf(emptyEdit).map(({ mod }) => mod)).toEqual(['NM', 'HD', 'HR', 'DT', 'FM', 'TB'])
  })

  it('gives back the pack that it was made of, its slots in pool order', () => {
    const pack = {
      name: 'Cup',
      description: 'Two lines\nof it',
      visibility: 'public' as const,
      buckets: ['NM', 'HD', 'HR', 'DT', 'FM'].map((code) => ({ code })),
      slots: [slot('TB1 3'), slot('HD1 2'), slot('1 1')],
    }
    const custom = { code: 'RC', color: 3, mods: { kind: 'free' as const } }
    const all = { ...pack, buckets: [...pack.buckets, custom, { code: 'TB' }] }
    const slots = pack.slots.toReversed()
    expect(inputOf(editOf(all as Parameters<typeof editOf>[0]))).toEqual({ ...all, slots })
  })

  it('trims texts, leaves an empty description out, and the default table too (D-19, D-22)', () => {
    const input = inputOf({ ...edit('NM1 1'), name: '  Cup ', description: ' \n ' })
    expect(Object.keys(input)).toEqual(['name', 'visibility', 'slots'])
    expect(input.name).toBe('Cup')
  })

  it('is the same whatever the order in which its slots are kept (D-27)', () => {
    expect(isSameEdit(edit('NM1 1', 'NM2 2'), edit('NM2 2', 'NM1 1'))).toBe(true)
    expect(isSameEdit(edit('NM1 1'), edit('NM2 1'))).toBe(false)
    expect(isSameEdit(edit(), { ...edit(), visibility: 'private' })).toBe(false)
  })

  it('keeps the keys of slots that stay, and gives others new ones', () => {
    const before = edit('NM1 1', 'NM2 2')
    const [one, two] = before.slots.map(({ key }) => key)
    const added = withDraft(before, addSlot(before, 'NM', 3))
    expect(added.slots.map(({ key }) => key)).toEqual([one, two, expect.any(Number)])
    expect(new Set(added.slots.map(({ key }) => key)).size).toBe(3)
    const renumbered = withDraft(added, renumberSlot(added, 0, 2))
    expect(told(renumbered)).toEqual(['NM1 2', 'NM2 1', 'NM3 3'])
    expect(keyOf(renumbered, 1)).toBe(one)
    // A reader may give plain slots back.
    const plain = before.slots.map(({ mod, index, beatmapId }) => ({ mod, index, beatmapId }))
    const read = withDraft(before, { ...before, slots: [slot('HD1 9'), ...plain] })
    expect([keyOf(read, 1), keyOf(read, 2)]).toEqual([one, two])
  })

  it('takes codes that only slots name for new buckets (D-22)', () => {
    expect(lanesOf(edit('RC1 5')).map(({ mod }) => mod)).toContain('RC')
  })

  it('adds, changes and removes custom buckets; no beatmap is lost', () => {
    const added = withDraft(edit('NM1 1'), addBucket(edit('NM1 1'), 'RC'))
    const codes = lanesOf(added).map(({ mod }) => mod)
    expect(codes).toEqual(['NM', 'HD', 'HR', 'DT', 'FM', 'RC', 'TB'])
    const filled = withDraft(added, addSlot(added, 'RC', 7))
    const changed = changeBucket(filled, 'RC', { code: 'SV', color: 4 })
    expect(told(withDraft(filled, changed))).toEqual(['NM1 1', 'SV1 7'])
    const removed = withDraft(filled, removeBucket(filled, 'RC'))
    expect(told(removed)).toEqual(['1 7', 'NM1 1'])
    expect(lanesOf(removed)[0]?.mod).toBeNull()
  })
})

describe('the lanes as they are shown', () => {
  const codes = ['NM', 'HD', 'HR', 'DT', 'FM', 'TB'] as const
  const filled = fc.uniqueArray(fc.constantFrom(...codes))
  const modsOf = (of: Edit) => shownLanes(of).map(({ mod }) => mod)
  const editWith = (mods: readonly string[]) => edit(...mods.map((mod, at) => `${mod}1 ${at + 1}`))

  it('are all lanes: those with slots first, each part in pool order', () => {
    fc.assert(
      fc.property(filled, (mods) => {
        const inOrder = (isFilled: boolean) =>
          codes.filter((mod) => mods.includes(mod) === isFilled)
        expect(modsOf(editWith(mods))).toEqual([...inOrder(true), ...inOrder(false)])
      }),
    )
  })

  it('move as one presses: by one lane among those with slots, or those without', () => {
    fc.assert(
      fc.property(
        filled,
        fc.constantFrom(...codes),
        fc.constantFrom<-1 | 1>(-1, 1),
        (mods, code, by) => {
          const before = editWith(mods)
          const to = placeOfStep(before, code, by)
          const lanes = modsOf(before)
          const inUse = new Set<string | null>(mods)
          const at = lanes.indexOf(code)
          const next = lanes[at + by]
          if (next === undefined || inUse.has(next) !== inUse.has(code)) {
            expect(to).toBeNull()
            return
          }
          const after = withDraft(before, moveBucket(before, code, to!))
          expect(modsOf(after)).toEqual(lanes.with(at, next).with(at + by, code))
        },
      ),
    )
  })
})

describe('putting a slot elsewhere', () => {
  const pool = edit('NM1 1', 'NM2 2', 'NM3 3', 'HD1 4', 'HD2 5')

  it('renumbers by the order within a lane', () => {
    expect(place(pool, 3, 'NM', 0).slice(0, 3)).toEqual(['NM1 3', 'NM2 1', 'NM3 2'])
    expect(place(pool, 1, 'NM', 1).slice(0, 3)).toEqual(['NM1 2', 'NM2 1', 'NM3 3'])
  })

  it('keeps numbers that were left free within a lane', () => {
    const gappy = edit('NM1 1', 'NM2 2', 'NM7 3')
    expect(place(gappy, 1, 'NM', 2)).toEqual(['NM1 2', 'NM2 3', 'NM7 1'])
  })

  it('makes room in the other lane, and closes up behind it', () => {
    expect(place(pool, 1, 'HD', 1)).toEqual(['NM1 2', 'NM2 3', 'HD1 4', 'HD2 1', 'HD3 5'])
    expect(place(pool, 1, 'TB', 0)).toEqual(['NM1 2', 'NM2 3', 'HD1 4', 'HD2 5', 'TB 1'])
    expect(place(pool, 5, null, 0)[0]).toBe('1 5')
  })

  it('lets a free number take the push, and fills it when put there', () => {
    const gappy = edit('NM1 1', 'HD1 2', 'HD3 3', 'HD4 4')
    expect(place(gappy, 1, 'HD', 0)).toEqual(['HD1 1', 'HD2 2', 'HD3 3', 'HD4 4'])
    expect(place(gappy, 1, 'HD', 1)).toEqual(['HD1 2', 'HD2 1', 'HD3 3', 'HD4 4'])
  })

  it('numbers a lane anew where 99 is in the way', () => {
    expect(place(edit('NM1 1', 'HD98 2', 'HD99 3'), 1, 'HD', 2)).toEqual([
      'HD1 2',
      'HD2 3',
      'HD3 1',
    ])
  })

  it('changes nothing when it stays where it is, or is not there', () => {
    expect(placeSlot(pool, keyOf(pool, 2), 'NM', 1)).toBe(pool)
    expect(placeSlot(pool, 999, 'NM', 0)).toBe(pool)
  })

  it('takes a place beyond the end for the end', () => {
    expect(place(pool, 1, 'HD', 99).at(-1)).toBe('HD3 1')
  })
})

describe('stepping a slot by keys', () => {
  const pool = edit('NM1 1', 'NM2 2', 'HR1 3')
  const step = (id: number, by: -1 | 1) => told(stepSlot(pool, keyOf(pool, id), by))

  it('goes up and down within its lane', () => {
    expect(step(1, 1)).toEqual(['NM1 2', 'NM2 1', 'HR1 3'])
    expect(step(2, -1)).toEqual(['NM1 2', 'NM2 1', 'HR1 3'])
  })

  it('goes over the edge into the next lane, empty ones too', () => {
    expect(step(2, 1)).toEqual(['NM1 1', 'HD1 2', 'HR1 3'])
    expect(step(3, 1)).toEqual(['NM1 1', 'NM2 2', 'DT1 3'])
  })

  it('stays at the top and at the foot of the pool', () => {
    expect(stepSlot(pool, keyOf(pool, 1), -1)).toBe(pool)
    const last = edit('TB1 9')
    expect(stepSlot(last, keyOf(last, 9), 1)).toBe(last)
  })
})

describe('free numbers', () => {
  it('are seen, and closed when asked', () => {
    const gappy = edit('NM2 1', 'NM5 2', 'HD1 3')
    expect(lanesOf(gappy).map(hasGaps).slice(0, 2)).toEqual([true, false])
    expect(told(numberFromOne(gappy, 'NM'))).toEqual(['NM1 1', 'NM2 2', 'HD1 3'])
  })
})
