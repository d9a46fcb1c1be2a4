import * as fc from 'fast-check'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import type { RoundSlot } from '../../src/contract/rounds.ts'
import { isSetFile, isUndecided } from '../../src/formats/import/words/planned.ts'
import { readImport } from '../../src/formats/import/read-import.ts'
import { readImportFile } from '../../src/formats/import/read-import-file.ts'
import { withoutPlans } from '../../src/formats/import/placing/plan-places.ts'
import { slotWords } from '../../src/pool/round-fields.ts'
import { detailsWords } from '../../src/pool/slot-details.ts'
import { slotLabel } from '../../src/pool/slots.ts'
import { anyRound as anyWholeRound } from '../support/any-round.ts'
import { pasted } from './pasted-text.ts'

const word = fc.constantFrom(
  ..."Amber Bo'sun Cirrus Delta Ember Fjord Über 夜想曲 Лето 😀wave".split(' '),
)
const words = (most: number) =>
  fc.array(word, { minLength: 1, maxLength: most }).map((parts) => parts.join(' '))

const details = fc.record({
  artist: words(2),
  title: words(3),
  difficulty: words(2),
  mapper: words(1),
})
const link = fc.constantFrom(
  'https://drive.google.com/file/d/1AbC129891xyz/view',
  'https://www.dropbox.com/s/a1b2c3/map.osz?dl=0',
  'https://mega.nz/file/AbC#d-e_f',
  'https://www.mediafire.com/file/abc/map.osz/file',
  'https://cdn.discordapp.com/attachments/1234567/7654321/map.osz',
  'https://files.example/tidal-clock.osz',
)
const open = fc.constantFrom('TBA', 'TBD', '???', 'custom map, due Sunday', 'custom')

/** What a slot holds: a beatmap, a song, words, a file, or nothing. */
const anyFilling = fc.oneof(
  fc.integer({ min: 10_000, max: 9_000_000 }).map((beatmapId) => ({ beatmapId })),
  details.map((each) => ({ details: each })),
  fc.tuple(details, link).map(([each, to]) => ({ details: each, link: to })),
  fc.oneof(open, words(3)).map((placeholder) => ({ placeholder })),
  fc.tuple(open, link).map(([placeholder, to]) => ({ placeholder, link: to })),
  fc.constant({}),
)
type Filling = Omit<RoundSlot, 'mod' | 'index'>

/** At least one beatmap, so that it is a pool, and no two slots alike. */
const anyRound: fc.Arbitrary<RoundSlot[]> = fc
  .array(fc.tuple(fc.constantFrom('NM', 'HD', 'HR', 'DT', 'FM', 'EZHD'), anyFilling), {
    minLength: 1,
    maxLength: 12,
  })
  .map((drawn) =>
    [
      ['NM', { beatmapId: 129_891 }] as const,
      ...drawn,
      ['TB', { placeholder: 'TBA' }] as const,
    ].map(([mod, filling]: readonly [string, Filling], at, all) => ({
      mod,
      index: all.slice(0, at + 1).filter(([other]) => other === mod).length,
      ...filling,
    })),
  )

const label = ({ mod, index }: RoundSlot): string => `${mod}${index}`

/** `Artist - Title [Difficulty] (mapper)`, or what is planned, or nothing; the link after it. */
function textOf(slot: RoundSlot, song = detailsWords): string {
  const what = slot.details === undefined ? (slot.placeholder ?? '') : song(slot.details)
  return [slot.beatmapId ?? what, slot.link ?? ''].join(' ').trim()
}

type Details = NonNullable<RoundSlot['details']>
const songs: readonly ((details: Details) => string)[] = [
  detailsWords,
  ({ artist, title, difficulty, mapper }) => `${artist} - ${title} [${difficulty}] (${mapper})`,
  ({ artist, title, difficulty, mapper }) => `${artist} – ${title} (${mapper}) [${difficulty}]`,
]

