import * as fc from 'fast-check'
import { marked, type Token } from 'marked'
import { describe, expect, it } from 'vitest'
import { readBracket } from '../../src/formats/bracket/read-bracket.ts'
import { readOsdb } from '../../src/formats/collection/osdb.ts'
import { fault, FormatError } from '../../src/formats/format-error.ts'
import { type FormatId, formats } from '../../src/formats/format-table.ts'
import type { RoundPool, Sheet } from '../../src/formats/sheet.ts'
import type { Round } from '../../src/contract/rounds.ts'
import { decodePackKey } from '../../src/pool/pack-key/pack-key.ts'
import type { Pool } from '../../src/pool/pool.ts'
import { slotsInPoolOrder } from '../../src/pool/slots.ts'
import { anyName, anyText } from '../pool/pool-arbitrary.ts'
import { aBeatmap, pool } from '../support/a-beatmap.ts'

type Changes = Parameters<typeof aBeatmap>[1]

/** A round of slots such as `NM1 129891`; `known` says which of them have details, and what they are. */
const aRound = (
  name: string,
  slots: readonly string[],
  known: Readonly<Record<number, Changes>> = {},
  settings: Partial<RoundPool> = {},
): RoundPool => {
  const own: Pool = { name, ...pool(...slots) }
  const details = own.slots.flatMap(({ beatmapId }, at) =>
    known[beatmapId] === undefined
      ? []
      : [[at, { details: aBeatmap(beatmapId, known[beatmapId]), stars: 5 }] as const],
  )
  return { name, pool: own, details: new Map(details), ...settings }
}

const sheet: Sheet = {
  name: 'Harbour Cup 2026',
  shortName: 'HC26',
  rounds: [
    aRound('Qualifiers', ['HD1 75', 'NM1 129891', 'NM2 129892'], { 129891: {}, 75: {} }),
    aRound(
      'Grand Finals',
      ['NM1 5', 'TB1 6'],
      { 5: {}, 6: { checksum: null } },
      { bestOf: 13, bans: 2, startsAt: '2026-12-01T18:00:00.000Z' },
    ),
  ],
}

