import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../src/contract/errors.ts'
import { checkUsername, takeUsername } from '../../src/domain/accounts.ts'
import { canonicalMagnet } from '../../src/domain/magnets.ts'
import { asOperator } from '../../src/domain/moderation.ts'
import { fitName } from '../../src/formats/draft-builder.ts'
import { completePool, findProblems, inEnglishAll } from '../../src/pool/checks.ts'
import { findInFields } from '../../src/pool/pack-fields.ts'
import { inRow, isolate, isVisible, withoutDirection } from '../../src/pool/text.ts'
import { refusalOf } from './refusal.ts'

const directional = [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069]
const breaks = [0x2028, 0x2029]
const hex = (point: number): string => `U+${point.toString(16).toUpperCase()}`
const slots = [{ mod: 'NM', index: 1, beatmapId: 75 }]

function descriptionRefusal(description: string): string {
  const [problem] = inEnglishAll(findInFields({ description }))
  return problem ? `bad_request: ${problem.place} ${problem.remedy}` : 'none'
}

/** What each text that people enter is refused with. */
const refusals = (point: number): Record<string, string> => {
  const text = `Cup${String.fromCodePoint(point)}2026`
  const code = `A${String.fromCodePoint(point)}B`
  const link = `magnet:?xt=urn:btih:${'0'.repeat(40)}&dn=${encodeURIComponent(text)}`
  return {
    name: refusalOf(() => completePool({ name: text, slots })),
    description: descriptionRefusal(text),
    code: refusalOf(() => completePool({ name: 'a', buckets: [{ code, color: 1 }], slots })),
    mod: refusalOf(() => completePool({ name: 'a', slots: [{ ...slots[0]!, mod: code }] })),
    dn: refusalOf(() => canonicalMagnet(link)),
    reason: refusalOf(() => asOperator(text)),
    username: refusalOf(() => checkUsername(text)),
  }
}

describe('directional formatting is refused everywhere, by field and code point (D-47)', () => {
  it.each(directional.map((point) => [hex(point), point] as const))('%s', (shown, point) => {
    const why = `must not contain ${shown}: it changes the direction of text; remove it`
    expect(refusals(point)).toEqual({
      name: `bad_request: name ${why}`,
      description: `bad_request: description ${why}`,
      code: `bad_request: buckets[0].code ${why}`,
      mod: `bad_request: slots[0].mod ${why}`,
      dn: `bad_request: the dn of url ${why}`,
      reason: `bad_request: reason ${why}`,
      username: `bad_request: the username ${why}`,
    })
  })

  it.each(breaks.map((point) => [hex(point), point] as const))(
    '%s in texts of one line',
    (shown, point) => {
      const { description, ...lines } = refusals(point)
      expect(description).toBe('none')
      for (const refusal of Object.values(lines)) {
        expect(refusal).toContain(`must not contain ${shown}: it is a line break; remove it`)
      }
    },
  )

  it('marks of direction stay allowed: they act on their neighbours alone', () => {
    for (const point of [0x200e, 0x200f, 0x061c]) {
      expect(new Set(Object.values(refusals(point))).has('none')).toBe(true)
    }
    expect(completePool({ name: 'Cup \u200f\u05d0', slots }).name).toBe('Cup \u200f\u05d0')
  })

  it('names of players are cleaned rather than refused: they cannot change them here', () => {
    expect(takeUsername('\u202eda\u202c')).toBe('da')
    expect(() => takeUsername(' ')).toThrow(AppError)
  })

  it('a name that is made of a file name is cleaned', () => {
    expect(fitName('\u2067Finals\u2069', 'Pool')).toBe('Finals')
    expect(fitName('\u200b\u3164', 'Pool')).toBe('Pool')
  })
})

describe('a name has a visible character (D-47)', () => {
  const unseen = [
    '\u200b',
    '\u00ad',
    '\u034f',
    '\u115f',
    '\u1160',
    '\u180e',
    '\u200d',
    '\u200f',
    '\u2060',
    '\u2800',
    '\u3164',
    '\ufe0f',
    '\uffa0',
    '\ufffb',
    '\u{e0020}\u{e007f}',
    '\u{e01ef}',
    '\u0301',
    '\u20dd',
    '\u17b4',
    '\u{1d159}',
    '\u3164 \u2800\u200b\u00a0\u115f',
  ]
  it.each(unseen.map((name) => [JSON.stringify(name), name] as const))('not %s', (_shown, name) => {
    const message = 'must have at least one visible character'
    expect(findProblems({ name, slots })).toEqual([{ place: 'name', remedy: message }])
    expect(isVisible(name)).toBe(false)
    expect(isVisible(`${name}1${name}`)).toBe(true)
  })

  it.each(['.', '🌸', '👩‍🚀', 'ﷺ', '\u0600', '\u0903', 'ﾠa', '\ufffd', '\ue000', '🇯🇵'])(
    'but %s',
    (name) => {
      expect(findProblems({ name, slots })).toEqual([])
    },
  )

  it('and so has a code, which is the name of a bucket', () => {
    const buckets = [{ code: '\u3164\u115f', color: 0 }]
    expect(findProblems({ name: 'a', buckets, slots })).toEqual([
      { place: 'buckets[0].code', remedy: 'must have at least one visible character' },
    ])
    expect(findProblems({ name: 'a', slots: [{ ...slots[0]!, mod: '\uffa0' }] })).toEqual([
      { place: 'slots[0].mod', remedy: 'must have at least one visible character' },
    ])
  })
})

describe('texts of before are shown without what would turn them (D-47)', () => {
  it('in plain text they are isolated where they run right to left', () => {
    expect(isolate('Cup')).toBe('Cup')
    expect(isolate('כוס 2026')).toBe('\u2068כוס 2026\u2069')
    expect(isolate('\u202ereggin\u2069')).toBe('reggin')
    expect(withoutDirection('\u2067a\u202e\u2069b')).toBe('ab')
  })

  it('in a row they keep their order: marks around each that runs right to left divide it from the others', () => {
    const anyCode = fc.constantFrom('NM', 'אב', 'גד', 'نص', '日本', '7', 'X')
    fc.assert(
      fc.property(fc.array(anyCode, { maxLength: 8 }), (codes) => {
        const row = inRow(codes)
        expect(row.replaceAll('\u200e', '')).toBe(codes.join(' '))
        for (const [at, text] of row.split(' ').entries()) {
          if (/[\u0590-\u08ff]/.test(codes[at]!)) expect(text).toMatch(/^\u200e.*\u200e$/)
        }
      }),
    )
    expect(inRow(['NM', 'HD'])).toBe('NM HD')
  })
})
