import { describe, expect, it } from 'vitest'
import { mergeRound, writeRound } from '../../src/formats/bracket/write-bracket.ts'
import type { Pool } from '../../src/pool/pool.ts'

const pool: Pool = {
  name: 'Finals',
  buckets: null,
  slots: [
    { mod: 'HD', index: 1, beatmapId: 75 },
    { mod: 'NM', index: 1, beatmapId: 129891 },
  ],
}

describe('a round for a tournament that has no file yet', () => {
  it('is a whole bracket.json, its beatmaps in pool order', () => {
    expect(writeRound(pool)).toBe(`{
  "Ruleset": {
    "ShortName": "osu"
  },
  "Matches": [],
  "Rounds": [
    {
      "Name": "Finals",
      "Description": "",
      "BestOf": 3,
      "BanCount": 1,
      "Matches": [],
      "Beatmaps": [
        {
          "ID": 129891,
          "Mods": "NM"
        },
        {
          "ID": 75,
          "Mods": "HD"
        }
      ]
    }
  ],
  "Teams": [],
  "Progressions": []
}
`)
  })

  const bestOf = (count: number): unknown => {
    const slots = Array.from({ length: count }, (_, at) => ({
      mod: 'NM',
      index: at + 1,
      beatmapId: 1,
    }))
    return (JSON.parse(writeRound({ ...pool, slots })) as { Rounds: { BestOf: number }[] })
      .Rounds[0]?.BestOf
  }

  it('is the best of an odd number that the pool has beatmaps for, 9 at most', () => {
    expect([1, 4, 5, 8, 9, 64].map(bestOf)).toEqual([3, 3, 5, 7, 9, 9])
  })

  it('is for the ruleset of most beatmaps; between equals for one that plays all of them', () => {
    const shortName = (...rulesets: readonly ('base' | 'taiko' | 'mania')[]) => {
      const details = new Map(rulesets.map((ruleset, at) => [[75, 129891][at] ?? 0, { ruleset }]))
      return /"ShortName": "(\w+)"/.exec(writeRound(pool, {}, details))?.[1]
    }
    expect(shortName()).toBe('osu')
    expect(shortName('base', 'taiko')).toBe('taiko')
    expect(shortName('mania')).toBe('mania')
    expect(shortName('taiko', 'mania')).toBe('taiko')
    const slots = Array.from({ length: 21 }, (_, at) => ({
      mod: 'NM',
      index: at + 1,
      beatmapId: at,
    }))
    const rulesets = new Map(
      slots.map(({ beatmapId }) => [
        beatmapId,
        { ruleset: beatmapId === 7 ? 'taiko' : 'base' } as const,
      ]),
    )
    expect(writeRound({ ...pool, slots }, {}, rulesets)).toContain('"ShortName": "osu"')
  })
})

/** As the tournament client writes it on Windows. */
const clientFile = [
  '{',
  '  "Ruleset": {',
  '    "ShortName": "osu",',
  '    "Strange": 1.0',
  '  },',
  '  "Rounds": [',
  '    {',
  '      "Name": "Finals",',
  '      "BestOf": 13,',
  '      "StartDate": "2026-10-03T18:00:00+00:00",',
  '      "Matches": [12, 13],',
  '      "Beatmaps": [',
  '        {',
  '          "ID": 1,',
  '          "Mods": "NM",',
  '          "BeatmapInfo": {}',
  '        }',
  '      ]',
  '    }',
  '  ],',
  '  "ChromaKeyWidth": 1024',
  '}',
].join('\r\n')

