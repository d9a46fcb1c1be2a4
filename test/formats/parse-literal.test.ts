import { describe, expect, it } from 'vitest'
import { FormatError } from '../../src/formats/format-error.ts'
import { type Literal, parseLiterals, plainValue } from '../../src/formats/json/parse-literal.ts'
import { parseToml } from '../../src/formats/json/parse-toml.ts'
import { parseYaml } from '../../src/formats/json/parse-yaml.ts'

/** The text of each value in it, those inside after those around them. */
const textsOf = (text: string, root: Literal): string[] => {
  const parts =
    root.kind === 'object'
      ? root.members.map(({ value }) => value)
      : root.kind === 'list'
        ? root.items
        : []
  return [text.slice(root.start, root.end), ...parts.flatMap((part) => textsOf(text, part))]
}

describe('literals of JSON, JavaScript, Python and Ruby', () => {
  const read = (text: string): unknown[] => parseLiterals(text).map(plainValue)

  it.each<[string, string, unknown[]]>([
    ['nothing', ' \n', []],
    ['several values', '{"a": 1}\n[2];;{"b": 3}, [4]', [{ a: 1 }, [2], { b: 3 }, [4]]],
    ['a trailing comma', '[1, 2,]', [[1, 2]]],
    ['tuples', "(1, ('a', [2],),)", [[1, ['a', [2]]]]],
    [
      'sets of ids',
      '{"NM": {129891, 75001,}, "HD": { 75002 }}',
      [{ NM: [129891, 75001], HD: [75002] }],
    ],
    [
      'bare keys, and numbers for keys',
      '{a1: 1, $b_: 2, 3: 4, é: 5}',
      [{ a1: 1, $b_: 2, 3: 4, é: 5 }],
    ],
    ['symbols and arrows', '{ :NM1 => 75, "HD1" => 76, a: 1 }', [{ NM1: 75, HD1: 76, a: 1 }]],
    ['quotes of all kinds', `['a"b', "c'd", \`e\nf\`]`, [['a"b', "c'd", 'e\nf']]],
    [
      'escapes',
      String.raw`["\n\t\r\b\f\"\\\/\q", "\u0041\x42\u00e9x"]`,
      [['\n\t\r\b\f"\\/q', 'ABéx']],
    ],
    ['numbers', '[-1, +2, 3.5, 1e3, 2E-2, 1_000, 0]', [[-1, 2, 3.5, 1000, 0.02, 1000, 0]]],
    [
      'words',
      '[null, true, False, None, True, undefined, NaN, false]',
      [[null, true, false, null, true, null, null, false]],
    ],
    ['comments', '// a\n[1, /* [2], * */ 3 # 4\n, 5] // 6', [[1, 3, 5]]],
    ['invisible signs', '\ufeff[\u200b1\u00a0,\u20602]\u200e', [[1, 2]]],
    ['behind an assignment', 'export const pool = {"a": 1};', [{ a: 1 }]],
    ['behind a plain one', 'maps.pool=[1]', [[1]]],
    ['behind a default export', 'export default\n[1]', [[1]]],
    ['behind several assignments', 'a = [1]\nb.c = {"d": 2}', [{ a: [1], 'b.c': { d: 2 } }]],
    [
      'types, and names that are exported below',
      "const n: string = 'x';\nlet p: Record<string, [A | B]> = {a: 1} as const;\nq = [2] satisfies Q[]\nexport default p;\nmodule.exports = q",
      [{ n: 'x', p: { a: 1 }, q: [2] }],
    ],
    ['a key again', '{"a": 1, "a": 2}', [{ a: 2 }]],
  ])('are read with %s', (_, text, values) => expect(read(text)).toEqual(values))

  it.each([
    ['a number alone', '75', 1, 'expected { or ['],
    ['numbers alone that are assigned', 'a = 1\nb = 2', 1, 'expected { or ['],
    ['a value below one that has no name', '["Finals"]\nNM = [1]', 2, 'expected { or ['],
    ['a name that nothing is assigned to', 'a = [1]\nb = c', 2, 'expected a value'],
    ['a word that is none', '[\n yes]', 2, 'expected a value'],
    ['a number that goes on', '[1a]', 1, 'expected a value'],
    ['no comma', '[1\n2]', 2, 'expected a comma or ]'],
    ['no comma in a tuple', '(1 2)', 1, 'expected a comma or )'],
    ['no comma in an object', '{a: 1 b: 2}', 1, 'expected a comma or }'],
    ['no comma in a set', '{129891, 75001 75002]', 1, 'expected a comma or }'],
    ['only a comma', '[,]', 1, 'expected a value'],
    ['a list for a key', '{[1]: 2}', 1, 'expected a value'],
    ['a word for a key that is none', '{true: 1, -: 2}', 1, 'expected a value'],
    ['no colon', '{"a" 1}', 1, 'expected a colon'],
    ['an open text', '["a\n"]', 1, 'does not end on its line'],
    ['an end', '[1,', 1, 'but the text ends here'],
    ['257 lists', '['.repeat(257), 1, 'nested at most 256 deep'],
  ])('are none with %s', (_, text, line, what) => {
    expect(() => parseLiterals(text)).toThrow(FormatError)
    expect(() => parseLiterals(text)).toThrow(
      new RegExp(
        `^line ${line}, column \\d+: .*(?:${what.replaceAll(/[[\](){]/g, String.raw`\$&`)})`,
      ),
    )
  })

  it('may be nested 256 deep', () => {
    expect(parseLiterals('['.repeat(256) + ']'.repeat(256))).toHaveLength(1)
  })

  it('say where they are', () => {
    const text = ` x = { "a" : [ 1, 'b' ] , c: None }; [2]`
    const values = parseLiterals(text)
    expect(values.flatMap((value) => textsOf(text, value))).toEqual([
      `{ "a" : [ 1, 'b' ] , c: None }`,
      `[ 1, 'b' ]`,
      '1',
      `'b'`,
      'None',
      '[2]',
      '2',
    ])
    const [object] = values
    const members = object?.kind === 'object' ? object.members : []
    expect(members.map(({ start, value }) => text.slice(start, value.end))).toEqual([
      `"a" : [ 1, 'b' ]`,
      'c: None',
    ])
  })
})

