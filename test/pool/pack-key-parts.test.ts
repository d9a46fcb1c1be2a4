import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteSink } from '../../src/pool/pack-key/encode.ts'
import { KeyReader } from '../../src/pool/pack-key/layout.ts'
import { crc16, fromBase64url, toBase64url } from '../../src/pool/pack-key/pack-key.ts'
import { slowCrc16 } from './key-bytes.ts'

const written = (value: number): number[] => {
  const sink = new ByteSink()
  sink.varint(value)
  return [...sink.whole()]
}
const read = (...bytes: number[]): number => new KeyReader(Uint8Array.from(bytes)).varint()

describe('base64url', () => {
  it('writes what Node writes and reads it back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const text = toBase64url(bytes)
        expect(text).toBe(Buffer.from(bytes).toString('base64url'))
        expect(fromBase64url(text)).toEqual(bytes)
      }),
    )
  })

  it('reads no other text than the one it writes', () => {
    const letter = fc.constantFrom(...Array.from('ABYZabyz0189-_+/= é\u0000'))
    fc.assert(
      fc.property(fc.string({ unit: letter, maxLength: 6 }), (text) => {
        const bytes = fromBase64url(text)
        // All but the bits that are left over in the last character.
        const whole = text.slice(0, text.length - (text.length % 4 === 0 ? 0 : 1))
        expect(bytes === null || toBase64url(bytes).startsWith(whole)).toBe(true)
        if (bytes !== null) expect(toBase64url(bytes)).toHaveLength(text.length)
      }),
      { numRuns: 2000 },
    )
  })

  it('ignores the bits that are left over in the last character', () => {
    expect(fromBase64url('AB')).toEqual(fromBase64url('AA'))
    expect(fromBase64url('AAB')).toEqual(fromBase64url('AAA'))
  })

  it.each(['A', 'AAAAA', 'AA==', 'A+AA', 'A/AA', 'AA AA', 'AA\n'])('refuses %j', (text) => {
    expect(fromBase64url(text)).toBeNull()
  })
})

describe('CRC-16', () => {
  it('is the same as worked out bit by bit', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(crc16(bytes, bytes.length)).toBe(slowCrc16([...bytes]))
      }),
    )
  })

  it('covers only as many bytes as asked for', () => {
    expect(crc16([0x31, 0x32, 0xff], 2)).toBe(slowCrc16([0x31, 0x32]))
  })
})

describe('varints', () => {
  it.each([
    [0, [0x00]],
    [127, [0x7f]],
    [128, [0x80, 0x01]],
    [300, [0xac, 0x02]],
    [16_384, [0x80, 0x80, 0x01]],
    [2_147_483_647, [0xff, 0xff, 0xff, 0xff, 0x07]],
    [4_294_967_295, [0xff, 0xff, 0xff, 0xff, 0x0f]],
  ])('%i', (value, bytes) => {
    expect(written(value)).toEqual(bytes)
    expect(read(...bytes)).toBe(value)
  })

  it('any number survives, also when it is written longer than needed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_294_967_295 }), fc.nat(4), (value, more) => {
        const bytes = written(value)
        expect(read(...bytes)).toBe(value)
        const length = Math.min(5, bytes.length + more)
        const padded = Array.from({ length }, (_, at) => ((bytes[at] ?? 0) & 0x7f) | 0x80)
        padded[length - 1] = (bytes[length - 1] ?? 0) & 0x7f
        expect(read(...padded)).toBe(value)
      }),
    )
  })

  it('leaves what stands behind it', () => {
    const reader = new KeyReader(Uint8Array.of(0x80, 0x00, 0x2a))
    expect(reader.varint()).toBe(0)
    expect(reader.byte()).toBe(0x2a)
    expect(reader.bytesLeft).toBe(0)
  })

  it.each([
    ['nothing', []],
    ['an unfinished number', [0x80]],
    ['2³²', [0x80, 0x80, 0x80, 0x80, 0x10]],
    ['six bytes', [0x80, 0x80, 0x80, 0x80, 0x80, 0x00]],
  ])('refuses %s', (_what, bytes) => {
    expect(() => read(...bytes)).toThrow('This pack key holds no valid pool')
  })
})
