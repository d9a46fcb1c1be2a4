import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodePackKey, encodePackKey } from '../../src/pool/pack-key/pack-key.ts'
import { bytesOf, sealedKey } from './key-bytes.ts'
import { anyPool } from './pool-arbitrary.ts'
import { keyRefusalOf } from './refusal.ts'

const keys = [
  'pk1.AQFhAQICrAKFPA',
  'pk2.AgFhBgABAgMEBQH_AQFYnA',
  'pk1.ARjmmKXjga7lpKfkvJog8J-MuCBGaW5hbHMBAAEBrBo',
  'pk1.AQlFR0MgUXVhbHMHAAHj9gcAAuqUgQEBAeP2BwIBjKRyAwFLBAGAkvQBBQGMpHLUew',
  'pk2.AgZDdXN0b20HBQABAv4AAkVaAwQD_wEFAQEHBAGsAtx3',
]
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const replacements = Array.from(`${alphabet}.=+/ \n\u00e9`)

const isRefused = (key: string): boolean => keyRefusalOf(key) !== 'none'
/** Bits that are left over in the last character mean nothing. */
const isHarmless = (damaged: string, key: string): boolean =>
  isRefused(damaged) || encodePackKey(decodePackKey(damaged)) === key
const swapped = (key: string, at: number): string =>
  key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2)

describe('a damaged key never opens as another pool', () => {
  it.each(keys)('%s: any one character replaced by any other', (key) => {
    for (let at = 0; at < key.length; at += 1) {
      for (const other of replacements) {
        if (other === key[at]) continue
        const damaged = key.slice(0, at) + other + key.slice(at + 1)
        expect(isHarmless(damaged, key), `${other} at ${at}`).toBe(true)
      }
    }
  })

  it.each(keys)('%s: cut off anywhere, at either end', (key) => {
    for (let at = 1; at < key.length; at += 1) {
      expect(isRefused(key.slice(0, at)), `the first ${at}`).toBe(true)
      expect(isRefused(key.slice(at)), `all but the first ${at}`).toBe(true)
    }
  })

  it.each(keys)('%s: two neighbours swapped', (key) => {
    for (let at = 0; at < key.length - 1; at += 1) {
      if (swapped(key, at) !== key) expect(isRefused(swapped(key, at)), `at ${at}`).toBe(true)
    }
  })

  it('any key: any one character replaced', () => {
    fc.assert(
      fc.property(anyPool, fc.nat(), fc.constantFrom(...replacements), (pool, any, other) => {
        const key = encodePackKey(pool)
        const at = any % key.length
        const damaged = key.slice(0, at) + other + key.slice(at + 1)
        expect(isHarmless(damaged, key)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('any key cut short, even with a checksum that fits: nothing is read past the end', () => {
    fc.assert(
      fc.property(anyPool, fc.nat(), (pool, any) => {
        const bytes = bytesOf(encodePackKey(pool))
        const cut = bytes.slice(0, 1 + (any % (bytes.length - 1)))
        expect(keyRefusalOf(sealedKey(cut))).toBe('malformed')
      }),
    )
  })

  it('any key gone on, even with a checksum that fits', () => {
    fc.assert(
      fc.property(anyPool, fc.array(fc.nat(255), { minLength: 1, maxLength: 4 }), (pool, more) => {
        const bytes = bytesOf(encodePackKey(pool))
        expect(keyRefusalOf(sealedKey([...bytes, ...more]))).toBe('malformed')
      }),
    )
  })
})
