import * as fc from 'fast-check'
import { readImport } from '../../src/formats/import/read-import.ts'
import { describe, expect, it } from 'vitest'
import { emptyDraft, pasted, readPaste } from './pasted-text.ts'

const UNCLEAR =
  'It is not clear which number is the beatmap id. Include the header row with a “Beatmap ID” column.'

describe('a table with a header', () => {
  it.each([
    ['Slot\tBeatmap ID\nNM1\t129891\nhd2\t75', 'tabs'],
    ['slot,beatmap id\nNM1,129891\nhd2,75', 'commas'],
    ['SLOT;BeatmapID;Stars\nNM1;129891;7,81\nhd2;75;2,55', 'semicolons, decimal commas'],
    ['| Slot | Beatmap ID |\n|:---|---:|\n| NM1 | 129891 |\n| hd2 | 75 |', 'bars'],
    ['"Slot","Beatmap ID"\r\n"NM1","129891"\r\n"hd2","75"\r\n', 'quotes'],
    ['\ufeffSlot,Beatmap ID\r\nNM1,129891\r\nhd2,75', 'a byte order mark'],
    ['Title,Map ID,Artist,Pick\nA,129891,B,NM1\nC,75,D,hd2', 'columns in another order'],
    ['Mod\tLink\nNM1\thttps://osu.ppy.sh/b/129891\nhd2\tosu.ppy.sh/beatmapsets/1#osu/75', 'links'],
    ['Slot\tURL\tID\nNM1\t\t129891\nhd2\thttps://osu.ppy.sh/b/75\t', 'an id or a link'],
    ['Slot\tBeatmap\nNM1\t129891\nhd2\thttps://osu.ppy.sh/b/75', 'a column Beatmap'],
    [
      'Slot\tMap\tDL\nNM1\tA - B\thttps://osu.ppy.sh/b/129891\nhd2\tC\tosu.ppy.sh/b/75',
      'a column Map',
    ],
    ['Set ID,BPM,Slot,Beatmap ID\n39804,222,NM1,129891\n1,120,hd2,75', 'other numbers'],
    ['Slot,Set,Beatmap ID\nNM1,https://osu.ppy.sh/s/9,129891\nhd2,1,75', 'a link to the set'],
    ['Slot,ID\nNM1,129891.0\nhd2,75.0', 'ids as programs export them'],
    ['Slot\tID\nNM1\t129,891\nhd2\t75', 'ids as sheets show them'],
    ['Slot\tMod\tID\n1\tNM\t129891\n2\thd\t75', 'code and number in two columns'],
    ['mod,index,beatmapId\nNM,1,129891\nhd,2,75', 'the fields of the API'],
    ['My pool,,\n,Slot,ID\n,NM1,129891\n,hd2,75'.slice('My pool,,\n'.length), 'an empty column'],
  ])('%j (%s)', (text) => {
    expect(pasted(text)).toEqual(['NM1=129891', 'HD2=75'])
  })

  it('goes by the link where a column ID may count something else', () => {
    expect(pasted('ID,Slot,Link\n1,NM1,https://osu.ppy.sh/b/10')).toEqual(['NM1=10'])
  })

  it('may quote cells with quotes, separators and line breaks in them', () => {
    const text = 'Slot,Title,Beatmap ID\nNM1,"a ""b"", c\r\nd\ne",10\nNM2,x,11'
    expect(readPaste(text, emptyDraft).lines.slice(1)).toEqual([
      {
        line: 2,
        text: 'NM1,"a ""b"", c\r\nd\ne",10',
        outcome: 'slot',
        mod: 'NM',
        index: 1,
        beatmapId: 10,
      },
      { line: 5, text: 'NM2,x,11', outcome: 'slot', mod: 'NM', index: 2, beatmapId: 11 },
    ])
  })

  it('may hold any code in its slot column', () => {
    expect(pasted('Slot,ID\nmix,10\nRC1 2,11\n4K 3,12\n2,13\nTB,14')).toEqual([
      'mix1=10',
      'RC1 2=11',
      '4K3=12',
      '2=13',
      'TB=14',
    ])
  })

  it('takes a code that ends in a digit with its number from two columns', () => {
    expect(pasted('mod,index,id\nRC1,2,10\nNM,3,11')).toEqual(['RC1 2=10', 'NM3=11'])
  })

  it('may be empty below a code that stands for several rows', () => {
    expect(pasted('Mod\tID\nNM\t10\n\t11\n\t12\nHD\t13\n\t14')).toEqual([
      'NM1=10',
      'NM2=11',
      'NM3=12',
      'HD1=13',
      'HD2=14',
    ])
  })

  it('may have headings between its rows, and its header more than once', () => {
    const text = 'Slot\tID\tTitle\nNM\t\t\n1\t10\ta\n2\t11\tb\n\t\t\nID\tSlot\tTitle\n12\tHD1\tc'
    expect(pasted(text)).toEqual(['NM1=10', 'NM2=11', 'HD1=12'])
  })

  it('refuses rows one by one', () => {
    const text = [
      'Slot,Map ID,Link,Title',
      'NM1,10,https://osu.ppy.sh/b/11,a',
      'NM2,TBD,,b',
      'NM3,,https://osu.ppy.sh/beatmapsets/9,c',
      'not yet,12,,d',
      'NM4,13,https://osu.ppy.sh/beatmapsets/9,e',
    ].join('\n')
    expect(pasted(text)).toEqual([
      '2: The id and the link in this row refer to different beatmaps. Correct one of them.',
      'NM2: b',
      'NM3: c, https://osu.ppy.sh/beatmapsets/9',
      '5: “not yet” is not a slot. Write it like NM1 or RC 2.',
      'NM4=13',
    ])
  })
})

