import { expect, test } from 'vitest'
import {
  idleBefore,
  isSeenAnew,
  isToken,
  makeToken,
  type Session,
  TOKEN_BYTES,
} from '../../src/domain/session.ts'

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

test('a session ends 30 days after its last use', () => {
  const now = Date.UTC(2026, 10, 21)
  expect(idleBefore(now)).toBe(now - 30 * DAY)
})

test('its last use is written down every ten minutes', () => {
  const session = { lastSeenAt: 5 * DAY } as Session
  expect(isSeenAnew(session, 5 * DAY + 10 * MINUTE - 1)).toBe(false)
  expect(isSeenAnew(session, 5 * DAY + 10 * MINUTE)).toBe(true)
  expect(isSeenAnew(session, 4 * DAY)).toBe(false)
})
