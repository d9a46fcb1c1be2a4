import { describe, expect, it } from 'vitest'
import { inEnglishAll } from '../../src/pool/checks.ts'
import { findInFields, storedFields } from '../../src/pool/pack-fields.ts'

describe('a description (D-19)', () => {
  it.each([
    ['left out', undefined, null],
    ['empty', '', null],
    ['white space alone', ' \r\n\t\u2028 ', null],
    ['trimmed', '\n  for the finals \n', 'for the finals'],
    ['of 500 code units', 'a'.repeat(500), 'a'.repeat(500)],
    ['of 500 code units after trimming', ` ${'a'.repeat(500)}\n`, 'a'.repeat(500)],
    ['of 250 emoji, 500 code units', '🌸'.repeat(250), '🌸'.repeat(250)],
    ['with line breaks of either kind, kept as they are', 'a\nb\r\nc\n\nd', 'a\nb\r\nc\n\nd'],
    ['with Unicode line breaks', 'a\u2028b\u2029c', 'a\u2028b\u2029c'],
  ])('%s', (_what, sent, stored) => {
    expect(inEnglishAll(findInFields({ description: sent }))).toEqual([])
    expect(storedFields({ description: sent }).description).toBe(stored)
  })

  const controls = 'must hold no control characters other than line breaks'
  it.each([
    ['over 500 code units', 'a'.repeat(501), 'must be at most 500 characters long'],
    ['over 500 in emoji', '🌸'.repeat(251), 'must be at most 500 characters long'],
    ['a tab', 'a\tb', controls],
    ['a bare carriage return', 'a\rb', controls],
    ['two carriage returns before a line feed', 'a\r\r\nb', controls],
    ['U+0000', 'a\u0000b', controls],
    ['an escape', 'a\u001b[31mb', controls],
    ['delete', 'a\u007fb', controls],
    ['a C1 control', 'a\u0085b', controls],
    ['half a pair', 'a\ud800b', 'must be valid Unicode: it holds half a surrogate pair'],
  ])('refuses %s', (_what, sent, message) => {
    expect(inEnglishAll(findInFields({ description: sent }))).toEqual([
      { place: 'description', remedy: message },
    ])
  })
})