const cell = (text: string): string =>
  /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
const header = ['Slot', 'Beatmap ID', 'Artist', 'Title', 'Version', 'Mapper']
/** What is planned is in the place of the id, or of the title beside a link. */
function rowOf(slot: RoundSlot): string[] {
  const { placeholder = '', link: to } = slot
  const { artist = '', title = '', difficulty = '', mapper = '' } = slot.details ?? {}
  const id = slot.beatmapId ?? to ?? placeholder
  const isBeside = to !== undefined && placeholder !== ''
  return [label(slot), String(id), artist, isBeside ? placeholder : title, difficulty, mapper]
}

/** The buckets in order, and the slots of each by their numbers. */
const byBucket = (slots: readonly RoundSlot[]) =>
  [...Map.groupBy(slots, ({ mod }) => mod ?? '')].map(([mod, own]) => [mod, own] as const)

/** The same round as lines, as rows and as data, each in the ways in which hosts write them. */
const shapes: Record<string, (slots: readonly RoundSlot[]) => string> = {
  lines: (slots) => slots.map((each) => `${label(each)} ${textOf(each)}`).join('\n'),
  'lines with a colon': (slots) =>
    slots.map((each) => `${label(each)}: ${textOf(each, songs[1])}`).join('\r\n'),
  'lines with a dash': (slots) =>
    slots.map((each) => `- ${label(each)} - ${textOf(each, songs[2])}`).join('\n'),
  'bold labels': (slots) => slots.map((each) => `**${label(each)}** ${textOf(each)}`).join('\n'),
  'a post': (slots) =>
    `[list]${slots.map((each) => `[*][b]${label(each)}[/b] ${textOf(each)}`).join('\n')}[/list]`,
  CSV: (slots) => [header, ...slots.map(rowOf)].map((row) => row.map(cell).join(',')).join('\r\n'),
  'cells of a sheet': (slots) =>
    [header, ...slots.map(rowOf)].map((row) => row.join('\t')).join('\n'),
  'a table without a header': (slots) =>
    slots.map((each) => [label(each), textOf(each), ''].join('\t')).join('\n'),
  'a Markdown table': (slots) =>
    [header, header.map(() => '---'), ...slots.map(rowOf)]
      .map((row) => `| ${row.join(' | ')} |`)
      .join('\n'),
  'a round as the API has it': (slots) =>
    JSON.stringify({ name: 'Finals', bestOf: 9, slots }, null, 2),
  'objects of a bot': (slots) =>
    JSON.stringify(
      slots.map(({ beatmapId = null, details: each, placeholder, link: url, ...slot }) => ({
        slot: label(slot),
        beatmapId,
        ...each,
        ...(placeholder !== undefined && { note: placeholder }),
        ...(url !== undefined && { url }),
      })),
    ),
  'keys of an overlay': (slots) =>
    JSON.stringify(
      Object.fromEntries(
        slots.map(({ beatmapId, ...slot }) => [
          label(slot),
          beatmapId ?? (textOf(slot) === '' ? null : textOf(slot)),
        ]),
      ),
    ),
}

/** Ways that have no words for a slot of which nothing is known: it is `TBA` there. */
const listShapes: typeof shapes = {
  'a numbered list below headings': (slots) =>
    byBucket(slots)
      .flatMap(([mod, own]) => [
        `- ${mod}`,
        ...own.map((each, at) => `  ${at + 1}. ${listed(each)}`),
      ])
      .join('\n'),
  'a list below headings of Markdown': (slots) =>
    byBucket(slots)
      .flatMap(([mod, own]) => [`### ${mod}`, '', ...own.map((each) => `- ${listed(each)}`), ''])
      .join('\n'),
  'data with a list for each bucket': (slots) =>
    JSON.stringify(
      Object.fromEntries(
        byBucket(slots).map(([mod, own]) => [
          mod,
          own.map((each) => each.beatmapId ?? textOf(each)),
        ]),
      ),
    ),
}
const listed = (slot: RoundSlot): string =>
  slot.beatmapId === undefined ? textOf(slot) : `https://osu.ppy.sh/b/${slot.beatmapId}`

