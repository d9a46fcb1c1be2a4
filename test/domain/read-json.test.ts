import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { checkJsonMedia, readJson } from '../../src/domain/reading/json.ts'

const encoder = new TextEncoder()

/** What is said of a text that is not JSON; null if it is read. */
const faultOf = (text: string | Uint8Array): string | null => {
  try {
    readJson(typeof text === 'string' ? encoder.encode(text) : text)
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

/** In units of so many bytes. */
const encoded = (text: string, width: 2 | 4, isLittle: boolean): Uint8Array => {
  const units =
    width === 2
      ? text.split('').map((unit) => unit.charCodeAt(0))
      : Array.from(text, (letter) => letter.codePointAt(0)!)
  const view = new DataView(new ArrayBuffer(units.length * width))
  for (const [at, unit] of units.entries()) {
    if (width === 2) view.setUint16(at * 2, unit, isLittle)
    else view.setUint32(at * 4, unit, isLittle)
  }
  return new Uint8Array(view.buffer)
}

const sound = fc.string({ unit: fc.constantFrom('a', '\n', '\ufffd', 'é', '漢', '🎵') })

test.each([
  [[0xff, 0x41, 0, 0]],
  [[0xff, 0x41, 0x41, 0x41]],
  // Like U+FFFD in one or two of its three bytes.
  [[0x80, 0xbf, 0xbd]],
  [[0xef, 0x41, 0xbd]],
  [[0xef, 0xbf, 0x41]],
])('%j is in no other encoding: its first byte is not UTF-8 (D-51)', (bytes) => {
  expect(faultOf(Uint8Array.from(bytes))).toContain('byte 1, in line 1')
})

test('a body in UTF-16 or UTF-32, in either order of bytes, with its mark or without, is named (D-51)', () => {
  fc.assert(
    fc.property(
      sound,
      fc.constantFrom(2 as const, 4 as const),
      fc.boolean(),
      fc.boolean(),
      (text, width, isLittle, hasMark) => {
        const body = `${hasMark ? '\ufeff' : ''}{"name":"${text}"}`
        expect(faultOf(encoded(body, width, isLittle))).toContain(`it is UTF-${8 * width};`)
      },
    ),
  )
})

test('the first byte that is not UTF-8 is named, with its line (D-51)', () => {
  fc.assert(
    fc.property(
      sound,
      sound,
      fc.constantFrom([0x80], [0xff], [0xc3], [0xe6, 0xbc], [0xf0, 0x9f, 0x8e], [0xed, 0xa0, 0x80]),
      (before, after, bad) => {
        const [first, last] = [encoder.encode(`{"${before}`), encoder.encode(`"${after}`)]
        const at = `byte ${first.length + 1}, in line ${before.split('\n').length}, is not;`
        expect(faultOf(Uint8Array.of(...first, ...bad, ...last))).toContain(at)
      },
    ),
  )
})

test('a string holds no control, and no escape that JSON does not have (D-51)', () => {
  const written: Readonly<Record<string, string>> = {
    '\n': 'a line break in a string must be written \\n',
    '\r': 'a line break in a string must be written \\r',
    '\t': 'a tab in a string must be written \\t',
  }
  for (let code = 0; code < 0x80; code += 1) {
    const letter = String.fromCharCode(code)
    const alone = faultOf(`["ab${letter}"]`)
    if (code < 0x20) {
      expect(alone).toContain(`line 1, column 5: ${written[letter] ?? ''}`)
      if (written[letter] === undefined)
        expect(alone).toContain(' cannot be in a string; remove it')
    } else if (!'"\\'.includes(letter)) expect(alone).toBeNull()
    const escaped = faultOf(`["ab\\${letter}"]`)
    if ('"\\'.includes(letter)) continue
    if ('/bfnrt'.includes(letter)) expect(escaped).toBeNull()
    else expect(escaped).toContain('line 1, column 5: this escape does not exist; write \\\\ for')
  }
  for (const digits of ['00e9', 'ABCD', 'abcf']) expect(faultOf(`["\\u${digits}"]`)).toBeNull()
  for (const digits of ['00e', '00g9', '', 'x123']) {
    expect(faultOf(`["\\u${digits}"]`)).toContain('this escape does not exist')
  }
})

test('values of other languages and other numbers are named (D-51)', () => {
  const foreign =
    'NaN Infinity undefined None True False TRUE FALSE NULL Null nil -Infinity +NaN'.split(' ')
  for (const word of foreign) {
    expect(faultOf(`[1, ${word}]`)).toContain(`column 5: ${word} is not a JSON value; leave`)
  }
  for (const number of ['+1', '01', '.5', '1.', '-.5', '0x1F', '1e', '1_000', '+.5', '-01', '5a']) {
    expect(faultOf(`[1, ${number}]`)).toContain('column 5: a number must be plain decimal digits')
  }
})

test('a text with U+0000 or a lone surrogate is refused at its place, the first of several (D-18)', () => {
  const bad = fc.constantFrom(['\\u0000', 'U+0000'], ['\\ud83c', 'a lone surrogate'])
  const step = fc.oneof(fc.constantFrom('name', 'slots', 'x1'), fc.nat({ max: 3 }))
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 5 }),
      bad,
      fc.boolean(),
      (path, is, isName) => {
        const [escape = '', word = ''] = is
        const wrong = isName ? `{"a${escape}":1}` : `"a${escape}"`
        const within = path.reduceRight<string>((inner, at) => {
          if (typeof at === 'string') return `{"is":"sound","${at}":${inner},"z":"${escape}"}`
          return `[${'"sound",'.repeat(at)}${inner},"${escape}"]`
        }, wrong)
        const place = path
          .map((at, index) =>
            typeof at === 'number' ? `[${at}]` : `${index === 0 ? '' : '.'}${at}`,
          )
          .join('')
        const what = isName
          ? `has a field name with ${word.replace(/^U/, 'a U')}`
          : `must hold no ${word.replace(/^a /, '')}`
        expect(faultOf(within)).toBe(`${place} ${what}`)
      },
    ),
  )
  expect(readJson(encoder.encode('["\\u00e9", {"\\ud83c\\udfb5": null}]'))).toEqual([
    'é',
    { '🎵': null },
  ])
})

