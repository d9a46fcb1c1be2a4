import { expect, test } from 'vitest'
import { hide, pin, unhide, unpin } from '../../src/domain/moderation.ts'
import type { SavedPack } from '../../src/domain/saved-pack.ts'

const packWith = (state: Partial<SavedPack>): SavedPack => ({
  slug: 'abcdefghij',
  ownerId: 'owner',
  ownerUsername: 'Owner',
  name: 'Pack',
  visibility: 'public',
  description: null,
  slots: [{ mod: 'NM', index: 1, beatmapId: 75 }],
  buckets: null,
  packKey: 'pk1.x',
  exports: [],
  hiddenAt: null,
  pinnedRank: null,
  stats: null,
  createdAt: 1,
  updatedAt: 1,
  ...state,
})
const rowOf = (...ranks: number[]) => ranks.map((pinnedRank) => packWith({ pinnedRank }))
const code = (does: () => unknown): unknown => {
  try {
    return does()
  } catch (error) {
    return (error as { code?: string }).code
  }
}

test('D-30: hiding removes the pin', () => {
  expect(hide(packWith({ pinnedRank: 3 }), 500)).toEqual({ hiddenAt: 500, pinnedRank: null })
})

test('D-30: hiding a hidden pack keeps the time at which it was hidden first', () => {
  expect(hide(packWith({ hiddenAt: 100 }), 500)).toEqual({ hiddenAt: 100, pinnedRank: null })
})

test('D-30: an unlisted pack can be hidden and shown again', () => {
  const unlisted = packWith({ visibility: 'unlisted' })
  expect(hide(unlisted, 500).hiddenAt).toBe(500)
  expect(unhide({ ...unlisted, hiddenAt: 500 })).toEqual({ hiddenAt: null, pinnedRank: null })
})

test('D-30: moderators never see private packs', () => {
  const secret = packWith({ visibility: 'private', hiddenAt: 5 })
  expect(code(() => hide(secret, 1))).toBe('not_found')
  expect(code(() => unhide(secret))).toBe('not_found')
  expect(code(() => pin(secret, []))).toBe('not_found')
  expect(code(() => unpin(secret))).toBe('not_found')
})

test('D-30: a pin goes to the end of the row', () => {
  expect(pin(packWith({}), []).pinnedRank).toBe(1)
  expect(pin(packWith({}), rowOf(2, 7)).pinnedRank).toBe(8)
})

test('D-30: a pinned pack keeps its place, in a full row too', () => {
  expect(pin(packWith({ pinnedRank: 2 }), rowOf(1, 3, 4, 5, 6)).pinnedRank).toBe(2)
})

test('D-30: at most 6 packs are pinned', () => {
  expect(pin(packWith({}), rowOf(1, 2, 3, 4, 5)).pinnedRank).toBe(6)
  expect(code(() => pin(packWith({}), rowOf(1, 2, 3, 4, 5, 6)))).toBe('conflict')
})

test('D-30: only public packs that are not hidden are pinned', () => {
  expect(code(() => pin(packWith({ visibility: 'unlisted' }), []))).toBe('conflict')
  expect(code(() => pin(packWith({ hiddenAt: 1 }), []))).toBe('conflict')
})

test('D-30: unpinning leaves the rest as it is', () => {
  expect(unpin(packWith({ pinnedRank: 2 }))).toEqual({ hiddenAt: null, pinnedRank: null })
  expect(unpin(packWith({ hiddenAt: 9 }))).toEqual({ hiddenAt: 9, pinnedRank: null })
})