/** Slots in words, by label. */
const told = (slots: readonly RoundSlot[]): string[] =>
  slots.map((slot) => `${slotLabel(slot)} ${slotWords(slot)}`).toSorted()

const filledOf = (slots: readonly RoundSlot[]) =>
  slots.flatMap(({ mod, index, beatmapId }) => (beatmapId ? [{ mod, index, beatmapId }] : []))

describe('a round with slots that have no beatmap yet (D-77)', () => {
  const isRead = (slots: readonly RoundSlot[], text: string): void => {
    const { pools, questions } = readImport(text)
    expect(questions).toEqual([])
    expect(pools).toHaveLength(1)
    expect(told(pools[0]!.round.slots)).toEqual(told(slots))
    // A pack holds what has a beatmap, and nothing else of it.
    expect(told(pools[0]!.draft.slots)).toEqual(told(filledOf(slots)))
  }

  it.each(Object.entries(shapes))('is read back from %s', (_, write) => {
    fc.assert(
      fc.property(anyRound, (slots) => isRead(slots, write(slots))),
      { numRuns: 60 },
    )
  })

  it.each(Object.entries(listShapes))('is read back from %s', (_, write) => {
    fc.assert(
      fc.property(anyRound, (drawn) => {
        const slots = drawn.map((slot) =>
          slotWords(slot) === 'empty'
            ? { ...slot, placeholder: 'TBA' }
            : slot.placeholder !== undefined &&
                /^\p{Lu}(?!B)|^[^\p{L}?]|^夜/u.test(slot.placeholder)
              ? { ...slot, placeholder: `custom ${slot.placeholder}` }
              : slot,
        )
        isRead(slots, write(slots))
      }),
      { numRuns: 60 },
    )
  })

  it('is read back from a table with a column for each slot', () => {
    fc.assert(
      fc.property(anyRound, (drawn) => {
        const slots = drawn.map((slot) =>
          slot.details === undefined && /^(?:TB|\?|custom|$)/.test(slot.placeholder ?? '')
            ? slot
            : { mod: slot.mod, index: slot.index },
        )
        isRead(
          slots,
          [slots.map(label), slots.map((each) => textOf(each))]
            .map((row) => row.join('\t'))
            .join('\n'),
        )
      }),
      { numRuns: 60 },
    )
  })

  it('is read back from a spreadsheet file, also beside a tab that has beatmaps', async () => {
    await fc.assert(
      fc.asyncProperty(anyRound, async (slots) => {
        const open = slots.filter(({ beatmapId }) => beatmapId === undefined)
        const more = [...open, { mod: 'FL', index: 1, placeholder: 'TBA' }]
        const sheets = [slots, more].map((each, at) => ({
          name: ['Semifinals', 'Finals'][at]!,
          rows: [header, ...each.map(rowOf)],
        }))
        const { pools } = await readImportFile(await writeXlsx({ sheets }))
        const expected = [
          slots,
          ...(more.filter((each) => slotWords(each) !== 'empty').length > 1 ? [more] : []),
        ]
        expect(pools.map(({ round }) => told(round.slots))).toEqual(expected.map(told))
      }),
      { numRuns: 20 },
    )
  })
})