describe('the media type of a body (D-25)', () => {
  const json = ['application/json']
  const codeOf = (types?: string[], encoding?: string, taken = json): unknown => {
    try {
      return checkJsonMedia(types, encoding, taken)
    } catch (error) {
      return (error as { code?: string }).code
    }
  }

  it.each([
    ['application/json', true],
    ['Application/JSON; charset=utf-8', true],
    ['application/json \t;x', true],
    ['application/json,text/plain', false],
    ['application/json5', false],
    ['application/merge-patch+json', false],
    ['application/problem+json', false],
    ['text/json', false],
    [' application/json', false],
    ['', false],
  ])('%j is JSON: %s', (type, isJson) => {
    expect(codeOf([type])).toBe(isJson ? undefined : 'unsupported_media_type')
    const isEither = isJson || type === 'application/merge-patch+json'
    const either = [...json, 'application/merge-patch+json']
    expect(codeOf([type], undefined, either)).toBe(isEither ? undefined : 'unsupported_media_type')
  })

  it('is there once at least, and JSON each time', () => {
    expect(codeOf()).toBe('unsupported_media_type')
    expect(codeOf(['application/json', 'application/json'])).toBeUndefined()
    expect(codeOf(['application/json', 'text/plain'])).toBe('unsupported_media_type')
  })

  it('has no content coding', () => {
    expect(codeOf(['application/json'], 'gzip')).toBe('unsupported_media_type')
    expect(codeOf(['application/json'], 'identity')).toBe('unsupported_media_type')
  })
})

test('a comma before the end of a list or an object is to be removed (D-51)', () => {
  expect(faultOf('[1 ,]')).toBe(
    'the body must be valid JSON: line 1, column 4: remove the comma before ]',
  )
  expect(faultOf('{"a":1,\n}')).toBe(
    'the body must be valid JSON: line 1, column 7: remove the comma before }',
  )
})

test('names and strings need double quotes, and comments are none of JSON (D-51)', () => {
  const at = (column: number, what: string) =>
    `the body must be valid JSON: line 1, column ${column}: ${what}`
  expect(faultOf('{a:1}')).toBe(at(2, 'a begins a name without double quotes; add them'))
  expect(faultOf('{"a":1, $b:1}')).toBe(at(9, '$ begins a name without double quotes; add them'))
  for (const [quote, shown] of [
    ["'", "'"],
    ['`', '`'],
    ['“', 'U+201C'],
    ['‘', 'U+2018'],
    ['‟', 'U+201F'],
  ] as const) {
    const what = `${shown} is no double quote; strings and names need those`
    expect(faultOf(`[${quote}a${quote}]`)).toBe(at(2, what))
    expect(faultOf(`{${quote}a${quote}:1}`)).toBe(at(2, what))
  }
  for (const sign of ['# a', '// a', '/* a */']) {
    expect(faultOf(`[1 ${sign}]`)).toBe(at(4, 'a comment; JSON has none, remove it'))
  }
  expect(faultOf('[1 / 2]')).toBe(at(4, '/ is where a comma or ] should be'))
})

test.each(['', ' \n\t'])('a body of %j is empty (D-51)', (text) => {
  expect(faultOf(text)).toBe('the body must be valid JSON: it is empty; send a JSON object')
})

test('an object may end where its first name should be, and not behind a comma (D-51)', () => {
  expect(faultOf('{5}')).toContain('begins a name without double quotes')
  expect(faultOf('{,}')).toContain('a name in double quotes or }')
  expect(faultOf('{"a":1,,}')).toMatch(/a name in double quotes(?! or)/)
})

test('D-18: wherever one is, in a field that is there twice too; else the last of these counts', () => {
  const parts = [
    'x',
    '\\\\u0000',
    '\\ud83c\\udfb5',
    '\\"',
    '\\u00e9',
    '\\u0000',
    '\\ud83c',
    '\\udfb5',
  ]
  const string = fc
    .array(fc.constantFrom(...parts), { maxLength: 3 })
    .map((each) => `"${each.join('')}"`)
  const member = fc.tuple(fc.constantFrom('"a"', '"\\u0061"', '"b"'), string, fc.boolean())
  fc.assert(
    fc.property(fc.array(member, { maxLength: 5 }), (members) => {
      const written = members.map(([name, each, isDeep]) =>
        isDeep ? `${name}:[{${name}:"y",${name}:${each},${name}:"z"}]` : `${name}:${each}`,
      )
      const json = `{${written.join()}}`
      const isSound = members.every(([, each]) => {
        const text: string = JSON.parse(each)
        return text.isWellFormed() && !text.includes('\0')
      })
      if (isSound) expect(readJson(encoder.encode(json))).toEqual(JSON.parse(json))
      else expect(faultOf(json)).toMatch(/U\+0000|lone surrogate/)
    }),
    { numRuns: 1_000 },
  )
})
