import { expect, test } from 'vitest'
import {
  asModerator,
  asOperator,
  asOperatorFor,
  hide,
  pin,
  presentLogEntry,
  presentModeratedPack,
  presentModeratedTournament,
  presentNote,
  presentPlayer,
  unhide,
  unpin,
} from '../../src/domain/moderation.ts'
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
  expect(code(() => hide(hidden, { ...other, replaces: false }, 500))).toBe('conflict')
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

test('D-76: a pack of a suspended player is not pinned', () => {
  expect(code(() => pin(packWith({}), [], by, 7, true))).toBe('conflict')
})

test('an operator who has to say why says it', () => {
  expect(asOperatorFor(' spam ')).toEqual({ moderatorId: null, reason: 'spam' })
  expect(code(() => asOperatorFor(' '))).toBe('bad_request')
})

const [at, time] = [1_000, '1970-01-01T00:00:01.000Z']

test('a moderated pack says whose it is, who hid it and whether its owner is suspended', () => {
  const pack = packWith({ slug: 'slug-00001', hiddenAt: at, hiddenReason: 'stolen' })
  const viewer = { accountId: 'mod', isModerator: true }
  const row = { pack, ownerGameId: 7, hiddenBy: null, isSuspended: false }
  const shown = presentModeratedPack(row, viewer, 'Pools')
  expect(shown).toMatchObject({
    slug: 'slug-00001',
    hiddenAt: time,
    hiddenReason: 'stolen',
    ownerGameId: 7,
  })
  expect(Object.keys(shown)).not.toEqual(expect.arrayContaining(['hiddenBy']))
  expect(
    presentModeratedPack({ ...row, hiddenBy: 'Eve', isSuspended: true }, viewer, 'Pools'),
  ).toEqual({
    ...shown,
    hiddenBy: 'Eve',
    isSuspended: true,
  })
})

test('a moderated tournament says when it was hidden, why, and whether by a suspension', () => {
  const named = { slug: 'cup-000001', name: 'Cup' }
  const shown = { ...named, hiddenAt: null, hiddenReason: null }
  expect(presentModeratedTournament(shown)).toEqual(named)
  expect(presentModeratedTournament({ ...shown, isSuspended: false })).toEqual(named)
  expect(
    presentModeratedTournament({ ...named, hiddenAt: at, hiddenReason: 'x', isSuspended: true }),
  ).toEqual({
    ...named,
    hiddenAt: time,
    hiddenReason: 'x',
    isSuspended: true,
  })
})

test.each([
  [{ subject: 'pack' }, { slug: '7', packName: 'Ada' }],
  [
    { subject: 'tournament', reason: 'x' },
    { slug: '7', packName: 'Ada', reason: 'x' },
  ],
  [{ subject: 'player' }, { gameId: 7, username: 'Ada' }],
  [{ subject: 'player', packName: '' }, { gameId: 7 }],
] as const)('the log names %j by %j', (what, shown) => {
  const logged = { at, action: 'hide', reason: null, slug: '7', packName: 'Ada', ...what } as const
  expect(presentNote(logged)).toEqual({ at: time, action: 'hide', ...shown })
  const subject = what.subject === 'pack' ? {} : { subject: what.subject }
  for (const [who, moderator] of [
    ['operator', null],
    [{ username: null }, 'Unknown player'],
    [{ username: 'Eve' }, 'Eve'],
  ] as const) {
    const entry = { at: time, moderator, action: 'hide', ...subject, ...shown }
    expect(presentLogEntry({ ...logged, by: who })).toEqual(entry)
  }
})

test.each([
  [null, {}],
  [
    { at, reason: 'spam', by: 'operator' as const },
    { suspendedAt: time, reason: 'spam' },
  ],
  [
    { at, reason: 'spam', by: { username: 'Eve' } },
    { suspendedAt: time, reason: 'spam', suspendedBy: 'Eve' },
  ],
  [
    { at, reason: 'spam', by: { username: null } },
    { suspendedAt: time, reason: 'spam', suspendedBy: 'Unknown player' },
  ],
])('D-76: a player with the suspension %j', (suspension, shown) => {
  const player = { gameId: 7, username: null, isModerator: false, suspension }
  expect(presentPlayer(player)).toEqual({ gameId: 7, isModerator: false, ...shown })
  expect(presentPlayer({ ...player, username: 'Ada' }).username).toBe('Ada')
})