describe('a line without a beatmap', () => {
  it.each([
    ['TB1 custom map, due Sunday', 'TB: “custom map, due Sunday”'],
    ['HD1 TBA', 'HD1: “TBA”'],
    ['DT1 ???', 'DT1: “???”'],
    ['Tiebreaker: to be announced', 'TB: “to be announced”'],
    ['Hard Rock 2 - TBD', 'HR2: “TBD”'],
    ['EZHD1 TBA', 'EZHD1: “TBA”'],
    ['RC1 TBA', 'RC1: “TBA”'],
    ['【NM1】TBA', 'NM1: “TBA”'],
    ['NM1 Artist - Title', 'NM1: Artist - Title'],
    ['NM1 Artist - Title [Hard] (mapper)', 'NM1: Artist - Title [Hard] by mapper'],
    ['NM1 Artist - Title (mapper) [Hard]', 'NM1: Artist - Title [Hard] by mapper'],
    ['NM1 Artist - Title [Hard] by mapper', 'NM1: Artist - Title [Hard] by mapper'],
    ['NM1 Artist - Title (Cut ver.) [Hard]', 'NM1: Artist - Title (Cut ver.) [Hard]'],
    ['NM1 Artist - Title ([a] b) [Hard [x]]', 'NM1: Artist - Title [Hard [x]] by [a] b'],
    ['NM1 69 de 74 - Transient', 'NM1: 69 de 74 - Transient'],
    ['NM1 [A - B](https://mega.nz/file/a#b)', 'NM1: A - B, https://mega.nz/file/a#b'],
    ['NM1 [url=https://mega.nz/file/a]A - B[/url]', 'NM1: A - B, https://mega.nz/file/a'],
    ['NM1 <https://files.example/d/a.osz>', 'NM1: https://files.example/d/a.osz'],
    ['NM1 https://drive.google.com/file/d/1/view', 'NM1: https://drive.google.com/file/d/1/view'],
    // Mirrors have whole sets.
    ['NM1 https://catboy.best/d/1984410', 'NM1: https://catboy.best/d/1984410'],
    ['NM1 https://api.nerinyan.moe/d/16', 'NM1: https://api.nerinyan.moe/d/16'],
    ['NM1 https://catboy.best/b/1984410', null],
    // Only https is kept as a link, and no name or password in it.
    ['NM1 http://files.example/a.osz', 'NM1: “http://files.example/a.osz”'],
    ['NM1 https://me:pw@files.example/a', 'NM1: “https://me:pw@files.example/a”'],
    // Whose difficulty is to be chosen.
    ['NM1 https://osu.ppy.sh/beatmapsets/9', 'NM1: https://osu.ppy.sh/beatmapsets/9'],
    ['NM1 A - B https://osu.ppy.sh/s/9', 'NM1: A - B, https://osu.ppy.sh/s/9'],
    ['NM1 osu.ppy.sh/s/9', 'NM1: https://osu.ppy.sh/beatmapsets/9'],
    ['NM1 https://osu.ppy.sh/s/9 https://osu.ppy.sh/s/10', null],
    ['NM1 https://osu.ppy.sh/users/9', null],
    ['NM1 https://osu.ppy.sh/home', null],
    ['NM1 Artist - Title 2000', null],
    ['NM1 is too hard', null],
    ['NM1 and NM2 swapped', null],
    ['NM1 banned by Blue', null],
    ['NoMod picks', undefined],
    ['Tiebreaker', undefined],
    ['NM', undefined],
    ['RO16 TBA', null],
    ['BO7 TBA', undefined],
    ['NM1', null],
    ['NM0 TBA', null],
    ['NM100 TBA', null],
  ])('%s', (line, expected) => {
    // Nothing, a refusal, or a slot.
    const [first] = pasted(line)
    if (expected === undefined) expect(first).toBeUndefined()
    else if (expected === null) expect(first).toMatch(/^1: [A-Z]/)
    else expect(first).toBe(expected)
  })

  it('that has the letters of an API key plans nothing, so that nobody is shown it', () => {
    const key = `mc_${'a1B2-'.repeat(9).slice(0, 43)}`
    for (const text of [`NM1 ${key}`, `Slot,ID\nNM1,${key}`, `{"NM1":"${key}"}`]) {
      const { pools } = readImport(text)
      expect(JSON.stringify(pools.map(({ round }) => round))).not.toContain(key)
    }
  })

  it('is cut between characters where it is too long', () => {
    const wave = '😀'.repeat(200)
    const [placeholder, song] = readImport(`NM1 custom ${wave}\nNM2 A - ${wave} [x]`).pools[0]!
      .round.slots
    expect(placeholder!.placeholder).toBe(`custom ${'😀'.repeat(46)}`)
    expect(song!.details!.title).toBe('😀'.repeat(64))
  })

  it('of a code that nothing else names has to show that a map is meant', () => {
    expect(pasted('RC1 something\nRC2 75')).toEqual(['RC1: “something”', 'RC2=75'])
    expect(pasted('NM1 75\nLN1 something\nLN2 else')).toEqual([
      'NM1=75',
      'LN1: “something”',
      'LN2: “else”',
    ])
    expect(pasted('AX1 Blue team\nAX2 Red team').every((line) => line.startsWith('1: '))).toBe(true)
  })

  it('belongs to the link below it, if there is one', () => {
    expect(pasted('NM1 - A - B [C]\n<https://osu.ppy.sh/b/75>\nTB1 TBA\n')).toEqual([
      'NM1=75',
      'TB: “TBA”',
    ])
  })

  it('keeps its place in the list below a heading', () => {
    const text =
      'NoMod\n1. TBA\n2. https://osu.ppy.sh/b/75\nHard Rock\n1. **TBA**\n2. https://osu.ppy.sh/b/76'
    expect(pasted(text)).toEqual(['NM1: “TBA”', 'NM2=75', 'HR1: “TBA”', 'HR2=76'])
    const rules = 'Free Mod\n1. At least two players must use mods\n2. https://osu.ppy.sh/b/75'
    expect(pasted(rules)[0]).toMatch(/^2: /)
  })

  it('keeps its place in the list of a post', () => {
    const link = (id: number) => `[*][url=https://osu.ppy.sh/b/${id}]C - D[/url]`
    expect(pasted(`[b]NoMod[/b]\n[list=1]\n[*]A - B [Hard]\n${link(75)}\n[/list]`)).toEqual([
      'NM1: A - B [Hard]',
      'NM2=75',
    ])
    const oneLine = `[b]NoMod[/b]\n[list]${link(75)}[*]A - B [Hard]${link(76)}[/list]`
    expect(pasted(oneLine)).toEqual(['NM1=75', 'NM2: A - B [Hard]', 'NM3=76'])
  })

  it('may be the tiebreaker alone at the end of a list of labels', () => {
    expect(pasted('- [x] NM1 75\n- [ ] HR1\n- [ ] TB')).toEqual([
      'NM1=75',
      'HR1: empty',
      'TB: empty',
    ])
    expect(pasted('NM1 75\nHR1\nTB\n76')).toEqual(['NM1=75', 'HR1: empty', 'TB=76'])
  })

  it('yields to one with a beatmap for the same slot', () => {
    expect(pasted('TB1 TBA\nNM1 75\nTB1 76')).toEqual(['NM1=75', 'TB=76'])
    expect(pasted('TB1 76\nTB1 TBA')).toEqual(['TB=76', expect.stringMatching(/^2: No beatmap/)])
    expect(pasted('TB1 TBA\nTB1 TBD')).toEqual(['TB: “TBA”', expect.stringMatching(/^2: TB is in/)])
  })

  it('takes no room from beatmaps', () => {
    const lines = Array.from({ length: 64 }, (_, at) => `NM${at + 1} ${at + 100}`)
    const { round, draft } = readImport(['TB1 TBA', ...lines].join('\n')).pools[0]!
    expect([draft.slots.length, round.slots.length]).toEqual([64, 64])
  })

  it('leaves no bucket of its own in a pack', () => {
    const { round, draft } = readImport('RC1 TBA\nNM1 75').pools[0]!
    expect(draft).toEqual({ name: '', slots: [{ mod: 'NM', index: 1, beatmapId: 75 }] })
    expect(round.buckets).toContainEqual({ code: 'RC', color: 0 })
  })
})