describe('a table without a header', () => {
  it.each([
    ['NM1\t129891', 'NM1=129891'],
    ['NM1,129891', 'NM1=129891'],
    ['NM1;129891', 'NM1=129891'],
    ['129891\tNM1', 'NM1=129891'],
    ['NM\t1\t129891', 'NM1=129891'],
    ['RC1,2,555', 'RC1 2=555'],
    ['RC\t129891', 'RC1=129891'],
    ['\t\tNM1\t\t129891\t', 'NM1=129891'],
    ['NM1\tArtist - Title\tUltra\t7.1\t4:18\t222\t4\t9\t8\t129891', 'NM1=129891'],
    ['NM1\t129891\tArtist\tTitle\t7.81\t4:18\t222\t4\t9\t8', 'NM1=129891'],
    ['NM1\t75\tArtist\tTitle\t2.55', 'NM1=75'],
    ['Artist - Title\tAda\tNM1\t222\thttps://osu.ppy.sh/b/75', 'NM1=75'],
    ['NM1\thttps://osu.ppy.sh/beatmapsets/39804\t129891', 'NM1=129891'],
    ['HD\tHD2\tArtist - Title\t129891', 'HD2=129891'],
    ['Lime - Pixel Planet\t4392960', '1=4392960'],
  ])('%j', (text, slot) => {
    expect(pasted(text)).toEqual([slot])
  })

  it.each(['NM1\tArtist - Title\t222', 'NM1\t9\tArtist - Title\t222'])(
    'is refused where no column is surely the id: %j',
    (text) => {
      expect(pasted(text)).toEqual([`1: ${UNCLEAR}`])
    },
  )

  it('with two columns that may hold the ids is asked, once for all rows (shape 20)', () => {
    const text = 'NM1\tArtist - Title\t39804\t129891\nNM2\tA - B\t39805\t129892'
    const { questions } = readImport(text)
    expect(questions).toMatchObject([
      {
        lines: [1, 2],
        choices: [{ text: 'Column 3, such as 39804' }, { text: 'Column 4, such as 129891' }],
      },
    ])
    const { pools } = readImport(text, { answers: new Map([['1', 'b']]) })
    expect(pools[0]?.draft.slots.map(({ beatmapId }) => beatmapId)).toEqual([129891, 129892])
  })

  it.each([
    ['NM1\tNM2\tHD1\n129891\t75\t76', ['NM1=129891', 'NM2=75', 'HD1=76']],
    ['NM1\tTB\n129891\t75', ['NM1=129891', 'TB=75']],
    ['Slot,NM1,NM2\nTitle,A,B\nBeatmap ID,75,76', ['NM1=75', 'NM2=76']],
    ['NM1\tNM2\n129891\t\n', ['NM1=129891', 'NM2: empty']],
  ])('may be turned, with a column for each slot (shape 15): %j', (text, slots) => {
    expect(pasted(text)).toEqual(slots)
  })

  it.each([
    ['129891, 75, 76, 77', ['1=129891', '2=75', '3=76', '4=77']],
    ['[129891; 75]\n129892', ['1=129891', '2=75', '3=129892']],
    ['3 129891', ['3=129891']],
  ])('may be nothing but ids (shape 16): %j', (text, slots) => {
    expect(pasted(text)).toEqual(slots)
  })

  it('keeps a word for mods over the numbers of its group (shape 13)', () => {
    const text = 'Mod,Slot,Map\nNoMod,1,129891\n,2,75\nHard Rock,1,76\n,2,77\nTie Breaker,,78'
    expect(pasted(text)).toEqual(['NM1=129891', 'NM2=75', 'HR1=76', 'HR2=77', 'TB=78'])
    expect(pasted('NM,1,5\n,2,6')).toEqual(['NM1=5', 'NM2=6'])
  })

  it('may have headings and titles between its rows', () => {
    const text = [
      'Finals\t\t\t',
      'NoMod\t\t\t',
      '\tLime - Pixel Planet\tUltra\t4392960',
      '\tZxNX - Fana\tAnnihilation\t4392977',
      'Tiebreaker\t\t\t',
      '\tBilliumMoto - Amethyst Aurora\tFeather Flash\t4392985',
    ].join('\n')
    expect(pasted(text)).toEqual(['NM1=4392960', 'NM2=4392977', 'TB=4392985'])
  })
})

