import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { invalidInput, sentenceOf } from '../../src/domain/invalid-input.ts'
import { ofPrograms } from '../../src/pool/input-words.ts'

const problems = fc.array(
  fc.record({
    place: fc.oneof(
      fc.constant(''),
      fc.string({ unit: fc.constantFrom('a', '.', ' ', '漢', '🎵'), maxLength: 120, size: 'max' }),
    ),
    text: fc.constantFrom('must be a string', 'is not known'),
  }),
  { minLength: 1, maxLength: 14, size: 'max' },
)

/** No letter takes more than three bytes a code unit. */
const boundOf = (text: string): number =>
  text.split('').reduce((sum, unit) => sum + (/[ -~]/.test(unit) ? 1 : 3), 0)

test('a refusal says the first ten problems, as far as they fit in 900 bytes, and one at least', () => {
  fc.assert(
    fc.property(problems, (made) => {
      const given = made.map(({ place, text }) => ({ place, ...ofPrograms(text) }))
      const { message, details, code } = invalidInput(given)
      const sentences = given.map(sentenceOf)
      for (const [at, { place, text }] of made.entries()) {
        expect(sentences[at]).toBe(`${place === '' ? 'the body' : place} ${text}`)
      }
      const fits = sentences.map((_, at) => sentences.slice(0, at + 1).join('; '))
      const most = Math.max(1, fits.slice(0, 10).filter((text) => boundOf(text) <= 900).length)
      expect(code).toBe('bad_request')
      expect(message).toBe(fits[most - 1])
      expect(details).toEqual({
        problems: given.slice(0, most).map(({ place, what }) => ({ place, what })),
      })
    }),
    { numRuns: 300 },
  )
})