describe('data without a beatmap', () => {
  it.each([
    [
      '{"Rounds":[{"Name":"Finals","Beatmaps":[{"Mods":"NM"},{"Mods":"NM"},{"Mods":"EZ"},{"ID":75,"Mods":"NM"}]}]}',
      ['NM1: empty', 'NM2: empty', 'EZ1: empty', 'NM3=75'],
    ],
    [
      '{"Rounds":[{"Name":"Finals","Beatmaps":[{"ID":0,"Mods":"HD"},{"ID":75,"Mods":"HD"}]}]}',
      ['HD1: empty', 'HD2=75'],
    ],
    [
      '[{"pick":"NM1","beatmapId":"A - B (c) [D].osu"},{"pick":"NM2","beatmapId":0}]',
      ['NM1: A - B [D] by c', 'NM2: empty'],
    ],
    ['{"NM1":{"title":"B","artist":"A"},"HD1":75}', ['NM1: A - B', 'HD1=75']],
    ['{"NM1":null,"HD1":75,"TB":"TBA"}', ['NM1: empty', 'HD1=75', 'TB: “TBA”']],
    ['{"NM":[75,null,"TBA",76]}', ['NM1=75', 'NM2: empty', 'NM3: “TBA”', 'NM4=76']],
    ['[["NM1",75],["HD1",null],["TB1","TBA"]]', ['NM1=75', 'HD1: empty', 'TB: “TBA”']],
    ['["NM1 75","TB1 custom map"]', ['NM1=75', 'TB: “custom map”']],
  ])('%s', (text, expected) => {
    expect(pasted(text)).toEqual(expected)
  })

  it('is not made of scores, ratings and picks', () => {
    for (const text of ['{"NM1":5.61,"HD1":75}', '{"NM1":{"player":"Ada","score":5},"HD1":75}']) {
      expect(readImport(text).pools.flatMap(({ round }) => round.slots)).toHaveLength(1)
    }
  })
})

