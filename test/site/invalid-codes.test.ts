import { expect, test } from 'vitest'
import { InvalidCodeLimiter } from '../../src/site/sign-in/invalid-codes.ts'

const WINDOW_MS = 600_000

/** How many codes the address may try now. */
const left = (codes: InvalidCodeLimiter, address: string, now: number): number => {
  for (let taken = 0; ; taken += 1) if (codes.take(address, now) !== null) return taken
}

test('twenty codes in ten minutes, for each address by itself', () => {
  const codes = new InvalidCodeLimiter()
  expect(left(codes, 'here', 1_000)).toBe(20)
  expect(codes.take('here', WINDOW_MS)).toBe(1_000 + WINDOW_MS)
  expect(left(codes, 'there', 1_000)).toBe(20)
  expect(left(codes, 'here', 1_000 + WINDOW_MS)).toBe(20)
})

test('a good code that was counted in the window before gives none away in the next', () => {
  const codes = new InvalidCodeLimiter()
  codes.take('here', 0)
  codes.take('here', WINDOW_MS)
  codes.refund('here')
  codes.refund('here')
  expect(left(codes, 'here', WINDOW_MS)).toBe(20)
})

test('a crowd of addresses is forgotten, the oldest first', () => {
  const codes = new InvalidCodeLimiter()
  left(codes, 'first', 0)
  for (let at = 0; at < 9_999; at += 1) codes.take(`address ${at}`, 0)
  expect(codes.take('first', 0)).toBe(WINDOW_MS)
  codes.take('one more', 0)
  expect(codes.take('first', 0)).toBeNull()
})
