import { describe, expect, it } from 'vitest'
import type { SitePack } from '../../src/contract/packs.ts'
import { type Draft, openingOf } from '../../src/web/editor/draft/draft.ts'
import { editOf, emptyEdit, liveKey } from '../../src/web/editor/edit.ts'
import { doubles } from '../../src/web/editing/lanes/lanes.ts'
import { sideEffects } from '../../src/web/editor/save/side-effects.ts'

const slots = [{ mod: 'NM', index: 1, beatmapId: 75 }]
const saved: SitePack = {
  slug: 'q7Jm2_xT0a',
  name: 'Cup',
  visibility: 'public',
  slots,
  exports: [],
  createdAt: '2026-10-03T18:00:00.000Z',
  updatedAt: '2026-10-03T18:00:00.000Z',
  packKey: liveKey(editOf({ name: 'Cup', slots })) ?? '',
  ownerName: 'Ada',
  isMine: true,
  isPinned: false,
}
const draftOf = (name: string, basedOn: string | null, base: string | null = null): Draft => ({
  edit: editOf({ ...saved, name }),
  base: base === null ? null : editOf({ ...saved, name: base }),
  sent: [],
  basedOn,
  changedAt: 7,
})

describe('what the editor begins with', () => {
  it('is the pack, or nothing', () => {
    expect(openingOf(saved, 'none').edit.name).toBe('Cup')
    expect(openingOf(null, 'none').edit.slots).toEqual([])
  })

  it('is the draft that was left', () => {
    const opening = openingOf(saved, draftOf('Mug', saved.updatedAt))
    expect(opening).toMatchObject({ draft: { changedAt: 7 }, base: null })
    expect(opening.edit.name).toBe('Mug')
    expect(openingOf(null, draftOf('Mug', null))).toMatchObject({ base: null })
  })

  it('says what the draft began from when the pack has been saved since', () => {
    const before = '2026-10-03T17:00:00.000Z'
    expect(openingOf(saved, draftOf('Mug', before, 'Jug')).base?.name).toBe('Jug')
    expect(openingOf(saved, draftOf('Mug', before)).base).toEqual(emptyEdit)
  })

  it('is the pack where the draft says the same', () => {
    expect(openingOf(saved, draftOf('Cup', 'long ago'))).toMatchObject({ draft: null })
  })

  it('says that a damaged draft was thrown away', () => {
    expect(openingOf(saved, 'damaged')).toMatchObject({ draft: null, wasDamaged: true })
  })
})

describe('what saving does beside saving', () => {
  const magnet = { kind: 'magnet' as const, url: 'magnet:?x', createdAt: saved.createdAt }
  const withMagnets = { ...saved, exports: [magnet, magnet] }
  const edit = editOf(saved)

  it('removes magnet links when the pack key changes, and only then (D-27)', () => {
    const renamed = { ...edit, name: 'Mug' }
    const told = sideEffects(withMagnets, renamed, liveKey(renamed)).magnets
    expect(told).toContain('removes 2 magnet links')
    expect(sideEffects(saved, renamed, liveKey(renamed)).magnets).toBeNull()
    const described = { ...edit, description: 'new' }
    expect(sideEffects(withMagnets, described, liveKey(described)).magnets).toBeNull()
  })

  it('takes the pin of a pack that is not public any more (D-30)', () => {
    const pinned = { ...saved, isPinned: true }
    expect(sideEffects(pinned, { ...edit, visibility: 'unlisted' }, null).pin).toContain('pinned')
    expect(sideEffects(pinned, edit, null).pin).toBeNull()
    expect(sideEffects(null, edit, null)).toEqual({ magnets: null, pin: null })
  })
})

describe('a beatmap in two slots', () => {
  it('is told at both', () => {
    const twice = editOf({ name: 'A', slots: [...slots, { mod: 'HD', index: 2, beatmapId: 75 }] })
    expect([...doubles(twice).values()]).toEqual(['HD2', 'NM1'])
    expect(doubles(editOf(saved)).size).toBe(0)
  })
})

describe('the live pack key', () => {
  it('is there once the edit is a pool', () => {
    expect(liveKey(editOf({ name: '', slots }))).toBeNull()
    expect(liveKey(editOf({ name: 'Cup', slots }))).toMatch(/^pk1\./)
  })
})
