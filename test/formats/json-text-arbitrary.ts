import * as fc from 'fast-check'

/** White space as JSON allows it between its parts, often none. */
export const anyGap: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(' ', '\n', '\r\n', '\t', '\n  ', '\r\n\t\t', '  ', '\r', ' \n '),
  },
)

/** Numbers that a program which reads and writes them again would change. */
const anyNumber = fc.oneof(
  fc.constantFrom('0', '-0', '1.0', '1e2', '1E+2', '12345678901234567890', '0.10', '-1.50e-3'),
  fc.integer().map(String),
)

const escaped = (text: string): string =>
  Array.from(JSON.stringify(text), (letter) =>
    /[éあ]/.test(letter) ? `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}` : letter,
  ).join('')

/** Texts, some of them spelled with escapes that are not needed. */
const anyJsonString: fc.Arbitrary<string> = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom('Rounds', 'Beatmaps', 'Name', 'ID', ']', '}', ',', '"', '\\', 'é', 'あ\n'),
  )
  .chain((text) => fc.constantFrom(JSON.stringify(text), escaped(text)))

/**
 * No key holds a backslash: in V8 of Node 26, `JSON.parse`, which these tests compare with, gives
 * the second of `{"a":1,"\\":2,"b":3}` and `{"a":1,"\"":2,"b":3}` the keys of the first.
 */
const anyKey = anyJsonString.filter((key) => !(JSON.parse(key) as string).includes('\\'))

const joined = (open: string, parts: readonly string[], close: string, gap: string): string =>
  parts.length === 0
    ? open + gap + close
    : `${open}${gap}${parts.join(`${gap},${gap}`)}${gap}${close}`

/** Any JSON value as text, its keys repeated at times. */
export const { value: anyJsonText } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom('null', 'true', 'false'),
    anyNumber,
    anyJsonString,
    fc
      .tuple(fc.array(tie('value'), { maxLength: 4 }), anyGap)
      .map(([parts, gap]) => joined('[', parts, ']', gap)),
    fc
      .tuple(fc.array(fc.tuple(anyKey, tie('value')), { maxLength: 4 }), anyGap)
      .map(([members, gap]) =>
        joined(
          '{',
          members.map(([key, value]) => `${key}${gap}:${gap}${value}`),
          '}',
          gap,
        ),
      ),
  ),
}))

/** Members as text, with a comma behind each; none has one of the keys, in any case. */
export const anyMembersBut = (...keys: readonly string[]): fc.Arbitrary<readonly string[]> => {
  const taken = keys.map((key) => key.toLowerCase())
  return fc.array(
    fc
      .tuple(
        anyKey.filter((key) => !taken.includes((JSON.parse(key) as string).toLowerCase())),
        anyGap,
        anyJsonText,
      )
      .map(([key, gap, value]) => `${key}${gap}:${gap}${value}`),
    { maxLength: 3 },
  )
}
