import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isHttpsLink } from '../../src/contract/bounds.ts'
import type { Round, RoundSlot } from '../../src/contract/rounds.ts'
import { readImport } from '../../src/formats/import/read-import.ts'
import { writeBbcode, writeWiki } from '../../src/formats/posts.ts'
import type { Sheet } from '../../src/formats/sheet.ts'
import { writeTable } from '../../src/formats/tables.ts'
import { writePoolsJson } from '../../src/formats/whole-pools.ts'
import { filledSlots } from '../../src/pool/round-fields.ts'

/** Signs that mean something to some format, and their wide forms, which titles have as they are. */
const signs = Array.from(
  '()[]{}<>"\'`|\\*_~=+-@#&%;,.:!?/^$～＊－＠（）［］「」『』【】《》｛｝＃＆：！？，．＋＝☆★①♪…—·。、ａＺ１あ漢한éя',
)
const sign = fc.constantFrom(...signs)
const word = fc.constantFrom(
  'Ghost',
  'Light',
  'feat',
  'Ｇｈｏｓｔ',
  '東方',
  'x',
  'Ver.',
  'TBA',
  '2nd',
)

/** One line, as the API keeps it. */
const anyText = fc
  .array(fc.oneof(word, sign, fc.constant(' ')), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join('').replaceAll(/\s+/g, ' ').trim())
  .filter((text) => /\S/.test(text))

/** A text that posts can have in `Artist - Title (Mapper) [Difficulty]`, whose parts are known by brackets and dashes. */
const postedWord = fc.constantFrom('Ghost', 'Light', 'Ｇｈｏｓｔ', '東方', 'x', '～Ａ～', '＊x')
const postedSign = fc.constantFrom(...Array.from('～＊－＠＃＆！？＋＝☆①♪…·。éя_~=+@$^%!*'))
const anyPosted = fc
  .tuple(postedWord, fc.array(fc.oneof(postedWord, postedSign), { maxLength: 4 }), postedWord)
  .map(([first, parts, last]) => first + parts.join('') + last)