describe('what is no table', () => {
  it('is read line by line, commas and quotes in it or not', () => {
    const text = [
      'Ada: "hello, all',
      'NM1 10, for the warm-up',
      'Peridot: HD1 11 - "nice, thanks"',
      'https://osu.ppy.sh/b/12 Artist, the - Title; more',
    ].join('\n')
    expect(pasted(text)).toEqual(['NM1=10', 'HD1=11', '1=12'])
  })

  it('may stand beside one', () => {
    expect(pasted('NM1 10\nNM2\t11\n12')).toEqual(['NM1=10', 'NM2=11', '1=12'])
  })
})

describe('a row above a table', () => {
  it.each(['Round,Finals', 'Stage:,Finals', ',Mappool,Finals,', 'Runde,Finals,,'])(
    'names the round that it says it names: %s',
    (row) => {
      const { pools } = readImport(`${row}\nSlot,Beatmap ID,Title\nNM1,129891,a\nHD1,129892,b`)
      expect(pools.map(({ name, draft }) => [name, draft.slots.length])).toEqual([['Finals', 2]])
    },
  )
})

it('a yes or no in a row without a beatmap is no name of one', () => {
  expect(pasted('Slot,ID,Custom\nNM1,129891,FALSE\nHD1,,TRUE')).toEqual([
    'NM1=129891',
    'HD1: empty',
  ])
})

it('a row whose cells are slots with beatmaps of their own is refused', () => {
  for (const row of ['NM1,x NM2: 129891,129892', 'HD1 and HD2: 129891,129892'])
    expect(pasted(`${row}\n${row}`).filter((line) => line.includes('='))).toEqual([])
})

describe('slots whose mods are named in full', () => {
  const named = ['NoMod 1', 'NoMod 2', 'Hidden 1', 'Hard Rock 1']
  const slots = ['NM1=129891', 'NM2=129892', 'HD1=129893', 'HR1=129894']

  it.each(['Points', 'Avg score', 'Plays', 'SR'])('are a pool beside a column of %s', (name) => {
    const rows = named.map((slot, at) => `${slot}\t12989${at + 1}\t${at + 1}`)
    expect(pasted(`Slot\tBeatmap ID\t${name}\n${rows.join('\n')}`)).toEqual(slots)
  })

  it('begin a bucket each in a cell of their own, with a link beside', () => {
    const row = (name: string, id: number, score: number): string =>
      `${name}\thttps://osu.ppy.sh/beatmapsets/7#osu/${id}\t222\tWren\t${score}`
    const rows = [
      row('NoMod', 129891, 543210),
      row('', 129892, 712345),
      row('Hidden', 129893, 712345),
      row('HardRock', 129894, 543210),
      row('DoubleTime', 129895, 543210),
      row('', 129896, 712345),
    ]
    expect(pasted(rows.join('\n'))).toEqual([...slots, 'DT1=129895', 'DT2=129896'])
  })
})

describe('the columns of a pool', () => {
  it('may be in any order, beside those of players and teams', () => {
    const columns = [
      ['Slot', 'NM1', 'NM2', 'HD1', 'HD2'],
      ['Beatmap ID', '129891', '129892', '129893', '129894'],
      ['Player', 'Ada', 'Bob', 'Cyd', 'Cyd'],
      ['Team', 'Red', 'Blue', 'Red', 'Red'],
    ]
    fc.assert(
      fc.property(fc.shuffledSubarray(columns, { minLength: 4 }), (shuffled) => {
        const rows = columns[0]!.map((_, at) => shuffled.map((column) => column[at]).join(','))
        expect(pasted(rows.join('\n'))).toEqual([
          'NM1=129891',
          'NM2=129892',
          'HD1=129893',
          'HD2=129894',
        ])
      }),
    )
  })

  it.each([
    ['Slot,Beatmap ID', true],
    ['Mod,ID', true],
    ['ID,Slot', true],
    ['Slot,Artist', false],
    ['Beatmap ID,Artist', false],
    ['ID,Artist', false],
  ])('are certain if slot and beatmap are named: %s', (header, isCertain) => {
    const row = header.startsWith('Slot') || header.startsWith('Mod') ? 'NM1,129891' : '129891,NM1'
    const { shape } = readImport(`${header}\n${row}\n${row.replaceAll('1', '2')}`)
    expect(shape).toMatchObject({ id: 'table', isCertain })
  })
})
