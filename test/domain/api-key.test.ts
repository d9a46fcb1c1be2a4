import { hash, randomBytes } from 'node:crypto'
import { crc32 as zlibCrc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { systemHasher } from '../../src/adapters/system.ts'
import {
  bearerToken,
  crc32,
  explainToken,
  isApiKey,
  isSlug,
  makeApiKey,
  newAccountId,
  newSlug,
  presentKey,
  shownPart,
  withFreeSlug,
} from '../../src/domain/keys.ts'

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

test.each([
  ['Bearer abc', 'abc'],
  ['bearer\tabc', 'abc'],
  [' \tBEARER  a b \t', 'a b'],
  ['Bearer', null],
  ['Bearer  ', null],
  ['Bearerabc', null],
  ['Basic abc', null],
  ['x Bearer abc', null],
  ['', null],
  [undefined, null],
])('D-4: the token of %j is %j', (authorization, token) => {
  expect(bearerToken(authorization)).toBe(token)
})

const whole = key.slice('packs_'.length)
test.each([
  [key, 'key_not_live'],
  [`"${key}"`, 'key_quoted'],
  [`'${key}`, 'key_quoted'],
  [`${key}\u0060`, 'key_quoted'],
  [`Bearer ${key}`, 'bearer_twice'],
  ['bearer', 'bearer_twice'],
  ['bearers', 'not_a_key'],
  [`pools_${whole}`, 'key_of_other_service'],
  ['pools_x', 'key_of_other_service'],
  ['pools_your_key_here', 'key_placeholder'],
  ['undefined', 'key_placeholder'],
  ['packs_xxxx', 'key_placeholder'],
  ['packs_<KEY>', 'key_placeholder'],
  ['word', 'not_a_key'],
  [whole, 'not_a_key'],
  [`Packs_${whole}`, 'not_a_key'],
  [`packs_${whole.slice(0, -1)}é`, 'key_with_other_characters'],
  [`${key},`, 'key_with_other_characters'],
  [key.slice(0, -1), 'key_cut_short'],
  ['packs_a', 'key_cut_short'],
  [`${key}A`, 'key_too_long'],
  [`${key.slice(0, -2)}BA`, 'key_mistyped'],
])('D-50: %j is refused as %s, without a word of it', (token, reason) => {
  const other = { service: 'pools', prefix: 'pools' } as const
  const explained = explainToken(token, { service: 'packs', prefix: 'packs', other })
  expect(explained.reason).toBe(reason)
  expect(explained.message).not.toContain(token)
  if (reason === 'key_cut_short')
    expect(explained.message).toContain(`${token.length - 6} of the 43`)
  if (reason === 'key_too_long') expect(explained.message).toContain('44')
})

test.each([
  ['my', 'my_pools', 'my_pools_x', 'key_of_other_service'],
  ['my', 'my_pools', `my_${whole.slice(1)}`, 'key_cut_short'],
  ['my_packs', 'my', 'my_packs_x', 'key_cut_short'],
  ['my_packs', 'my', 'my_x', 'key_of_other_service'],
])('D-50: one prefix may begin with the other: %s, %s', (prefix, ofOther, token, reason) => {
  const other = { service: 'pools', prefix: ofOther } as const
  expect(explainToken(token, { service: 'packs', prefix, other }).reason).toBe(reason)
})

test('D-40: of a key, its beginning, its creation and the day of its last use are shown', () => {
  const made = { shown: 'abcd', createdAt: 1_000, lastUsedDay: null }
  const shown = { shown: 'abcd', createdAt: '1970-01-01T00:00:01.000Z', lastUsedOn: null }
  expect(presentKey(made)).toEqual(shown)
  expect(presentKey({ ...made, lastUsedDay: 0 })).toEqual({ ...shown, lastUsedOn: '1970-01-01' })
  expect(presentKey({ ...made, lastUsedDay: 59 })).toEqual({ ...shown, lastUsedOn: '1970-03-01' })
})

test('D-26: an identifier has six bits of each random byte', () => {
  const random = {
    bytes: (count: number) => Uint8Array.from({ length: count }, (_, at) => at * 25),
  }
  expect(newSlug(random)).toBe('AZyLk9WvIh')
  expect(newSlug(random)).toSatisfy(isSlug)
  expect(newAccountId(random)).toMatch(/^AZyLk9WvIh.{6}$/)
  expect(['AZyLk9WvI', 'AZyLk9WvIhh', 'AZyLk9WvI.', ''].filter(isSlug)).toEqual([])
})

test('D-26: a slug that is taken is drawn again, at most five times', async () => {
  const random = { bytes: (count: number) => randomBytes(count) }
  const triesUntil = async (free: number) => {
    const tried: string[] = []
    const found = await withFreeSlug(random, async (slug) =>
      tried.push(slug) === free ? slug : null,
    ).catch(String)
    expect(new Set(tried).size).toBe(tried.length)
    return [tried.length, found === tried.at(-1)]
  }
  expect(await triesUntil(1)).toEqual([1, true])
  expect(await triesUntil(5)).toEqual([5, true])
  expect(await triesUntil(6)).toEqual([5, false])
})