const anyLink = fc
  .array(
    fc.oneof(
      fc.constantFrom('Foo', 'v2.osz', '(cut)', '[1]', '%28', '?a=', '&c='),
      fc.constantFrom(...Array.from('()[]{}<>"\'`|\\*_~^.,;:!?-+@$&=#/')),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => `https://drive.example/${parts.join('')}`)
  .filter(isHttpsLink)

const detailsOf = (text: fc.Arbitrary<string>) =>
  fc.record({ artist: text, title: text, difficulty: text, mapper: text })

const anyRound = (details: fc.Arbitrary<RoundSlot['details']>): fc.Arbitrary<Round> =>
  fc
    .array(fc.record({ details: details.map((each) => each!), link: fc.option(anyLink) }), {
      minLength: 1,
      maxLength: 3,
    })
    .map((planned) => ({
      id: 'b3JkZXIgbX',
      name: 'Finals',
      slots: [
        { mod: 'NM', index: 1, beatmapId: 75 },
        ...planned.map(({ details: each, link }, at) => ({
          mod: 'NM',
          index: at + 2,
          details: each,
          ...(link !== null && { link }),
        })),
        { mod: 'TB', index: 1, beatmapId: 3_012_345 },
      ],
      createdAt: '2026-11-01T10:00:00.000Z',
      updatedAt: '2026-11-01T10:00:00.000Z',
    }))

const sheetOf = (saved: Round): Sheet => ({
  rounds: [
    {
      name: saved.name,
      pool: { name: saved.name, buckets: null, slots: filledSlots(saved.slots) },
      details: new Map(),
      saved,
    },
  ],
})

describe('what is stored of a map without an id is read back as it is', () => {
  const exact: Record<string, (sheet: Sheet) => string> = {
    CSV: (sheet) => writeTable(sheet, ','),
    'CSV of a pack': (sheet) => writeTable({ ...sheet, kind: 'pack' }, ','),
    'cells of a sheet': (sheet) => writeTable(sheet, '\t'),
    JSON: (sheet) => writePoolsJson(sheet),
  }
  const posts: Record<string, (sheet: Sheet) => string> = {
    BBCode: ({ rounds }) => writeBbcode(rounds),
    wiki: ({ rounds }) => writeWiki(rounds),
  }
  const check = (write: (sheet: Sheet) => string, rounds: fc.Arbitrary<Round>): void => {
    const property = fc.property(rounds, (round) => {
      const text = write(sheetOf(round))
      const { pools, questions } = readImport(text)
      expect(
        questions.map((each) => each.text),
        text,
      ).toEqual([])
      expect(
        pools.flatMap((pool) => pool.round.slots),
        text,
      ).toEqual(round.slots)
    })
    fc.assert(property, { numRuns: 300 })
  }

  it.each(Object.entries(exact))('from %s, whatever it is', (_, write) => {
    check(write, anyRound(detailsOf(anyText)))
  })

  it.each(Object.entries(posts))('the links of a round too, from %s', (_, write) => {
    const property = fc.property(anyLink, anyLink, (mapPackUrl, showcaseUrl) => {
      const slots = [
        { mod: 'NM', index: 1, beatmapId: 75 },
        { mod: 'NM', index: 2, beatmapId: 3_012_345 },
      ]
      const times = { createdAt: '2026-11-01T10:00:00.000Z', updatedAt: '2026-11-01T10:00:00.000Z' }
      const round = { id: 'b3JkZXIgbX', name: 'Finals', slots, mapPackUrl, showcaseUrl, ...times }
      const text = write(sheetOf(round))
      const links = readImport(text).pools.map((pool) => pool.roundFields)
      expect(links, text).toEqual([{ mapPackUrl, showcaseUrl }])
    })
    fc.assert(property, { numRuns: 300 })
  })

  /** What reads like a beatmap, a set or a pack key, with words around it. */
  const anyTarget = fc
    .tuple(
      fc.constantFrom('', 'Ghost ', 'x '),
      fc.constantFrom(
        '!mp map 1',
        '!mp map 75 0',
        'osu.ppy.sh/b/75',
        'https://osu.ppy.sh/beatmapsets/1#osu/75',
        'http://old.ppy.sh/p/beatmap?b=75&m=0',
        'https://osu.ppy.sh/s/7',
        'osu://b/75',
        '/b/75',
        'b/1234',
        '7#osu/75',
        'pk1.AQFhAQICrAKFPA',
      ),
      fc.constantFrom('', ' Light', ' x'),
    )
    .map((parts) => parts.join(''))

  it.each(Object.entries({ ...exact, ...posts }))(
    'from %s, also where it reads like a beatmap or a pack key',
    (_, write) => {
      const texts = fc.constantFrom('Ghost', 'Light').chain((word) =>
        fc.record({
          artist: fc.constant(word),
          title: anyTarget,
          difficulty: fc.oneof(anyTarget, fc.constant('Extra')),
          mapper: fc.constant('x'),
        }),
      )
      check(write, anyRound(texts))
      const placeholders = fc.array(anyTarget, { minLength: 1, maxLength: 3 })
      const property = fc.property(placeholders, (all) => {
        const slots: RoundSlot[] = [
          { mod: 'NM', index: 1, beatmapId: 75 },
          ...all.map((placeholder, at) => ({ mod: 'NM', index: at + 2, placeholder })),
          { mod: 'TB', index: 1, beatmapId: 3_012_345 },
        ]
        const times = {
          createdAt: '2026-11-01T10:00:00.000Z',
          updatedAt: '2026-11-01T10:00:00.000Z',
        }
        const text = write(sheetOf({ id: 'b3JkZXIgbX', name: 'Finals', slots, ...times }))
        expect(
          readImport(text).pools.flatMap((pool) => pool.round.slots),
          text,
        ).toEqual(slots)
      })
      fc.assert(property, { examples: [[['!mp map 1']], [['pk1.AQFhAQICrAKFPA']]] })
    },
  )

  it('with the signs of each part, also where another part has it in a word', () => {
    const text =
      '[list]\n[*]NM1: Ghost - ＊x*xＡ (x) [＊xＡ]\n[*]NM2: [url=https://osu.ppy.sh/b/75]a[/url]'
    expect(readImport(text).pools[0]?.round.slots[0]?.details).toEqual({
      artist: 'Ghost',
      title: '＊x*xＡ',
      difficulty: '＊xＡ',
      mapper: 'x',
    })
  })

  it.each(Object.entries(posts))('from %s, whatever signs it has', (_, write) => {
    check(write, anyRound(detailsOf(anyPosted)))
  })
})

describe('a link of others', () => {
  const part = fc.constantFrom(
    'Foo',
    'v2',
    '_',
    '-',
    '=',
    '&x',
    '(cut)',
    '[1]',
    '{a}',
    '(1234567)',
    '()',
  )
  /** Its brackets are closed, and its last sign is none of a sentence. */
  const anyClosed = fc
    .tuple(fc.array(part, { maxLength: 4 }), fc.constantFrom('.osz', '(2)', '/x'))
    .map(([parts, end]) => `https://drive.example/a${parts.join('')}${end}`)
  const linksIn = (text: string) =>
    readImport(text).pools.flatMap(({ round }) => round.slots.flatMap(({ link }) => link ?? []))

  it('is whole in a sentence, without what is behind it', () => {
    const around = fc
      .constantFrom(
        ...'…|….|(…)|see …, due Sunday|<…>|[x](…)|…，谢谢|（…）|「…」。|[url]…[/url]|[url=…]x[/url]|…!'.split(
          '|',
        ),
      )
      .map((text) => text.split('…') as [string, string])
    const property = fc.property(anyClosed, around, (link, [before, after]) => {
      const text = `NM1 129891\nHD1 TBA ${before}${link}${after}\nHD2 75`
      expect(linksIn(text), text).toEqual([link])
    })
    fc.assert(property, { numRuns: 300 })
  })

  it('is all of a cell, in ASCII as browsers send it', () => {
    const wide = fc.constantFrom('', 'é', '～', '（全角）', '曲.osz', '.', '_', '*')
    const property = fc.property(anyClosed, wide, (closed, end) => {
      const link = closed + end
      const text = `Slot,Title,Link\nNM1,New Map,${link}\nHD1,Other,\n`
      expect(linksIn(text), text).toEqual([closed + encodeURI(end)])
    })
    fc.assert(property, { numRuns: 300 })
  })
})

it.each(['NM', 'HD', 'HR', 'DT', 'FM', 'TB', 'EZ', 'HT', 'FL', 'RC', 'LN', 'HB', 'EX', 'MM'])(
  'the bucket %s has the name in articles that it is read by',
  (code) => {
    const slots = [{ mod: code, index: 1, beatmapId: 129_891 }]
    const own = { name: 'Finals', slots, buckets: null }
    const text = writeWiki([{ name: 'Finals', pool: own, details: new Map() }])
    const [, name = ''] = /^- (.*)$/m.exec(text) ?? []
    expect(name).toMatch(/^[A-Z][a-z]+( [A-Z][a-z]+)?$/)
    expect(readImport(text).pools.map(({ draft }) => draft.slots)).toEqual([slots])
  },
)