describe('YAML', () => {
  it.each<[string, string, unknown[]]>([
    [
      'a map of scalars',
      "a: 1\nb: x y\nc: \"d: #e\"\nf: 'g ''h'''",
      [{ a: 1, b: 'x y', c: 'd: #e', f: "g 'h'" }],
    ],
    [
      'words',
      'a: null\nb: ~\nc:\nd: True\ne: no',
      [{ a: null, b: null, c: null, d: true, e: null }],
    ],
    ['numbers', 'a: -1\nb: 1_000\nc: 1.5\nd: 1.5.2', [{ a: -1, b: 1000, c: 1.5, d: '1.5.2' }]],
    [
      'lists at and below the column of their key',
      'a:\n- 1\n- 2\nb:\n  - 3',
      [{ a: [1, 2], b: [3] }],
    ],
    [
      'maps in lists',
      '- a: 1\n  b: 2\n-\n  a: 3\n- - 4\n  - 5\n-',
      [[{ a: 1, b: 2 }, { a: 3 }, [4, 5], null]],
    ],
    ['maps in maps', 'a:\n  b:\n    c: 1\n  d: 2\ne: 3', [{ a: { b: { c: 1 }, d: 2 }, e: 3 }]],
    [
      'quoted keys, and colons in them',
      '"a: b": 1\n\'c\': 2\nd:e: 3\nhttp://x: 4',
      [{ 'a: b': 1, c: 2, 'd:e': 3, 'http://x': 4 }],
    ],
    [
      'comments',
      '# a\na: 1 # b\nb: x#y\nc: "z # w" # v\n  # u\nd: 2',
      [{ a: 1, b: 'x#y', c: 'z # w', d: 2 }],
    ],
    ['several documents', '---\na: 1\n---\n- 2\n...\n', [{ a: 1 }, [2]]],
    [
      'values in brackets, over several lines',
      'a: { b: 1, "c": [2, x y], }\nd: [\n  1, # e\n  2\n]\nf: 3',
      [{ a: { b: 1, c: [2, 'x y'] }, d: [1, 2], f: 3 }],
    ],
    [
      'line breaks of Windows, a mark and blank lines',
      '\ufeffa: 1\r\n\r\nb:\r\n  - 2\r\n',
      [{ a: 1, b: [2] }],
    ],
    ['escapes', String.raw`a: "x\"y\\z"`, [{ a: 'x"y\\z' }]],
  ])('is read with %s', (_, text, values) => {
    expect(parseYaml(text).map(plainValue)).toEqual(values)
  })

  it.each([
    ['anchors', 'a: &b 1'],
    ['tags', 'a: !b 1'],
    ['texts of several lines', 'a: |\n  b'],
    ['a line without a key', 'a: 1\nb'],
    ['a line too far to the right', 'a: 1\n  b: 2'],
    ['a tab before it', 'a:\n\tb: 1'],
    ['something behind a quoted text', 'a: "b" c'],
    ['something behind brackets', 'a: [1] b'],
    ['two colons', 'a: b: c'],
    ['an open quote', 'a: "b'],
    ['an open bracket', 'a: [1, 2'],
    ['an empty item', 'a: [1,,2]'],
    ['an item and a key', '- a\nb: 1\n c: 2'],
    ['33 lists', `${'- '.repeat(34)}1`],
    ['33 brackets', `a: ${'['.repeat(33)}${']'.repeat(33)}`],
  ])('is none with %s', (_, text) => expect(() => parseYaml(text)).toThrow())

  it('says where its values are', () => {
    const text = 'a:\n  - b: 1 # c\n    d: "e"\n  - { f: g, h: [2] }\ni:\n'
    const [root] = parseYaml(text)
    const inner = textsOf(text, root!).slice(1)
    expect(inner).toEqual([
      '- b: 1 # c\n    d: "e"\n  - { f: g, h: [2] }',
      'b: 1 # c\n    d: "e"',
      '1',
      '"e"',
      '{ f: g, h: [2] }',
      'g',
      '[2]',
      '2',
      '',
    ])
  })
})

