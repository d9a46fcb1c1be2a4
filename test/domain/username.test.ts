import { expect, test } from 'vitest'
import { checkUsername } from '../../src/domain/accounts.ts'

test.each([
  ['Ada', 'Ada'],
  ['  spaced out  ', 'spaced out'],
  ['x'.repeat(64), 'x'.repeat(64)],
  ['[ Crystal ]', '[ Crystal ]'],
])('spec 2.1: the username %j is kept as %j', (text, kept) => {
  expect(checkUsername(text)).toBe(kept)
})

test.each([[''], ['   '], ['x'.repeat(65)], ['a\nb'], ['a\u0000b'], ['a\u0085b'], ['a\ud800']])(
  'spec 2.1: the username %j is refused',
  (text) => {
    expect(() => checkUsername(text)).toThrow(/^the username must/)
  },
)
