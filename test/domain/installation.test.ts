import { describe, expect, it } from 'vitest'
import { checkSiteName, isContact } from '../../src/domain/installation.ts'

describe('the name of a site (D-102)', () => {
  it.each([
    'Nordlicht',
    'A'.repeat(40),
    'Café & Söhne',
    // A joiner between two that are seen, a variation behind one, and both.
    'क्‍ष',
    'می‌خواهم',
    '☕️ Cups',
    '☕︎ Cups',
    '👩‍🚀 Cups',
    '❤️‍🔥 Cups',
  ])('may be %j', (name) => {
    expect(checkSiteName(name)).toBeNull()
  })

  it.each([
    ['', 'must not be empty'],
    ['A'.repeat(41), 'must be at most 40 characters long'],
    ['Two\nlines', 'must be one line without control characters'],
    ['Cups\u202e', 'must not contain'],
    ['Cups\u200b', 'must not contain U+200B: it cannot be seen; remove it'],
    ['Cu\u00adps', 'must not contain U+00AD: it cannot be seen; remove it'],
    ['Cu\u2800ps', 'must not contain U+2800: it cannot be seen; remove it'],
    ['Cu\u3164ps', 'must not contain U+3164: it cannot be seen; remove it'],
    ['Cups\u{e0041}', 'must not contain U+E0041: it cannot be seen; remove it'],
    // Joiners and variations that nothing seen is beside.
    ['Cups\u200d', 'must not contain U+200D: it cannot be seen; remove it'],
    ['\u200dCups', 'must not contain U+200D: it cannot be seen; remove it'],
    ['Cups \u200dB', 'must not contain U+200D: it cannot be seen; remove it'],
    ['Cups\u200d\u200dB', 'must not contain U+200D: it cannot be seen; remove it'],
    ['\ufe0fCups', 'must not contain U+FE0F: it cannot be seen; remove it'],
    ['Cups \ufe0f', 'must not contain U+FE0F: it cannot be seen; remove it'],
  ])('may not be %j: %s', (name, problem) => {
    expect(checkSiteName(name)).toContain(problem)
  })
})

describe('the contact of a site (D-102)', () => {
  const local = 'a'.repeat(64)
  it.each([
    'mailto:hello@nordlicht.example',
    'MAILTO:First.Last+cups@mail.nordlicht.example',
    `mailto:${local}@nordlicht.example`,
    'mailto:a@b-c.d',
    'https://nordlicht.example',
    'https://nordlicht.example/contact?from=site#form',
    `https://nordlicht.example/${'a'.repeat(174)}`,
  ])('may be %s', (contact) => {
    expect(isContact(contact)).toBe(true)
  })

  it.each([
    '',
    'hello@nordlicht.example',
    'mailto:hello',
    'mailto:@nordlicht.example',
    'mailto:hello@localhost',
    'mailto:hello@-nordlicht.example',
    'mailto:hello@nordlicht-.example',
    `mailto:a${local}@nordlicht.example`,
    // A letter to others, or with a text of somebody else.
    'mailto:hello@nordlicht.example?cc=others@example.com',
    'mailto:hello@nordlicht.example,others@example.com',
    'mailto:hello%0a@nordlicht.example',
    'http://nordlicht.example',
    'https://ada@nordlicht.example',
    'https://nordlicht.example/(form)',
    'https://nordlicht.example/a b',
    `https://nordlicht.example/${'a'.repeat(175)}`,
  ])('may not be %j', (contact) => {
    expect(isContact(contact)).toBe(false)
  })
})
