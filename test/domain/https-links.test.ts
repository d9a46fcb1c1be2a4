import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isHttpsLink, LINK_LENGTH } from '../../src/contract/bounds.ts'
import { TournamentInput } from '../../src/contract/tournaments.ts'
import { shapeChecker } from '../../src/domain/reading/schema.ts'
import { roundContentOf } from '../../src/domain/rounds.ts'
import { containsSlur } from '../../src/domain/slurs/slurs.ts'
import { factsOf } from '../../src/domain/tournaments.ts'
import { LINK_REMEDY } from '../../src/pool/remedy-words.ts'

// The browser decides where a link leads, so that its parser (WHATWG URL) is what accepted texts are held against.

const checkShape = shapeChecker(TournamentInput)

/** Whether a tournament with this link is saved. */
const isTaken = (link: string): boolean => {
  try {
    checkShape({ name: 'Cup', link }, '')
    return factsOf({ name: 'Cup', link }).link === link
  } catch {
    return false
  }
}

const letters = (from: string, most: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from(from)), minLength: 1, maxLength: most })

const host = fc.oneof(
  letters('abcXYZ019.-', 20),
  fc.domain(),
  fc.ipV4(),
  fc.constantFrom(
    'osu.ppy.sh',
    'xn--a',
    'a..b',
    '1.2.3',
    '256.1.1.1',
    '0x7f.1',
    '[::1]',
    'a_b',
    '',
  ),
)
const user = fc.oneof(
  letters('abc019:.%-', 12),
  fc.constantFrom('user', 'user:pw', ':', '', 'osu.ppy.sh', 'osu.ppy.sh%2f', 'a@b', 'a:b@c'),
)
const rest = letters('/?#@:\\abc%.-=& \t|^`{}"<>ü', 20)
const scheme = fc.constantFrom(
  'https://',
  'https:',
  'https:/',
  'https:///',
  'HTTPS://',
  'http://',
  'https:\\\\',
  '//',
  'javascript://',
)
const port = fc.constantFrom('', '', ':443', ':8443', ':0', ':65536', ':99999', ':', ':x')

const anyUrl = fc
  .oneof(
    fc.tuple(
      scheme,
      user,
      fc.constantFrom('@', '%40', ''),
      host,
      port,
      fc.constantFrom('', '/'),
      rest,
    ),
    fc.tuple(fc.constant('https://'), host, port, fc.constantFrom('', '/', '?', '#'), rest),
  )
  .map((parts) => parts.join(''))

describe('links that people enter (https, no user information)', () => {
  test('whatever is taken leads where it says, in a browser’s eyes', () => {
    let taken = 0
    fc.assert(
      fc.property(anyUrl, (link) => {
        if (!isTaken(link)) return
        taken += 1
        // Names in Punycode are for the browser to check.
        if (!URL.canParse(link) && link.includes('xn--')) return
        const url = new URL(link)
        expect([url.protocol, url.username, url.password]).toEqual(['https:', '', ''])
        const [, authority = ''] = /^https:\/\/([^/?#]*)/.exec(link) ?? []
        const [name = ''] = authority.split(':')
        expect(authority).not.toMatch(/[@\\%]/)
        expect(url.hostname).toBe(name.toLowerCase())
        expect(link.length).toBeLessThanOrEqual(LINK_LENGTH)
      }),
      { numRuns: 5_000 },
    )
    expect(taken).toBeGreaterThan(100)
  })

  test('whatever a browser would follow by https without user information, to a plain name, is taken', () => {
    const path = fc.webPath().filter((each) => /^[!-~]*$/.test(each))
    fc.assert(
      fc.property(fc.domain(), port, path, (name, at, after) => {
        const link = `https://${name}${at}${after}`
        fc.pre(URL.canParse(link) && /^(?::\d{1,4})?$/.test(at) && link.length <= LINK_LENGTH)
        // The content rule holds for links, too (D-24), and drawn names are any letters.
        fc.pre(!containsSlur(link))
        expect(isTaken(link)).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  test.each([
    'https://user:pw@evil.example/',
    'https://osu.ppy.sh@evil.example/',
    'https://osu.ppy.sh:443@evil.example/',
    'https://@evil.example/',
    'https://:@evil.example/',
    'https://osu.ppy.sh\\@evil.example/',
    'https:\\\\evil.example/',
    'https:///user@evil.example/',
    'https://osu.ppy.sh%40evil.example/',
    'https://a..b:99999/',
    'http://cup.example/',
    'javascript:alert(1)',
  ])('%s is refused, with the remedy', (link) => {
    expect(isHttpsLink(link)).toBe(false)
    const refused = { message: `link ${LINK_REMEDY}` }
    expect(() => factsOf({ name: 'Cup', link })).toThrow(expect.objectContaining(refused))
    expect(() => roundContentOf({ name: 'Finals', slots: [], mapPackUrl: link })).toThrow(
      expect.objectContaining({ message: `mapPackUrl ${LINK_REMEDY}` }),
    )
    expect(() => checkShape({ name: 'Cup', link }, '')).toThrow(expect.objectContaining(refused))
    expect(isTaken(link)).toBe(false)
  })

  test.each([
    'https://cup.example/@host',
    'https://cup.example?mail=a@b.c',
    'https://cup.example#@',
    'https://CUP.example:8443/a:b@c',
  ])('%s is taken: what stands behind the host is no user', (link) =>
    expect(isTaken(link)).toBe(true),
  )
})

describe('a link that is refused says why', () => {
  const refusal = (link: unknown): string => {
    try {
      checkShape({ name: 'Cup', link }, '')
    } catch (error) {
      return (error as Error).message
    }
    return ''
  }

  test.each(['', 'http://example.org', 'https://', 'example.org'])('no https link: %j', (link) => {
    expect(refusal(link)).toBe(`link ${LINK_REMEDY}`)
  })

  test.each([
    ['too long', `https://example.org/${'a'.repeat(LINK_LENGTH)}`, String(LINK_LENGTH)],
    ['a number', 7, 'a string'],
  ])('%s', (_, link, why) => {
    expect(refusal(link)).toContain(why)
    expect(refusal(link)).not.toContain(LINK_REMEDY)
  })
})
