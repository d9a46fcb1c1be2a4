import { hash, randomBytes } from 'node:crypto'
import { crc32 as zlibCrc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { systemHasher } from '../../src/adapters/system.ts'
import { crc32, isApiKey, makeApiKey, shownPart } from '../../src/domain/keys.ts'

const key = makeApiKey('packs', new Uint8Array(28))

test('D-40: the checksum is CRC-32 as everyone computes it', () => {
  expect(crc32(Buffer.from('123456789'), 9)).toBe(0xcbf43926)
  const bytes = randomBytes(100)
  expect(crc32(bytes, 100)).toBe(zlibCrc32(bytes))
})

test('D-40: a key is the prefix and base64url of 28 random bytes and their CRC-32', () => {
  for (let round = 0; round < 500; round++) {
    const random = randomBytes(28)
    const checksum = Buffer.alloc(4)
    checksum.writeUInt32BE(zlibCrc32(random))
    const made = makeApiKey('packs', random)
    expect(made).toBe(`packs_${Buffer.concat([random, checksum]).toString('base64url')}`)
    expect(made).toMatch(/^packs_[A-Za-z0-9_-]{43}$/)
    expect(isApiKey('packs', made)).toBe(true)
  }
})

test('D-40: a key takes exactly 28 bytes', () => {
  expect(() => makeApiKey('packs', new Uint8Array(27))).toThrow(RangeError)
})

test('D-40: every key with one wrong character is refused without a look-up', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const made = makeApiKey('packs', randomBytes(28))
  for (let at = 'packs_'.length; at < made.length; at++) {
    for (const letter of alphabet.replace(made.charAt(at), '')) {
      const typo = made.slice(0, at) + letter + made.slice(at + 1)
      expect(isApiKey('packs', typo), typo).toBe(false)
    }
  }
})

test.each([
  ['another prefix', key.replace('packs', 'pools')],
  ['a longer prefix', `x${key}`],
  ['no underscore', key.replace('_', '-')],
  ['a character less', key.slice(0, -1)],
  ['a character more', `${key}A`],
  ['nothing', ''],
  ['the prefix alone', 'packs_'],
  ['a space', `${key.slice(0, 20)} ${key.slice(21)}`],
  ['base64 instead of base64url', `${key.slice(0, 20)}+${key.slice(21)}`],
  ['a letter from beyond ASCII', `${key.slice(0, 20)}Ａ${key.slice(21)}`],
])('D-40: %s is no key', (_what, text) => {
  expect(isApiKey('packs', text)).toBe(false)
})

test('D-40: another spelling of the same bytes is no key', () => {
  const last = key.at(-1)!
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const twin = key.slice(0, -1) + alphabet.charAt(alphabet.indexOf(last) + 1)
  const bytesOf = (text: string) => Buffer.from(text.slice(6), 'base64url')
  expect(bytesOf(twin)).toEqual(bytesOf(key))
  expect(isApiKey('packs', twin)).toBe(false)
})

test('D-40: four characters behind the prefix are shown', () => {
  expect(shownPart('packs', 'packs_abcdefgh')).toBe('abcd')
})

test('D-40: a key is kept as SHA-256 in base64url, 43 characters', () => {
  expect(systemHasher.sha256('')).toBe('47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU')
  expect(systemHasher.sha256(key)).toBe(hash('sha256', key, 'base64url'))
})

test('checking a key costs no more than hashing it, for it is done on every request', () => {
  const rounds = 20_000
  const took = (work: () => void) => {
    const begun = process.threadCpuUsage()
    for (let round = 0; round < rounds; round++) work()
    const { user, system } = process.threadCpuUsage(begun)
    return user + system
  }
  const pairs = Array.from({ length: 7 }, () => [
    took(() => isApiKey('packs', key)),
    took(() => systemHasher.sha256(key)),
  ])
  const [checking, hashing] = [0, 1].map((at) => Math.min(...pairs.map((pair) => pair[at]!)))
  expect(checking).toBeLessThan(hashing!)
})
