import { expect, test } from 'vitest'
import {
  cookieSeconds,
  isSeenAnew,
  isToken,
  makeToken,
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
