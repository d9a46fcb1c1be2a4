import { expect, test } from 'vitest'
import {
  cookieSeconds,
  isLive,
  isSeenAnew,
  isToken,
  makeToken,
  presentSession,
  presentViewer,
  type Session,
  sessionLimits,
  TOKEN_BYTES,
} from '../../src/domain/sessions.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

test('a token is 32 random bytes in 43 characters that fit into a cookie', () => {
  const bytes = Uint8Array.from({ length: TOKEN_BYTES }, (_, at) => 255 - at)
  const token = makeToken(bytes)
  expect(token).toBe(Buffer.from(bytes).toString('base64url'))
  expect(isToken(token)).toBe(true)
})

test.each(['', 'a', 'a'.repeat(42), 'a'.repeat(44), `${'a'.repeat(42)}=`, `${'a'.repeat(42)}é`])(
  '%j is no token',
  (text) => {
    expect(isToken(text)).toBe(false)
  },
)

test('a session ends 30 days after its last use, and 90 days after it began', () => {
  const now = Date.UTC(2026, 10, 21)
  expect(sessionLimits(now)).toEqual({ seenSince: now - 30 * DAY, createdSince: now - 90 * DAY })
})

test('its cookie lasts no longer than the session can', () => {
  expect(cookieSeconds({ createdAt: 0 }, 0)).toBe(30 * 86_400)
  expect(cookieSeconds({ createdAt: 0 }, 60 * DAY)).toBe(30 * 86_400)
  expect(cookieSeconds({ createdAt: 0 }, 89 * DAY)).toBe(86_400)
  expect(cookieSeconds({ createdAt: 0 }, 90 * DAY)).toBe(1)
})

test('its last use is written down every ten minutes', () => {
  const session = { lastSeenAt: 5 * DAY } as Session
  expect(isSeenAnew(session, 5 * DAY + 10 * MINUTE - 1)).toBe(false)
  expect(isSeenAnew(session, 5 * DAY + 10 * MINUTE)).toBe(true)
  expect(isSeenAnew(session, 4 * DAY)).toBe(false)
})

test.each([
  [60 * DAY, 89 * DAY, true],
  [60 * DAY - 1, 89 * DAY, true],
  [0, 60 * DAY, true],
  [-1, 89 * DAY, false],
  [0, 60 * DAY - 1, false],
])('begun at %i and last seen at %i, on day 90 it lives: %s', (createdAt, lastSeenAt, lives) => {
  expect(isLive({ createdAt, lastSeenAt }, sessionLimits(90 * DAY))).toBe(lives)
})

test('an account sees its sessions, by a part of a hash that opens nothing', () => {
  const hash = 'h'.repeat(16) + 'x'.repeat(27)
  const session = {
    hash,
    service: 'packs',
    device: null,
    createdAt: 1_000,
    lastSeenAt: 2_000,
  } as const
  const shown = {
    id: 'h'.repeat(16),
    service: 'packs',
    device: null,
    createdAt: '1970-01-01T00:00:01.000Z',
    lastSeenAt: '1970-01-01T00:00:02.000Z',
  }
  expect(presentSession(session, hash)).toEqual({ ...shown, isCurrent: true })
  expect(presentSession(session, 'other')).toEqual({ ...shown, isCurrent: false })
})

test('a page knows who is signed in', () => {
  const session: Session = {
    hash: 'h',
    accountId: 'ada',
    service: 'packs',
    gameId: 7,
    username: 'Ada',
    isModerator: true,
    language: null,
    csrf: 'c',
    createdAt: 1_000,
    lastSeenAt: 1_000,
  }
  const viewer = { id: 'ada', gameId: 7, username: 'Ada', isModerator: true, csrf: 'c' }
  expect(presentViewer(session)).toEqual(viewer)
  expect(presentViewer({ ...session, username: null, language: 'de' })).toEqual({
    ...viewer,
    username: 'Unknown player',
    language: 'de',
  })
})