describe('a merge', () => {
  it('puts the beatmaps in, laid out as the file is, and leaves the rest', () => {
    const [before, rest = ''] = clientFile.split('"Beatmaps": [')
    const after = rest.slice(rest.indexOf('\r\n      ]'))
    const entries = [
      '\r\n        {\r\n          "ID": 129891,\r\n          "Mods": "NM"\r\n        }',
      '\r\n        {\r\n          "ID": 75,\r\n          "Mods": "HD"\r\n        }',
    ]
    expect(mergeRound(clientFile, pool)).toBe(`${before}"Beatmaps": [${entries.join(',')}${after}`)
  })

  it('adds a round under another name, in tabs where the file has tabs', () => {
    const tabs = clientFile.replaceAll('  ', '\t').replaceAll('\r\n', '\n')
    const merged = mergeRound(tabs, { ...pool, slots: [] }, { name: ' Grand Finals ' })
    const added = [
      ',',
      '\t\t{',
      '\t\t\t"Name": "Grand Finals",',
      '\t\t\t"Description": "",',
      '\t\t\t"BestOf": 3,',
      '\t\t\t"BanCount": 1,',
      '\t\t\t"Matches": [],',
      '\t\t\t"Beatmaps": []',
      '\t\t}',
    ].join('\n')
    expect(merged).toBe(tabs.replace('\n\t\t}\n\t],', `\n\t\t}${added}\n\t],`))
  })

  it('writes on one line in a file of one line', () => {
    const beatmaps = '[{"ID":129891,"Mods":"NM"},{"ID":75,"Mods":"HD"}]'
    expect(mergeRound('{"Rounds":[{"Name":"Finals","Beatmaps":null}],"x":1E5}', pool)).toBe(
      `{"Rounds":[{"Name":"Finals","Beatmaps":${beatmaps}}],"x":1E5}`,
    )
    expect(mergeRound('{"Rounds":[{"Name":"Finals"}]}', pool)).toBe(
      `{"Rounds":[{"Name":"Finals","Beatmaps":${beatmaps}}]}`,
    )
  })

  it('adds a round on one line below those that have one each', () => {
    const [open, close] = ['{\n  "Rounds": [\n', '\n  ]\n}']
    const round = '    {"Name": "Semifinals", "Beatmaps": [{"ID": 1, "Mods": "NM"}]}'
    const [kept, added = '', more] = mergeRound(`${open}${round}${close}`, pool)
      .slice(open.length, -close.length)
      .split(',\n')
    expect([kept, more]).toEqual([round, undefined])
    expect(added).not.toContain('\n')
    expect(JSON.parse(added)).toMatchObject({
      Name: 'Finals',
      Beatmaps: [{ ID: 129891 }, { ID: 75 }],
    })
  })

  it('keeps one line for each beatmap where the file has one', () => {
    const file =
      '{\n  "Rounds": [\n    { "Name": "Finals", "Beatmaps": [\n      { "ID": 1 }\n    ] }\n  ]\n}'
    expect(mergeRound(file, pool)).toContain('[\n      {"ID": 129891, "Mods": "NM"},\n')
  })

  it('makes the list where there is none', () => {
    for (const file of ['{}', '{"Rounds":null}', '{ "Rounds": [ ] }', '\ufeff{\n}\n']) {
      const merged = mergeRound(file, pool)
      expect(JSON.parse(merged.replace('\ufeff', ''))).toMatchObject({
        Rounds: [{ Name: 'Finals' }],
      })
      expect(merged.startsWith('\ufeff')).toBe(file.startsWith('\ufeff'))
    }
  })

  it('goes by the exact name: case counts, white space around it does not', () => {
    const names = (file: string) =>
      (JSON.parse(mergeRound(file, pool)) as { Rounds: { Name: string }[] }).Rounds.map(
        ({ Name }) => Name,
      )
    expect(names('{"Rounds":[{"Name":"finals"}]}')).toEqual(['finals', 'Finals'])
    expect(names('{"Rounds":[{"Name":" Fina\\u006cs "}]}')).toEqual([' Finals '])
  })
})

describe('a merge into a round that was filled by the tournament client', () => {
  const entry = (id: string, mods: string, more: string): string =>
    `{ "BeatmapInfo": { "Metadata": {"Title": "\\u00e9 ${more}"}, "X": 1.50 }, "ID": ${id},\r\n  "Mods": "${mods}" ,"Note":null}`
  const [nm, hd, hr] = [
    entry('129891', 'NM', 'a'),
    entry('"75"', ' hd', 'b'),
    entry('9', 'HR', 'c'),
  ]
  const file = (...entries: string[]): string =>
    `{"Rounds": [\n {"Name": "Finals", "Beatmaps": [ ${entries.join(',\n\n  ')} ], "After": 1e2}\n] }\n`

  it('changes nothing where the round holds the same beatmaps', () => {
    for (const text of [file(nm, hd), file(nm, hd).replaceAll('\n', ''), clientFile]) {
      const same =
        text === clientFile ? { ...pool, slots: [{ mod: 'NM', index: 1, beatmapId: 1 }] } : pool
      expect(mergeRound(text, same)).toBe(text)
    }
  })

  it('changes nothing where only rows of the same mods are mixed', () => {
    const slots = [...pool.slots, { mod: 'NM', index: 2, beatmapId: 9 }]
    const text = file(nm, hd, nm.replace('129891', '9'))
    expect(mergeRound(text, { ...pool, slots })).toBe(text)
    const moved = mergeRound(file(hd, nm), pool)
    expect(moved.indexOf(nm)).toBeGreaterThan(0)
    expect(moved.indexOf(hd)).toBeGreaterThan(moved.indexOf(nm))
  })

  it('keeps the text of each beatmap that stays, and writes the others anew', () => {
    const merged = mergeRound(file(hr, nm), pool)
    expect(merged).toContain(nm)
    expect(merged).not.toContain(hr)
    expect(JSON.parse(merged).Rounds[0].Beatmaps.map(({ ID }: { ID: number }) => ID)).toEqual([
      129891, 75,
    ])
    const other = { ...pool, slots: [{ mod: 'HR', index: 1, beatmapId: 75 }] }
    expect(mergeRound(file(nm, hd), other)).not.toContain('BeatmapInfo')
  })

  it('keeps two entries of the same beatmap and mods apart', () => {
    const twice = {
      ...pool,
      slots: [1, 2].map((index) => ({ mod: 'NM', index, beatmapId: 129891 })),
    }
    const text = file(nm, entry('129891', 'NM', 'second'))
    expect(mergeRound(text, twice)).toBe(text)
    expect(mergeRound(text, pool)).toContain(nm)
  })
})
