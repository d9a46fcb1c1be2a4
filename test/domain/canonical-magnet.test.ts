import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EXPORT_URL_LENGTH } from '../../src/contract/bounds.ts'
import { canonicalMagnet } from '../../src/domain/magnets.ts'

const hex = '0123456789abcdef0123456789abcdef01234567'
const base32 = 'AERUKZ4JVPG66AJDIVTYTK6N54ASGRLH'
const multihash = `1220${'ab'.repeat(32)}`
const plain = `magnet:?xt=urn:btih:${hex}`

const refusalOf = (url: string): string => {
  try {
    return `taken as ${canonicalMagnet(url)}`
  } catch (error) {
    expect(error).toMatchObject({ name: 'AppError', code: 'bad_request' })
    return (error as Error).message
  }
}

describe('D-43: one link has one form', () => {
  test.each([
    ['as it is', plain],
    ['scheme in capitals', `MAGNET:?xt=urn:btih:${hex}`],
    ['urn and digits in capitals', `magnet:?XT=URN:BTIH:${hex.toUpperCase()}`],
    ['32 base32 digits', `magnet:?xt=urn:btih:${base32}`],
    ['base32 in small letters', `magnet:?xt=urn:btih:${base32.toLowerCase()}`],
    ['percent-encoded', `magnet:?xt=urn%3Abtih%3A${hex}`],
    ['a numbered topic', `magnet:?xt.1=urn:btih:${hex}`],
    ['white space around', `  ${plain}\n`],
    ['an empty name', `${plain}&dn=`],
    ['a fragment', `${plain}#top`],
    ['empty parameters', `magnet:?&&xt=urn:btih:${hex}&&=&x`],
  ])('%s', (_, url) => {
    expect(canonicalMagnet(url)).toBe(plain)
  })

  test('version 2 torrents go by their multihash', () => {
    const url = `magnet:?xt=urn:btmh:${multihash.toUpperCase()}`
    expect(canonicalMagnet(url)).toBe(`magnet:?xt=urn:btmh:${multihash}`)
  })

  test.each([
    ['a tracker', 'tr=udp%3A%2F%2Ftracker.test%3A80'],
    ['a numbered tracker', 'tr.1=udp://tracker.test'],
    ['a web seed', 'ws=https://seed.test/a'],
    ['a source', 'as=https://seed.test/a'],
    ['an exact source', 'xs=https://seed.test/a'],
    ['a peer', 'x.pe=192.0.2.1:6881'],
    ['keywords', 'kt=a+b'],
    ['a manifest', 'mt=https://seed.test/m'],
    ['a selection', 'so=0,2'],
    ['a length', 'xl=17'],
    ['what nobody knows', 'unknown=%zz'],
  ])('%s is stripped', (_, parameter) => {
    expect(canonicalMagnet(`magnet:?${parameter}&xt=urn:btih:${hex}&${parameter}`)).toBe(plain)
  })

  test.each([
    ['dn=Autumn Cup', 'Autumn%20Cup'],
    ['dn=Autumn+Cup', 'Autumn%20Cup'],
    ['dn=Autumn%20Cup', 'Autumn%20Cup'],
    ['dn=a%2Bb', 'a%2Bb'],
    ['dn=a=b', 'a%3Db'],
    ['dn=%e3%81%82', '%E3%81%82'],
    ['dn=あ', '%E3%81%82'],
    ["dn=It's (new)!*", 'It%27s%20%28new%29%21%2A'],
    ['dn=%20 a %20', 'a'],
  ])('%s is written %s', (parameter, name) => {
    expect(canonicalMagnet(`magnet:?${parameter}&xt=urn:btih:${hex}`)).toBe(`${plain}&dn=${name}`)
  })
})