describe('TOML', () => {
  it.each<[string, string, unknown]>([
    [
      'members',
      'a = 1\n"b c" = "d"\ne=f g ; h\ni = \'j\' # k\nl =',
      { a: 1, 'b c': 'd', e: 'f g', i: 'j', l: null },
    ],
    [
      'sections, and sections in them',
      '[a]\nb = 1\n[a.c]\nd = 2\n[ "e f".g ]\nh = 3',
      { a: { b: 1, c: { d: 2 } }, 'e f': { g: { h: 3 } } },
    ],
    [
      'lists of sections',
      '[[a]]\nb = 1\n[a.c]\nd = 2\n[[a]]\nb = 3 \n[[e.f]]\ng = 4',
      { a: [{ b: 1, c: { d: 2 } }, { b: 3 }], e: { f: [{ g: 4 }] } },
    ],
    ['comments and blank lines', '\ufeff# a\r\n; b\r\n\r\n[c] # d\r\ne = 1\r\n', { c: { e: 1 } }],
    [
      'values in brackets, over several lines',
      'a = [\n  1,\n  2\n]\nb = { c = 3, d = "e" }\nf = 4',
      { a: [1, 2], b: { c: 3, d: 'e' }, f: 4 },
    ],
  ])('is read with %s', (_, text, value) => expect(plainValue(parseToml(text))).toEqual(value))

  it.each([
    ['a line that is no member', 'a = 1\nb'],
    ['no key', '= 1'],
    ['a key of 101 signs', `${'a'.repeat(101)} = 1`],
    ['a section without a name', '[ . ]\na = 1'],
    ['a section that is closed as a list', '[a]]\nb = 1'],
    ['a section of a value', 'a = 1\n[a]\nb = 2'],
    ['a list of sections of one', '[a]\nb = 1\n[[a]]'],
    ['a list of sections of a value', 'a = 1\n[[a]]'],
  ])('is none with %s', (_, text) => expect(() => parseToml(text)).toThrow())
})