describe('a row without a beatmap', () => {
  it.each([
    ['NM1,75\nHD1,,,', ['NM1=75', 'HD1: empty']],
    ['Slot,Map,ID\nNM1,A - B [C],\nTB,,', ['NM1: A - B [C]', 'TB: empty']],
    ['Slot,ID,Title\nNM1,75,a\n,,Average', ['NM1=75']],
    ['Slot,ID,SR\nNM1,75,5.5\nNM2,,6.1\nAverage,,5.8', ['NM1=75', 'NM2: empty']],
    ['Mod,Title,ID\nNM,A - B,75\n,TBA,\n,C - D,76', ['NM1=75', 'NM2: “TBA”', 'NM3=76']],
    [
      'Slot,Map,Mapper,ID\nNM1,TBA,someone,\nNM2,#REF!,,#N/A',
      ['NM1: “TBA”, by someone', 'NM2: empty'],
    ],
    ['Match,Ban 1,Pick 1\nBlue,NM1,HD1', []],
    ['Slot,Beatmap ID\nNM 1,75\nHD 1,\nTB 1,', ['NM1=75', 'HD1: empty', 'TB: empty']],
    ['NM 1,129891\nNM 2,129892\nHD 1,', ['NM1=129891', 'NM2=129892', 'HD1: empty']],
    [
      'Mod;Nr;ID;;\nNM;1;129891;;\nNM;2;;;\nNM;3;76;;\nDT;1;;;',
      ['NM1=129891', 'NM2: empty', 'NM3=76', 'DT1: empty'],
    ],
    [
      'Mod,,Song,ID\nNo Mod,1,A - B,129891\n,2,C - D,\nHidden,1,,\n,2,E - F,76',
      ['NM1=129891', 'NM2: C - D', 'HD1: empty', 'HD2=76'],
    ],
    [
      'NM,1,129891\nNM,2,\nHD,1,129892\nTB,1,',
      ['NM1=129891', 'NM2: empty', 'HD1=129892', 'TB: empty'],
    ],
    ['Mod,Row,ID\nNM,1,129891\nHD,2,\nHR,3,129892', ['NM1=129891', 'HR1=129892']],
  ])('%j', (text, expected) => {
    expect(pasted(text).filter((line) => !/^\d+: /.test(line))).toEqual(expected)
  })
})

