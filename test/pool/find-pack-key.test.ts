import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodePackKey, findPackKey } from '../../src/pool/pack-key/pack-key.ts'
import { anyPool } from './pool-arbitrary.ts'
import { expectLinear } from '../support/linear.ts'

const key = 'pk1.AQFhAQICrAKFPA'
const other = 'pk2.AgFhBgABAgMEBQH_AQFYnA'
const damaged = 'pk1.AQFiAQICrAKFPA'

describe('a pack key is found in a longer text', () => {
  it.each([
    ['alone', key],
    ['between spaces', `the pool: ${key} gl hf`],
    ['at the end of a link', `https://packs.example/k#${key}`],
    ['before further parts of a link', `https://packs.example/k#${key}&t=1`],
    ['in a line of its own', `pool\r\n${key}\r\nend`],
    ['in quotes', `"${key}"`],
    ['in brackets', `[finals](${key})`],
    ['at the end of a sentence', `It is ${key}.`],
    ['before a comma', `${key}, as said`],
    ['behind a script without spaces', `プール${key}です`],
    ['behind a colon', `key:${key}`],
    ['before a second one', `${key} or ${other}`],
    ['behind one that is glued', `x${other} ${key}`],
    ['behind one that is damaged', `${damaged} sorry: ${key}`],
    ['behind what only looks like one', `pk2.0 is out: ${key}`],
    ['behind one of a version still unknown', `pk9.AQFh or ${key}`],
  ])('%s', (_where, text) => {
    expect(findPackKey(text)).toBe(key)
  })

  it.each([
    ['no key', 'just a chat message'],
    ['nothing', ''],
    ['a prefix alone', 'pk1. is the prefix'],
    ['a key in capitals', key.toUpperCase()],
    ['a letter in front', `x${key}`],
    ['a digit in front', `1${key}`],
    ['a hyphen in front', `-${key}`],
    ['an underscore in front', `_${key}`],
    ['pk in front', `pk${key}`],
  ])('none where there is %s', (_what, text) => {
    expect(findPackKey(text)).toBeNull()
  })

  it('gives the first damaged one when no whole one follows, so that opening it says why', () => {
    expect(findPackKey(`look: ${damaged} or pk1.AQFh`)).toBe(damaged)
  })

  it('any key between any texts that do not touch it', () => {
    fc.assert(
      fc.property(anyPool, fc.string(), fc.string(), (pool, before, after) => {
        const text = `${before.replaceAll('pk', '')} ${encodePackKey(pool)} ${after}`
        expect(findPackKey(text)).toBe(encodePackKey(pool))
      }),
    )
  })

  it.each([
    ['letters', 'A'.repeat(2_000_000)],
    ['prefixes', 'pk1'.repeat(700_000)],
    ['digits', `pk${'1'.repeat(2_000_000)}`],
    ['damaged keys', `${damaged} `.repeat(100_000)],
    ['chained prefixes', 'pk1.'.repeat(500_000)],
  ])('two megabytes of %s take time in proportion', (_what, huge) => {
    expectLinear(huge, findPackKey)
  })
})
