import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readJson } from '../../src/domain/reading/json.ts'

const encoder = new TextEncoder()

/** What is said of a text that is not JSON; null if it is read. */
const faultOf = (text: string): string | null => {
  try {
    readJson(encoder.encode(text))
    return null
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

const spaces = fc.string({ unit: fc.constantFrom(' ', '\t', '\n'), maxLength: 3 })
const scalar = fc.oneof(
  fc.constantFrom('true', 'false', 'null', '0', '-1', '2.5', '1e3', '""', '"a, ]"', '"\\"}"'),
  fc.integer().map(String),
)
const { value } = fc.letrec<{ value: string[] }>((tie) => {
  const key = scalar.map((text) => JSON.stringify(text))
  const parted = (items: readonly (readonly string[])[]) =>
    items.flatMap((item, at) => (at === 0 ? item : [',', ...item]))
  return {
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      scalar.map((text) => [text]),
      fc.array(tie('value'), { maxLength: 4 }).map((items) => ['[', ...parted(items), ']']),
      fc
        .array(fc.tuple(key, tie('value')), { maxLength: 4 })
        .map((members) => ['{', ...parted(members.map(([k, v]) => [k, ':', ...v])), '}']),
    ),
  }
})
/** Tokens of a JSON text, white space among them, and a place between two of them. */
const document = value.chain((tokens) =>
  fc.record({
    tokens: fc
      .array(spaces, { minLength: tokens.length, maxLength: tokens.length })
      .map((gaps) => tokens.flatMap((token, at) => [gaps[at] ?? '', token])),
    at: fc.nat({ max: 2 * tokens.length }),
  }),
)

const placeAfter = (text: string): string => {
  const lines = text.split('\n')
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}:`
}

test('a JSON text is read, with any white space, and a sign between any two of its tokens is the fault (D-51)', () => {
  fc.assert(
    fc.property(document, ({ tokens, at }) => {
      expect(readJson(encoder.encode(tokens.join('')))).toEqual(JSON.parse(tokens.join('')))
      const before = tokens.slice(0, at).join('')
      const fault = faultOf(`${before}@${tokens.slice(at).join('')}`)
      expect(fault).toContain(`the body must be valid JSON: ${placeAfter(before)} @ `)
    }),
    { numRuns: 1_000 },
  )
})

test('a text that is cut off between two tokens ends where something is missing (D-51)', () => {
  fc.assert(
    fc.property(document, ({ tokens, at }) => {
      const before = tokens.slice(0, at).join('')
      fc.pre(before.trim() !== '' && tokens.slice(at).join('').trim() !== '')
      expect(faultOf(before)).toContain(`${placeAfter(before)} the body ends where `)
    }),
    { numRuns: 1_000 },
  )
})