it('D-77: a pack takes the beatmaps of a sheet alone, whatever else is known of their slots', () => {
  const property = fc.property(anyWholeRound, (round) => {
    const { slots } = withoutPlans(
      { ...round, buckets: null },
      { name: '', slots: [], buckets: null },
    )
    const known = round.slots.filter(({ beatmapId }) => beatmapId !== undefined)
    expect(slots).toEqual(known.map(({ mod, index, beatmapId }) => ({ mod, index, beatmapId })))
  })
  fc.assert(property)
})

it('a list of beatmaps in data may have slots without an id in a bucket of the host', () => {
  const text = '{"beatmaps":[{"mod":"RX","title":"Harbour"},{"mod":"RX"},{"mod":"NM","id":129891}]}'
  expect(pasted(text)).toEqual(['RX1: Harbour', 'RX2: empty', 'NM1=129891'])
})

it.each(['TBA', '???', 'custom', '미정'])('“%s” is no decision, whatever is around it', (word) => {
  for (const text of [word, ` ${word}`, `${word}\t`, `(${word})`, `${word}…`]) {
    expect(isUndecided(text)).toBe(true)
  }
  expect(isUndecided(`${word} Harbour`.replace('custom', 'customs'))).toBe(false)
})

it('a line of more than 700 characters is prose', () => {
  const line = (length: number): string =>
    `NM1 Nine Rivers - ${'Harbour '.repeat(90)}`.slice(0, length - 1) + '!'
  expect(pasted(`NM2 75\n${line(700)}`)).toEqual(['NM2=75', expect.stringMatching(/^NM1: Nine/)])
  expect(pasted(`NM2 75\n${line(701)}`)).toEqual([
    'NM2=75',
    expect.stringMatching(/^2: No beatmap/),
  ])
})

it('a number beside a bucket is that of its slot up to 99, and else a fact of the map', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), (number) => {
      const rows = ['NM,180,Harbour,129891', `HD,${number},Nine Rivers,`, 'DT,190,Reef,129893']
      const { pools } = readImport([',BPM,Title,Beatmap ID', ...rows].join('\n'))
      const index = number <= 99 ? number : 1
      expect(pools[0]?.round.slots.map(slotLabel)).toEqual(['NM1', `HD${index}`, 'DT1'])
    }),
    { examples: [[99], [100]] },
  )
})

it('rows between two buckets that have neither a bucket nor a number change nothing in the others', () => {
  const rows = ['NM,1,Harbour - Reef', 'NM,2,Owl - Lark', 'HD,1,Wren - Fjord', 'HD,2,Oak - Elm']
  const planned = pasted(rows.join('\n'))
  expect(planned).toHaveLength(4)
  const apart = pasted(rows.toSpliced(2, 0, ',,to be tested').join('\n'))
  expect(apart.filter((line) => planned.includes(line))).toEqual(planned)
})

it('the name of the file of a whole set has up to 400 characters', () => {
  fc.assert(
    fc.property(fc.integer({ min: 30, max: 400 }), (length) => {
      const name = '2095112 Harbour - '.padEnd(length - 4, 'Reef ')
      expect(isSetFile(`${name}.osz`)).toBe(true)
    }),
    { examples: [[400]] },
  )
})