const write = async (id: FormatId, of = sheet, into?: Uint8Array): Promise<string> => {
  const { content } = await formats[id].write(of, { savedAt: 0, into })
  return typeof content === 'string' ? content : new TextDecoder('utf-8').decode(content)
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('bracket.json of a tournament', () => {
  it('has every round in order, with what is said of its matches', async () => {
    const { Rounds, Ruleset } = JSON.parse(await write('bracket')) as Record<string, unknown>
    expect(Ruleset).toEqual({ ShortName: 'osu' })
    expect(Rounds).toEqual([
      {
        Name: 'Qualifiers',
        Description: '',
        BestOf: 3,
        BanCount: 1,
        Matches: [],
        Beatmaps: [
          { ID: 129891, Mods: 'NM' },
          { ID: 129892, Mods: 'NM' },
          { ID: 75, Mods: 'HD' },
        ],
      },
      {
        Name: 'Grand Finals',
        Description: '',
        BestOf: 13,
        BanCount: 2,
        StartDate: '2026-12-01T18:00:00.000Z',
        Matches: [],
        Beatmaps: [
          { ID: 5, Mods: 'NM' },
          { ID: 6, Mods: 'TB' },
        ],
      },
    ])
  })

  it('is for the tournament’s ruleset, else for that of most beatmaps of all rounds', async () => {
    const rounds = [
      aRound('A', ['NM1 1', 'NM2 2'], { 1: { ruleset: 'mania' }, 2: { ruleset: 'mania' } }),
      aRound('B', ['NM1 3'], { 3: { ruleset: 'taiko' } }),
    ]
    expect(await write('bracket', { name: 'a', rounds })).toContain('"ShortName": "mania"')
    expect(await write('bracket', { name: 'a', ruleset: 'fruits', rounds })).toContain(
      '"ShortName": "fruits"',
    )
  })

  it('a best of 1 is written as 3, the least that the client knows', async () => {
    const rounds = [aRound('A', ['NM1 1'], {}, { bestOf: 1 })]
    expect(await write('bracket', { name: 'a', rounds })).toContain('"BestOf": 3')
  })
})

describe('a tournament put into a bracket.json', () => {
  const before = (beatmaps: string, settings: string) => `{
  "Ruleset": { "ShortName": "taiko" }, "Extra": [1,  2],
  "Rounds": [
    { "Name": "Showmatch", "Odd" :  1 },
    { "Name": "Grand Finals", ${settings}, "Beatmaps": ${beatmaps}, "Matches": [7 ] }
  ],
  "Teams": []
}
`

  it('gets rounds of its own name replaced in place, others added, all else untouched', async () => {
    const old = before(
      '[{ "ID": 6, "Mods": "TB", "Own": {} }]',
      '"BestOf": 9, "BanCount" : 2, "StartDate": "2026-12-01T20:00:00+02:00"',
    )
    const merged = await write('bracket', sheet, utf8(old))
    const inPlace = before(
      '[{"ID": 5, "Mods": "NM"}, { "ID": 6, "Mods": "TB", "Own": {} }]',
      '"BestOf": 13, "BanCount" : 2, "StartDate": "2026-12-01T20:00:00+02:00"',
    )
    const [first = '', second = ''] = inPlace.split('[7 ] }')
    expect(merged.startsWith(`${first}[7 ] },`)).toBe(true)
    expect(merged.endsWith(second)).toBe(true)
    expect(readBracket(merged).rounds.map(({ name }) => name)).toEqual([
      'Showmatch',
      'Grand Finals',
      'Qualifiers',
    ])
    expect(await write('bracket', sheet, utf8(merged))).toBe(merged)
  })

  it('gets what the round lacks of settings, and keeps those that are not given', async () => {
    const rounds = [aRound('A', ['NM1 1'], {}, { bestOf: 5, startsAt: '2026-12-01T18:00:00Z' })]
    const old = '{"Rounds": [{"Name": "A", "BanCount": 4, "StartDate": "2025-01-01T00:00:00Z"}]}'
    expect(await write('bracket', { name: 'a', rounds }, utf8(old))).toBe(
      '{"Rounds": [{"Name": "A", "BanCount": 4, "StartDate": "2026-12-01T18:00:00Z", "BestOf": 5, "Beatmaps": [{"ID": 1, "Mods": "NM"}]}]}',
    )
  })

  it('stays in the encoding that it is in', async () => {
    const old = '\ufeff{"Rounds": []}'
    const units = Uint16Array.from(old, (unit) => unit.charCodeAt(0))
    const { content } = await formats.bracket.write(sheet, {
      savedAt: 0,
      into: new Uint8Array(units.buffer),
    })
    const merged = new TextDecoder('utf-16le', { fatal: true, ignoreBOM: true }).decode(
      content as Uint8Array,
    )
    expect(merged.startsWith('\ufeff{"Rounds": [{')).toBe(true)
  })

  it('is refused with two rounds of one name, in the file or in the tournament', async () => {
    const twice = utf8('{"Rounds": [\n{"Name": "A"},\n{"Name": "A"}]}')
    const rounds = [aRound('A', ['NM1 1'])]
    await expect(write('bracket', { name: 'a', rounds }, twice)).rejects.toThrow(
      new FormatError(fault('sameRound', { name: 'A' }), { line: 3, column: 1 }),
    )
    await expect(
      write('bracket', { name: 'a', rounds: [...rounds, ...rounds] }, utf8('{}')),
    ).rejects.toThrow(new FormatError(fault('twoRounds', { name: 'A' })))
  })
})

describe('collections of a tournament', () => {
  const collectionsOf = async (id: 'osdb' | 'osdb-buckets') => {
    const { content, incomplete } = await formats[id].write(sheet, { savedAt: 0 })
    const { collections } = await readOsdb(content as Uint8Array)
    const names = collections.map(
      ({ name, beatmaps }) => `${name}: ${beatmaps.map((beatmap) => beatmap.id).join(' ')}`,
    )
    return { names, incomplete }
  }

  it('are one per round; beatmaps without a checksum are left out and counted', async () => {
    expect(await collectionsOf('osdb')).toEqual({
      names: ['HC26 Qualifiers: 129891 75', 'HC26 Grand Finals: 5'],
      incomplete: 2,
    })
  })

  it('are one per bucket of each round; none is empty', async () => {
    expect(await collectionsOf('osdb-buckets')).toEqual({
      names: ['HC26 Qualifiers NM: 129891', 'HC26 Qualifiers HD: 75', 'HC26 Grand Finals NM: 5'],
      incomplete: 2,
    })
  })
})

describe('text of a tournament', () => {
  it('CSV has a leading column for the round', async () => {
    const rows = (await write('csv')).split('\r\n')
    expect(rows.map((row) => row.split(',').slice(0, 4).join(','))).toEqual([
      'Round,Slot,Beatmap ID,Set ID',
      'Qualifiers,NM1,129891,229891',
      'Qualifiers,NM2,129892,',
      'Qualifiers,HD1,75,100075',
      'Grand Finals,NM1,5,100005',
      'Grand Finals,TB,6,100006',
      '',
    ])
  })

  it('wiki Markdown has headings, buckets and numbered links', async () => {
    const gap = aRound('Gap', ['- 9', 'NM2 8'])
    const { content, incomplete } = await formats.wiki.write(
      { ...sheet, rounds: [...sheet.rounds, gap] },
      { savedAt: 0 },
    )
    const name = String.raw`Nine Rivers - Harbour (arbor) \[Insane\]`
    expect(content).toBe(`## Mappools

### Gap

1. [Beatmap 9](https://osu.ppy.sh/b/9)

- No Mod
  - NM2: [Beatmap 8](https://osu.ppy.sh/b/8)

### Grand Finals

- No Mod
  1. [${name}](https://osu.ppy.sh/beatmapsets/100005#osu/5)
- Tiebreaker
  1. **[${name}](https://osu.ppy.sh/beatmapsets/100006#osu/6)**

### Qualifiers

- No Mod
  1. [${name}](https://osu.ppy.sh/beatmapsets/229891#osu/129891)
  2. [Beatmap 129892](https://osu.ppy.sh/b/129892)
- Hidden
  1. [${name}](https://osu.ppy.sh/beatmapsets/100075#osu/75)
`)
    expect(incomplete).toBe(3)
  })

  it('wiki Markdown of one round has its heading alone', async () => {
    const [round] = sheet.rounds
    const text = await write('wiki', { ...sheet, rounds: [round!] })
    expect(text).toMatch(/^### \S/)
    expect(text).not.toContain('## Mappools')
  })

  it('codes and overlay have each round by its name', async () => {
    for (const id of ['codes', 'overlay'] as const) {
      const { content, incomplete } = await formats[id].write(sheet, { savedAt: 0 })
      const read = JSON.parse(String(content))
      expect(Object.keys(read)).toEqual(sheet.rounds.map(({ name }) => name))
      expect(Object.values<unknown[]>(read).map(({ length }) => length)).toEqual(
        sheet.rounds.map(({ pool }) => pool.slots.length),
      )
      expect(incomplete).toBe(0)
    }
  })

  it('JSON has saved rounds as the API returns them, with slots that have no beatmap (D-78)', async () => {
    const [round] = sheet.rounds
    const { name, pool: own } = round!
    const slots = [...own.slots, { mod: 'TB', index: 1, placeholder: 'due Sunday' }]
    const times = { createdAt: '2026-12-01T18:00:00.000Z', updatedAt: '2026-12-01T18:00:00.000Z' }
    const saved: Round = { id: 'aaaaaaaaaa', name, slots, targets: { stars: { min: 5 } }, ...times }
    const text = await write('json', { ...sheet, rounds: [{ ...round!, saved }, sheet.rounds[1]!] })
    const finals = sheet.rounds[1]?.pool
    expect(JSON.parse(text)).toEqual({
      rounds: [saved, { name: 'Grand Finals', slots: finals?.slots }],
    })
  })

  it('pack keys have the name of the tournament, as released rounds have', async () => {
    const names = (await write('key'))
      .trim()
      .split('\n')
      .map((key) => decodePackKey(key).name)
    expect(names).toEqual(['HC26 Qualifiers', 'HC26 Grand Finals'])
    const long = { ...sheet, shortName: 'x'.repeat(64) }
    for (const key of (await write('key', long)).trim().split('\n')) {
      expect(decodePackKey(key).name.length).toBeLessThanOrEqual(64)
    }
  })

  it('BBCode has headings, buckets and lists of links', async () => {
    const [, finals] = sheet.rounds
    expect(await write('bbcode', { ...sheet, rounds: [finals!] }))
      .toBe(`[heading]Grand Finals[/heading]
[b]No Mod[/b]
[list]
[*]NM1: [url=https://osu.ppy.sh/beatmapsets/100005#osu/5]Nine Rivers - Harbour (arbor) [\u200bInsane][/url]
[/list]
[b]Tiebreaker[/b]
[list]
[*]TB: [url=https://osu.ppy.sh/beatmapsets/100006#osu/6]Nine Rivers - Harbour (arbor) [\u200bInsane][/url]
[/list]
`)
  })

  it('referee lines have headings that no lobby takes for a command', async () => {
    const rounds = [aRound('!mp close', ['HD1 75'], { 75: { ruleset: 'taiko' } })]
    expect(await write('referee', { name: 'a', rounds: [...rounds, ...rounds] })).toBe(
      ['', '\n']
        .map((lead) => `${lead}## !mp close\n\n# HD1\n!mp map 75 1\n!mp mods NF HD\n`)
        .join(''),
    )
  })
})

/** Shows what a reader of GitHub's dialect finds in the text. */
const walk = (markdown: string, visit: (token: Token) => void): void => {
  void marked.walkTokens(marked.lexer(markdown, { gfm: true }), visit)
}

const markup = [
  '[ ] ( ) ](https://evil.test) ![x](y) <b> </a> <!-- &lt; ** _ ~~ ` ``` \\ \\[ https://evil.test',
  'www.evil.test HTTP://a.test <https://a.test> [^1] # | {.class} ::{flag=US}:: $x$ == [x]:y a 1.',
  '[/url] [url=https://evil.test] [b] [*] [/list] [img] [BOX=a] ada@evil.test',
]
  .flatMap((line) => line.split(' '))
  .concat(' ', '\n', '\n\n', '\r\n# ', '\n- ', '    ')

/** Texts of beatmaps that would like to be markup. */
const hostile = fc.oneof(
  anyText,
  fc.array(fc.constantFrom(...markup), { maxLength: 8 }).map((parts) => parts.join('')),
)

const hostileSheet = fc
  .record({ name: hostile, artist: hostile, title: hostile, mapper: hostile, difficulty: hostile })
  .map(({ name, ...details }) => {
    const round = aRound(name, ['NM1 5', 'NM2 6'], { 5: details, 6: {} })
    return { sheet: { name, rounds: [round] }, name, ...details }
  })

describe('texts of others', () => {
  it('make no links, headings or other markup in Markdown, whatever they are', async () => {
    const property = fc.asyncProperty(hostileSheet, async (of) => {
      const text = await write('wiki', of.sheet)
      const kinds: string[] = []
      const links: string[] = []
      walk(text, (token) => {
        kinds.push(token.type)
        if (token.type === 'link') links.push((token as { href: string }).href)
      })
      const allowed = 'space heading list list_item text link escape paragraph'.split(' ')
      expect(kinds.filter((kind) => !allowed.includes(kind))).toEqual([])
      expect(kinds.filter((kind) => kind === 'heading')).toHaveLength(1)
      expect(kinds.filter((kind) => kind === 'list_item')).toHaveLength(3)
      expect(links).toEqual([
        'https://osu.ppy.sh/beatmapsets/100005#osu/5',
        'https://osu.ppy.sh/beatmapsets/100006#osu/6',
      ])
    })
    await fc.assert(property, { numRuns: 1000 })
  })

  it('are shown as they are in Markdown', async () => {
    const title = '**a** [b](https://c.test) <i>d</i> `e` \\f & _g_ # h'
    const rounds = [aRound('A', ['NM1 5'], { 5: { title } })]
    const shown: string[] = []
    walk(await write('wiki', { name: 'a', rounds }), (token) => {
      if (token.type !== 'link') return
      const parts = (token as { tokens?: { text: string }[] }).tokens ?? []
      shown.push(parts.map((part) => part.text).join(''))
    })
    expect(shown).toEqual([`Nine Rivers - ${title} (arbor) [Insane]`])
  })

  it('have the escapes in Markdown that articles have, and no others', async () => {
    const same = [
      "0:03 - 1/2 // b || c & d;e #7 $5 100% (x) {y} ?! 'z' +=^",
      'NET://WORK wss://a.test :smile: a.b@ @c',
      String.raw`\ o \o`,
      '-one-two- . . .',
    ]
    const escaped: Readonly<Record<string, string>> = {
      'snake_case * ~wave~ <3 `tick`': String.raw`snake\_case \* \~wave\~ \<3 ` + '\\`tick\\`',
      '[cut] [[again]](soon)': String.raw`\[cut\] \[\[again\]\]\(soon)`,
      [String.raw`\o/ \[ \\ \ \.`]: String.raw`\o/ \\\[ \\\ \ \\.`,
      'http://a.test HTTPS://b.test www.c.test': String.raw`http\://a.test HTTPS\://b.test www\.c.test`,
      '&amp; ada@mail.test': String.raw`\&amp; ada\@mail.test`,
    }
    const all = new Map([...same.map((each) => [each, each] as const), ...Object.entries(escaped)])
    for (const [title, shown] of all) {
      const text = await write('wiki', {
        name: 'a',
        rounds: [aRound('A', ['NM1 5'], { 5: { title } })],
      })
      expect(text).toContain(String.raw`  1. [Nine Rivers - ${shown} (arbor) \[Insane\]](`)
    }
  })

  it('make no tags, addresses or lines in BBCode, whatever they are', async () => {
    const property = fc.asyncProperty(hostileSheet, async (of) => {
      const text = await write('bbcode', of.sheet)
      expect(text.split('\n')).toHaveLength(7)
      const tags = text.match(/\[[/*a-z][^\]\n]*\]/gi)
      expect(tags?.map((tag) => tag.replace(/=.*/, ''))).toEqual(
        '[heading] [/heading] [b] [/b] [list] [*] [url [/url] [*] [url [/url] [/list]'.split(' '),
      )
      expect(text.match(/:\/\/(?!osu\.ppy\.sh)|www\.|@(?!\u200b)/gi)).toBeNull()
    })
    await fc.assert(property, { numRuns: 1000 })
  })
})

describe('any rounds put into any bracket.json of rounds', () => {
  const anyRounds = fc
    .uniqueArray(anyName, { maxLength: 5, selector: (name) => name.toLowerCase().toUpperCase() })
    .chain((names) =>
      fc.tuple(
        ...names.map((name) =>
          fc.array(fc.integer({ min: 1, max: 99 }), { maxLength: 5 }).map((ids) =>
            aRound(
              name,
              ids.map((id, at) => `NM${at + 1} ${id}`),
              {},
              { bestOf: 5, bans: 1 },
            ),
          ),
        ),
      ),
    )

  it('are in it, and its other rounds keep every character', async () => {
    const property = fc.asyncProperty(anyRounds, fc.func(fc.boolean()), async (rounds, isThere) => {
      fc.pre(rounds.every(({ name }) => !name.startsWith('other')))
      const there = rounds.filter(({ name }) => isThere(name))
      const others = there.map((_, at) => `{ "Name":"other ${at}",  "x": [${at},1 ] }`)
      const old = there.map(({ name }) => `{"Name": ${JSON.stringify(name)},"BestOf":3,"y":[ ]}`)
      const list = others.flatMap((other, at) => [other, old[at]!])
      const text = `{"Rounds": [${list.join(' , ')}], "z" : 1 }`
      const merged = await write('bracket', { name: 'a', rounds }, utf8(text))
      let at = 0
      for (const other of [...others, '], "z" : 1 }']) {
        const next = merged.indexOf(other, at)
        expect(next).toBeGreaterThanOrEqual(at)
        at = next + other.length
      }
      expect(at).toBe(merged.length)
      type Round = { Name: string; BestOf: number; BanCount: number; Beatmaps: { ID: number }[] }
      const { Rounds } = JSON.parse(merged) as { Rounds: Round[] }
      const added = rounds.filter(({ name }) => !isThere(name))
      const order = there.flatMap(({ name }, place) => [`other ${place}`, name])
      expect(Rounds.map(({ Name }) => Name)).toEqual([...order, ...added.map(({ name }) => name)])
      for (const { name, pool: own } of rounds) {
        const round = Rounds.find(({ Name }) => Name === name)
        expect(round).toMatchObject({ BestOf: 5, BanCount: 1 })
        expect(round?.Beatmaps.map(({ ID }) => ID)).toEqual(
          slotsInPoolOrder(own).map(({ beatmapId }) => beatmapId),
        )
      }
      expect(await write('bracket', { name: 'a', rounds }, utf8(merged))).toBe(merged)
    })
    await fc.assert(property, { numRuns: 300 })
  })
})
