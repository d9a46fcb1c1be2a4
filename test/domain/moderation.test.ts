import { expect, test } from 'vitest'
import { asModerator, asOperator, hide, pin, unhide, unpin } from '../../src/domain/moderation.ts'
import type { SavedPack } from '../../src/domain/packs.ts'
import { aNewPack } from '../ports/sample-pack.ts'

const packWith = (state: Partial<SavedPack>): SavedPack => ({
  ...aNewPack(),
  ownerUsername: 'Owner',
  ...state,
})
const by = { moderatorId: 'moderator', reason: 'off topic' }
const silent = asOperator()
const note = (action: string, at: number) => ({ ...by, action, at })
const rowOf = (...ranks: number[]) => ranks.map((pinnedRank) => packWith({ pinnedRank }))
const code = (does: () => unknown): unknown => {
  try {
    return does()
  } catch (error) {
    return (error as { code?: string }).code
  }
}

test('D-30: hiding removes the pin, says why, and is written down', () => {
  expect(hide(packWith({ pinnedRank: 3 }), by, 500)).toEqual({
    hiddenAt: 500,
    hiddenReason: 'off topic',
    pinnedRank: null,
    note: note('hide', 500),
  })
})

test('D-30: hiding a hidden pack keeps its first time; only another reason is news', () => {
  const hidden = packWith({ hiddenAt: 100, hiddenReason: 'off topic' })
  const asItWas = { hiddenAt: 100, hiddenReason: 'off topic', pinnedRank: null }
  expect(hide(hidden, by, 500)).toEqual(asItWas)
  expect(hide(hidden, silent, 500)).toEqual(asItWas)
  const other = { ...by, reason: 'stolen' }
  expect(hide(hidden, other, 500)).toEqual({
    ...asItWas,
    hiddenReason: 'stolen',
    note: { ...other, action: 'hide', at: 500 },
  })
})

test('D-30: an unlisted pack can be hidden and shown again', () => {
  const unlisted = packWith({ visibility: 'unlisted' })
  expect(hide(unlisted, silent, 500)).toMatchObject({ hiddenAt: 500, hiddenReason: null })
  expect(unhide({ ...unlisted, hiddenAt: 500, hiddenReason: 'x' }, by, 600)).toEqual({
    hiddenAt: null,
    hiddenReason: null,
    pinnedRank: null,
    note: note('unhide', 600),
  })
})

test('D-30: moderators never see private packs', () => {
  const secret = packWith({ visibility: 'private', hiddenAt: 5 })
  expect(code(() => hide(secret, by, 1))).toBe('not_found')
  expect(code(() => unhide(secret, by, 1))).toBe('not_found')
  expect(code(() => pin(secret, [], by, 1))).toBe('not_found')
  expect(code(() => unpin(secret, by, 1))).toBe('not_found')
})

test('D-30: a pin goes to the end of the row', () => {
  expect(pin(packWith({}), [], by, 7)).toMatchObject({ pinnedRank: 1, note: note('pin', 7) })
  expect(pin(packWith({}), rowOf(2, 7), by, 7).pinnedRank).toBe(8)
})

test('D-30: a pinned pack keeps its place, in a full row too', () => {
  const verdict = pin(packWith({ pinnedRank: 2 }), rowOf(1, 3, 4, 5, 6), by, 7)
  expect(verdict).toEqual({ hiddenAt: null, hiddenReason: null, pinnedRank: 2 })
})

test('D-30: at most 6 packs are pinned', () => {
  expect(pin(packWith({}), rowOf(1, 2, 3, 4, 5), by, 7).pinnedRank).toBe(6)
  expect(code(() => pin(packWith({}), rowOf(1, 2, 3, 4, 5, 6), by, 7))).toBe('conflict')
})

test('D-30: only public packs that are not hidden are pinned', () => {
  expect(code(() => pin(packWith({ visibility: 'unlisted' }), [], by, 7))).toBe('conflict')
  expect(code(() => pin(packWith({ hiddenAt: 1 }), [], by, 7))).toBe('conflict')
})

test('D-30: unpinning leaves the rest as it is', () => {
  expect(unpin(packWith({ pinnedRank: 2 }), by, 7)).toEqual({
    hiddenAt: null,
    hiddenReason: null,
    pinnedRank: null,
    note: note('unpin', 7),
  })
})

test('what changes nothing is not written down', () => {
  expect(unhide(packWith({ pinnedRank: 2 }), by, 7)).toEqual({
    hiddenAt: null,
    hiddenReason: null,
    pinnedRank: 2,
  })
  const hidden = packWith({ hiddenAt: 9, hiddenReason: 'x' })
  expect(unpin(hidden, by, 7)).toEqual({ hiddenAt: 9, hiddenReason: 'x', pinnedRank: null })
})

test('only moderators moderate', () => {
  const viewer = { isModerator: true, accountId: 'ada' }
  expect(asModerator(viewer)).toEqual({ moderatorId: 'ada', reason: null })
  expect(asModerator(viewer, ' why ')).toEqual({ moderatorId: 'ada', reason: 'why' })
  expect(code(() => asModerator({ ...viewer, isModerator: false }))).toBe('forbidden')
})

test.each([1, 300])(
  'D-47: a reason of %i characters is kept, what is around it is not',
  (length) => {
    const reason = 'x'.repeat(length)
    expect(asOperator(` ${reason} `).reason).toBe(reason)
  },
)

test.each(['', '   ', 'x'.repeat(301), 'a\nb', 'a\u0000', 'a\u2028b', '\ud800'])(
  'the reason %j is refused',
  (reason) => {
    expect(code(() => asOperator(reason))).toBe('bad_request')
  },
)
