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

test.each([
  ['', 'must have 1 to 64 characters'],
  ['x'.repeat(65), 'must have 1 to 64 characters'],
  ['🎵'.repeat(65), 'must have 1 to 64 characters'],
  ['🎵'.repeat(33), 'must have 1 to 64 characters; emoji count as two'],
  ['🎵'.repeat(64), 'must have 1 to 64 characters; emoji count as two'],
])('of %j it is said that it %s', (text, said) => {
  expect(() => checkUsername(text)).toThrow(`the username ${said}`)
  if (!said.includes('emoji')) expect(() => checkUsername(text)).not.toThrow('emoji')
})

test.each([[''], ['   '], ['x'.repeat(65)], ['a\nb'], ['a\u0000b'], ['a\u0085b'], ['a\ud800']])(
  'spec 2.1: the username %j is refused',
  (text) => {
    expect(() => checkUsername(text)).toThrow(/^the username must/)
  },
)
