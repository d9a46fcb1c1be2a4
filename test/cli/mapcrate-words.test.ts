import { execFileSync } from 'node:child_process'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CliError, readArguments } from '../../src/cli/program.ts'
import { differenceLines, packJson, type PackToSave } from '../../src/cli/user/pack-text.ts'
import { readFileImport } from '../../src/cli/user/pool-file.ts'
import { paintFor, plain, table } from '../../src/cli/user/screen.ts'
import { shellCall } from '../../src/cli/user/shell.ts'
import { freeName } from '../../src/cli/user/files.ts'
import { describeError } from '../../src/cli/user/errors.ts'
import { MapcrateError } from '../../src/client/errors.ts'
import { comparePacks } from '../../src/pool/comparison.ts'
import { anyPool } from '../pool/pool-arbitrary.ts'

const paint = paintFor({ isTTY: false }, {})
const anyKey = fc
  .tuple(fc.stringMatching(/^[a-z]{1,12}$/), fc.stringMatching(/^[A-Za-z0-9_-]{43}$/))
  .map(([prefix, rest]) => `${prefix}_${rest}`)

describe('what people are told', () => {
  it('never holds a key, whatever went wrong and whatever keys begin with (spec 5)', () => {
    const wrongs = [
      (text: string) => new CliError(text, 'usage'),
      (text: string) => new Error(text),
      (text: string) => new MapcrateError('not_found', text),
      (text: string) => text,
    ]
    const property = fc.property(
      anyKey,
      fc.string(),
      fc.constantFrom(...wrongs),
      (key, text, wrong) => {
        expect(describeError(wrong(`${text} ${key} ${text}`))).not.toContain(key)
      },
    )
    fc.assert(property)
  })

  it('holds nothing that a terminal would obey', () => {
    const property = fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(plain(text).replace(/^\u2068(.*)\u2069$/u, '$1')).not.toMatch(
        /\p{Cc}|[\u202A-\u202E\u2066-\u2069]/u,
      )
      expect(describeError(new CliError(text, 'usage')).replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
    })
    fc.assert(property)
  })
})

describe('a table', () => {
  it('isolates what runs right to left, so that columns keep their order (D-47)', () => {
    const rows = [
      ['כוס הסתיו', 3],
      ['Finals', 20],
    ]
    expect(table(['NAME', 'N'], rows, paint)).toBe(
      'NAME        N\n\u2068כוס הסתיו\u2069   3\nFinals     20\n',
    )
  })

  it('stands in columns, for wide letters and pictures too', () => {
    const rows = [
      ['春の大会', 3],
      ['Finals', 20],
      ['e\u0301te 🏆', 1],
    ]
    expect(table(['NAME', 'N'], rows, paint)).toBe(
      'NAME       N\n春の大会   3\nFinals    20\ne\u0301te 🏆     1\n',
    )
  })
})

describe('the words of a call', () => {
  const options = [
    { name: 'out', takes: 'FILE', about: '' },
    { name: 'json', about: '' },
  ]

  it('may stand in any order, with options in either form, and behind -- as they are', () => {
    const call = readArguments(['a', '--out=b=c', '-', '--json', '--', '--out', '-x'], options)
    expect(call.words).toEqual(['a', '-', '--out', '-x'])
    expect([...call.options]).toEqual([
      ['out', 'b=c'],
      ['json', ''],
    ])
  })

  it('hold any slug, hyphens in front or not', () => {
    const property = fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{10}$/), (slug) => {
      expect(readArguments([slug, '--json'], options).words).toEqual([slug])
    })
    fc.assert(property)
  })

  it('are what a shell makes of a call that is printed', () => {
    const names = [
      "it's ; $(x).csv",
      '-dash.csv',
      '--json',
      '-',
      '--',
      '',
      'a b',
      '"',
      '`id`',
      '*',
      '~',
      '!x',
    ]
    const anyWord = fc.oneof(
      fc.constantFrom(...names),
      fc.string({ minLength: 1 }).map((text) => plain(text)),
    )
    const property = fc.property(fc.array(anyWord, { maxLength: 4 }), (words) => {
      const call = shellCall('import', words, ['--out', '1a', '--json'])
      const script = `mapcrate() { printf '%s\\0' "$@"; }; ${call}`
      const [, ...args] = execFileSync('sh', ['-c', script]).toString().split('\0').slice(0, -1)
      const read = readArguments(args, options)
      expect(read.words).toEqual(words)
      expect([...read.options]).toEqual([
        ['out', '1a'],
        ['json', ''],
      ])
    })
    fc.assert(property, { numRuns: 60, examples: names.map((name) => [[name]]) })
  })

  it('are refused by their name alone where they are no option', () => {
    expect(() => readArguments(['--force'], options)).toThrow(
      new CliError('there is no option "--force"', 'usage'),
    )
  })
})

describe('a pack as a file', () => {
  const anyPack = fc
    .tuple(
      anyPool,
      fc.constantFrom('private', 'unlisted', 'public'),
      fc.constantFrom('', 'Two\nlines'),
    )
    .filter(([pool]) => pool.slots.length > 0)
    .map(([pool, visibility, description]): PackToSave => ({
      ...pool,
      visibility,
      ...(description !== '' && { description }),
    }))

  it('comes back as it was, whatever the pack', async () => {
    const property = fc.asyncProperty(anyPack, async (pack) => {
      const { pools, questions } = await readFileImport(Buffer.from(packJson(pack)), 'x.json')
      const [back] = pools
      expect(questions).toEqual([])
      expect(back?.draft).toMatchObject({ name: pack.name, slots: pack.slots })
      expect(back?.draft.buckets ?? null).toEqual(pack.buckets)
      const { visibility, description } = pack
      expect(back).toMatchObject({ isNamed: true, refused: [] })
      expect(back?.fields).toEqual({ visibility, ...(description && { description }) })
    })
    await fc.assert(property)
  })

  it('differs in nothing from itself, and from every other in something one can read', () => {
    const property = fc.property(anyPack, anyPack, (one, other) => {
      expect(comparePacks(one, one)).toEqual([])
      const lines = differenceLines(comparePacks(one, other), paint, one.slots)
      for (const line of lines.split('\n').slice(0, -1))
        expect(line).toMatch(/\S( →|: | removed: | added: )/u)
      if (one.name !== other.name) expect(lines).not.toBe('')
    })
    fc.assert(property)
  })

  it('gets a name that every system takes, and that no other file has', () => {
    const property = fc.property(fc.string({ unit: 'binary', minLength: 1 }), (name) => {
      const file = freeName({ name, slug: 'aaaaaaaaaa' }, ['pack.json', 'PACK.JSON'])
      expect(file).toMatch(/^[^.\s/\\:*?"<>|\p{Cc}][^/\\:*?"<>|\p{Cc}]*\.json$/u)
      expect(file.toLowerCase()).not.toBe('pack.json')
    })
    fc.assert(property)
  })
})
