import { expect, test } from 'vitest'
import { systemRandom } from '../../src/adapters/system.ts'

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

test('random bytes are as many as asked for, come once, and stay as they were given', () => {
  const given: { bytes: Uint8Array; hex: string }[] = []
  for (let at = 0; at < 3_000; at += 1) {
    const count = at === 1_500 ? 10_000 : 8 + (at % 57)
    const bytes = systemRandom.bytes(count)
    expect(bytes).toHaveLength(count)
    given.push({ bytes, hex: hexOf(bytes) })
  }
  // Eight bytes that come twice are no accident.
  expect(new Set(given.map(({ hex }) => hex.slice(0, 16))).size).toBe(given.length)
  for (const { bytes, hex } of given) expect(hexOf(bytes)).toBe(hex)
})

test('no buffer that random bytes are given in has those of another', () => {
  const [one, other] = [systemRandom.bytes(16), systemRandom.bytes(16)]
  expect(one.buffer.byteLength).toBe(16)
  expect(one.buffer).not.toBe(other.buffer)
})