describe('D-43: what is no such link is refused, saying what to mend (D-14)', () => {
  const noTopic = 'url must have exactly one xt'
  const badTopic = 'url must have an xt of urn:btih: (40 hex or 32 base32 digits) or urn:btmh:'
  test.each([
    ['https://example.test', 'url must begin with magnet:?'],
    ['magnet:', 'url must begin with magnet:?'],
    ['javascript:alert(1)//magnet:?', 'url must begin with magnet:?'],
    ['magnet:?', noTopic],
    ['magnet:?dn=only', noTopic],
    [`magnet:?xt`, noTopic],
    [`${plain}&xt=urn:btih:${hex}`, noTopic],
    [`${plain}&xt=urn:btmh:${multihash}`, noTopic],
    [`${plain}&xt.2=urn:sha1:x`, noTopic],
    ['magnet:?xt=', badTopic],
    [`magnet:?xt=urn:sha1:${base32}`, badTopic],
    [`magnet:?xt=urn:btih:${hex}0`, badTopic],
    [`magnet:?xt=urn:btih:${hex.slice(1)}`, badTopic],
    [`magnet:?xt=urn:btih:${base32.slice(1)}1`, badTopic],
    [`magnet:?xt=urn:btih:${hex.slice(1)}g`, badTopic],
    [`magnet:?xt=urn:btmh:${hex}`, badTopic],
    [`magnet:?xt=urn:btmh:1114${'ab'.repeat(32)}`, badTopic],
    [`magnet:?xt=%20urn:btih:${hex}`, badTopic],
    [`${plain}&dn=a&dn=b`, 'url must have at most one dn'],
    [`${plain}&dn=%zz`, 'url must use valid percent-encoded UTF-8'],
    [`${plain}&dn=%ff`, 'url must use valid percent-encoded UTF-8'],
    [`${plain}&dn=%ed%a0%80`, 'url must use valid percent-encoded UTF-8'],
    [`${plain}&dn=a%00b`, 'url must not contain control characters in its dn'],
    [`${plain}&dn=a%0d%0ab`, 'url must not contain control characters in its dn'],
    [`${plain}&dn=a%c2%85b`, 'url must not contain control characters in its dn'],
    [
      `${plain}&dn=a%e2%80%a8b`,
      'the dn of url must not contain U+2028: it is a line break; remove it',
    ],
    [`${plain}&dn=a\nb`, 'url must not contain control characters'],
    [`${plain}&tr=a\u0000`, 'url must not contain control characters'],
    [`${plain}&dn=\ud800`, 'url must not contain control characters'],
    ['', 'url must begin with magnet:?'],
  ])('%j: %s', (url, message) => {
    expect(refusalOf(url)).toBe(message)
  })

  test('more than 2,048 characters, as sent or as written', () => {
    const fits = `${plain}&dn=${'n'.repeat(EXPORT_URL_LENGTH - plain.length - '&dn='.length)}`
    expect(canonicalMagnet(fits)).toBe(fits)
    const message = 'url must have at most 2048 characters'
    expect(refusalOf(`${fits}n`)).toBe(message)
    expect(refusalOf(`${plain}&tr=${'t'.repeat(2048)}`)).toBe(message)
    expect(refusalOf(`${plain}&dn=${'あ'.repeat(300)}`)).toBe(message)
  })
})

describe('D-43 for any link', () => {
  const topic = fc.oneof(
    fc.stringMatching(/^[0-9a-fA-F]{40}$/).map((text) => `urn:btih:${text}`),
    fc.stringMatching(/^[A-Z2-7]{32}$/).map((text) => `urn:btih:${text}`),
    fc.stringMatching(/^1220[0-9a-f]{64}$/).map((text) => `urn:btmh:${text}`),
  )
  const other = fc.tuple(
    fc.constantFrom('tr', 'ws', 'as', 'xs', 'x.pe', 'kt', 'mt', 'so', 'xl', 'foo'),
    fc.webUrl(),
  )
  const name = fc
    .string({ unit: 'grapheme', maxLength: 40 })
    .filter((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text))

  test('the form is a fixed point, holds topic and name alone, and the name reads as it was', () => {
    fc.assert(
      fc.property(
        topic,
        name,
        fc.array(other, { maxLength: 4 }),
        fc.boolean(),
        (xt, dn, rest, first) => {
          const own = [`xt=${xt}`, `dn=${encodeURIComponent(dn)}`]
          const foreign = rest.map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
          const url = `magnet:?${(first ? [...own, ...foreign] : [...foreign, ...own]).join('&')}`
          fc.pre(url.length <= EXPORT_URL_LENGTH)
          const written = canonicalMagnet(url)
          expect(written).toMatch(
            /^magnet:\?xt=urn:(btih:[0-9a-f]{40}|btmh:1220[0-9a-f]{64})(&dn=[A-Za-z0-9%._~-]+)?$/,
          )
          expect(canonicalMagnet(written)).toBe(written)
          const encoded = written.split('&dn=')[1] ?? ''
          expect(decodeURIComponent(encoded)).toBe(dn.trim())
        },
      ),
    )
  })

  test('base32 and hexadecimal of the same hash are the same link', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
        const number = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
        const inHex = number.toString(16).padStart(40, '0')
        const inBase32 = number
          .toString(32)
          .padStart(32, '0')
          .replace(/./g, (digit) =>
            'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.charAt(Number.parseInt(digit, 32)),
          )
        expect(canonicalMagnet(`magnet:?xt=urn:btih:${inBase32}`)).toBe(
          `magnet:?xt=urn:btih:${inHex}`,
        )
      }),
    )
  })

  test('whatever is sent, it is a canonical link or a refusal with our words', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary' }).map((text) => `${plain}&${text}`),
      fc.string({ unit: 'binary' }).map((text) => `magnet:?xt=${text}`),
    )
    fc.assert(
      fc.property(anything, (url) => {
        expect(refusalOf(url)).toMatch(/^(taken as magnet:\?xt=|url must )/)
      }),
    )
  })
})
