import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'
import { wholeReading } from './whole-reading.ts'

describe('rows of cells', () => {
  it.each<[string, string, string[]]>([
    [
      'with a header, or with labels and ids alone',
      '[["Slot","Title","ID"],["NM1","Lantern",129891],["HD1",null,75001],["HR1",true,"TBA"]]',
      ['NM1 129891, HD1 75001, HR1 ? placeholder=TBA'],
    ],
    [
      'with a header, or with labels and ids alone',
      '[["NM1","Lantern",129891],["HD1","Quill",75001]]',
      ['NM1 129891, HD1 75001'],
    ],
    [
      'of two cells are pairs, in either order',
      '[["NM1",129891],[75001,"HD1"],["HR1","TBA"],["DT1",null],["DT2","Quillfoot - Lantern [Hard]"],["DT3","whatever"]]',
      [
        'NM1 129891, HD1 75001, HR1 ? placeholder=TBA, DT1 ?, DT2 ? artist=Quillfoot title=Lantern difficulty=Hard',
      ],
    ],
    [
      'without a label are none',
      '[["a","b","c"],["d","e","f"]]',
      ['! 1: No beatmap was found in this data. Each needs its slot and its id.'],
    ],
    [
      'without a label are none',
      '[["a","b","c"],[129891,75001,75002]]',
      ['! 1: No beatmap was found in this data. Each needs its slot and its id.'],
    ],
  ])('%s', (_, text, read) => expect(wholeReading(text)).toEqual(read))
})

describe('lists beside each other', () => {
  it.each<[string, string, string[]]>([
    [
      'of labels and of beatmaps, some of which may be planned',
      '{"codes":["NM1","HD1","HR1"],"ids":[129891,"https://osu.ppy.sh/b/75001","TBA"]}',
      ['NM1 129891, HD1 75001, HR1 ? placeholder=TBA'],
    ],
    [
      'of labels and of beatmaps, some of which may be planned',
      '{"name":"Finals","ids":[129891,75001],"codes":["NM1","HD1"]}',
      ['Finals: NM1 129891, HD1 75001'],
    ],
    [
      'are none where they are of another length, where one has a text that is nothing, or where none is a label',
      '{"codes":["NM1","HD1"],"ids":[129891,75001,75002]}',
      [
        '-1 129891, -2 75001, -3 75002',
        '* 3 beatmaps have no slot in this text. Assign them to buckets afterwards.',
      ],
    ],
    [
      'are none where they are of another length, where one has a text that is nothing, or where none is a label',
      '{"codes":["NM1","HD1"],"ids":[129891,"x y"]}',
      ['! 1: No beatmap was found in this data. Each needs its slot and its id.'],
    ],
    [
      'are none where they are of another length, where one has a text that is nothing, or where none is a label',
      '{"codes":["NM1","x"],"ids":[129891,75001]}',
      [
        '-1 129891, -2 75001',
        '* 2 beatmaps have no slot in this text. Assign them to buckets afterwards.',
      ],
    ],
    [
      'are none where they are of another length, where one has a text that is nothing, or where none is a label',
      '{"codes":["NM1"],"ids":[129891]}',
      ['-1 129891', '* 1 beatmap has no slot in this text. Assign them to buckets afterwards.'],
    ],
  ])('%s', (_, text, read) => expect(wholeReading(text)).toEqual(read))
})

describe('data that is kept by columns', () => {
  it.each<[string, string, string[]]>([
    [
      'with their names in one list and the rows in another, of which those of another length are none',
      '{"columns":["slot","id"],"data":[["NM1",129891],["HD1",75001],["HR1"]]}',
      ['NM1 129891, HD1 75001'],
    ],
    [
      'with their names in one list and the rows in another, of which those of another length are none',
      '{"columns":["mod","id"],"rows":[["NM",129891],["NM",75001]]}',
      ['NM1 129891, NM2 75001'],
    ],
    [
      'with their names in one list and the rows in another, of which those of another length are none',
      '{"columns":["slot","title","beatmap_id"],"values":[["NM1","x",129891],["HD1","y",75001]]}',
      ['NM1 129891, HD1 75001'],
    ],
    [
      'are none without a name for the ids',
      '{"columns":["slot","title"],"values":[["NM1","x"],["HD1","y"]]}',
      ['! 1: No beatmap was found in this data. Each needs its slot and its id.'],
    ],
    [
      'with the values of each by their rows',
      '{"slot":{"0":"NM1","1":"HD1"},"id":{"0":129891,"1":75001}}',
      ['NM1 129891, HD1 75001'],
    ],
    [
      'with the values of each by their rows',
      '{"mods":{"0":"NM","1":"HD"},"stars":{"0":5,"1":6},"id":{"0":129891,"1":75001}}',
      ['NM1 129891, HD1 75001'],
    ],
    [
      'are none where something else is beside them',
      '{"slot":{"0":"NM1"},"id":{"0":129891},"x":1}',
      ['! 1: No beatmap was found in this data. Each needs its slot and its id.'],
    ],
  ])('%s', (_, text, read) => expect(wholeReading(text)).toEqual(read))
})

describe('the mods of a list', () => {
  it.each<[string, string, string[]]>([
    [
      'are bits where one has a bit of a mod, with no fail for all or for none',
      '[{"mods":8,"id":75001},{"mods":0,"id":75002},{"mods":24,"id":75003},{"mods":64,"id":75004},{"mods":72,"id":75005}]',
      ['HD1 75001, NM1 75002, HDHR1 75003, DT1 75004, HDDT1 75005 [HDHR=HDHR HDDT=HDDT]'],
    ],
    [
      'are bits where one has a bit of a mod, with no fail for all or for none',
      '[{"mods":1,"id":75001},{"mods":9,"id":75002},{"mods":17,"id":75003}]',
      ['NM1 75001, HD1 75002, HR1 75003'],
    ],
    [
      'are bits where one has a bit of a mod, with no fail for all or for none',
      '[{"enabled_mods":8,"beatmap_id":75001},{"enabled_mods":16,"beatmap_id":75002}]',
      [
        '-1 75001, -2 75002',
        '* 2 beatmaps have no slot in this text. Assign them to buckets afterwards.',
      ],
    ],
    [
      'are no bits where none has one, or where one is no number',
      '[{"mods":0,"beatmapId":75001},{"mods":0,"beatmapId":75002}]',
      [
        '-1 75001, -2 75002',
        '* 2 beatmaps have no slot in this text. Assign them to buckets afterwards.',
      ],
    ],
    [
      'are no bits where none has one, or where one is no number',
      '[{"mods":8,"beatmapId":75001},{"mods":"x","beatmapId":75002}]',
      [
        '-1 75001',
        '? “x” is not a known bucket. Where do its beatmaps belong? | In a new bucket x | In no bucket',
        '* 1 beatmap has no slot in this text. Assign them to buckets afterwards.',
      ],
    ],
    [
      'are lists, of which the empty one and no fail alone are no mod',
      '[{"mods":["NF"],"id":75001},{"mods":[],"id":75002},{"mods":["HD","NF"],"id":75003},{"mods":["HD","HR"],"id":75004}]',
      ['NM1 75001, NM2 75002, HD1 75003, HDHR1 75004 [HDHR=HDHR]'],
    ],
    [
      'are lists, of which the empty one and no fail alone are no mod',
      '[{"mods":[],"beatmapId":75001},{"mods":[],"beatmapId":75002}]',
      [
        '-1 75001, -2 75002',
        '* 2 beatmaps have no slot in this text. Assign them to buckets afterwards.',
      ],
    ],
    [
      'are lists of objects as the platform has them',
      '[{"mods":[{"acronym":"NF"}],"id":75001},{"mods":[{"acronym":"HD"},{"acronym":"DT"}],"id":75002},{"mods":[],"id":75003}]',
      ['NM1 75001, HDDT1 75002, NM2 75003 [HDDT=HDDT]'],
    ],
  ])('%s', (_, text, read) => expect(wholeReading(text)).toEqual(read))
})

describe('the order of a list', () => {
  it('is the same from 0 as from 1, however few slots it has', () => {
    const list = fc.record({
      key: fc.constantFrom('index', 'order', 'map_order', 'sort'),
      sizes: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 }),
    })
    fc.assert(
      fc.property(list, ({ key, sizes }) => {
        fc.pre(sizes.length > 1 || sizes[0]! > 1)
        const slotsFrom = (least: number) => {
          const rows = sizes.flatMap((size, at) =>
            Array.from({ length: size }, (_, n) => ({
              mods: ['NM', 'HD', 'HR'][at],
              [key]: n + least,
              id: 1_298_910 + 10 * at + n,
            })),
          )
          return readImport(JSON.stringify(rows)).pools.map(({ draft }) => draft.slots)
        }
        expect(slotsFrom(0)).toEqual(slotsFrom(1))
      }),
    )
  })

  it.each<[string, string, string[]]>([
    [
      'is that of a field for the order, which may count through all or in each bucket, from 0 or 1',
      '[{"mods":"HD","map_order":3,"id":75001},{"mods":"HD","map_order":1,"id":75002},{"mods":"NM","map_order":2,"id":75003}]',
      ['HD2 75001, HD1 75002, NM1 75003'],
    ],
    [
      'is that of a field for the order, which may count through all or in each bucket, from 0 or 1',
      '[{"mods":"HD","map_order":1,"id":75001},{"mods":"HD","map_order":0,"id":75002},{"mods":"NM","map_order":0,"id":75003}]',
      ['HD2 75001, HD1 75002, NM1 75003'],
    ],
    [
      'is that of a field for the order, which may count through all or in each bucket, from 0 or 1',
      '[{"mods":"HD","sort":2,"id":75001},{"mods":"HD","sort":1,"id":75002},{"mods":"NM","sort":1,"id":75003}]',
      ['HD2 75001, HD1 75002, NM1 75003'],
    ],
    [
      'is one higher where numbers of slots begin with 0, which a note says where the file has that order',
      '[{"mods":"HD","order":0,"id":75001},{"mods":"HD","order":1,"id":75002},{"mods":"NM","order":0,"id":75003}]',
      [
        'HD1 75001, HD2 75002, NM1 75003',
        '* Line 1: The slots of this file are counted from 0; their numbers are one higher here.',
      ],
    ],
    [
      'is one higher where numbers of slots begin with 0, which a note says where the file has that order',
      '[{"mods":"HD","index":1,"id":75001},{"mods":"HD","index":0,"id":75002},{"mods":"NM","index":0,"id":75003}]',
      ['HD2 75001, HD1 75002, NM1 75003'],
    ],
    [
      'is that of the file where two have the same number, or where a number is missing',
      '[{"mods":"HD","map_order":1,"id":75001},{"mods":"HD","map_order":1,"id":75002},{"mods":"NM","map_order":2,"id":75003}]',
      ['HD1 75001, HD2 75002, NM1 75003'],
    ],
    [
      'is that of the file where two have the same number, or where a number is missing',
      '[{"mods":"HD","map_order":2,"id":75001},{"mods":"HD","id":75002},{"mods":"NM","map_order":1,"id":75003}]',
      ['HD1 75001, HD2 75002, NM1 75003'],
    ],
  ])('%s', (_, text, read) => expect(wholeReading(text)).toEqual(read))
})

describe('what the objects of a list have in common', () => {
  it.each<[string, string, string[]]>([
    [
      'may be a key of labels of any name',
      '[{"no":"NM1","bid":75001},{"no":"HD1","bid":75002}]',
      ['NM1 75001, HD1 75002'],
    ],
    [
      'may be a key of labels of any name',
      '[{"no":"NM1","bid":75001},{"no":"x","bid":75002}]',
      [
        'NM1 75001, -1 75002',
        '* 1 beatmap has no slot in this text. Assign them to buckets afterwards.',
      ],
    ],
    [
      'may be a key of labels of any name',
      '[{"name":"Alpha1","bid":75001},{"name":"Alpha2","bid":75002}]',
      ['Alpha1 75001, Alpha2 75002 [Alpha]'],
    ],
    [
      'may be a key of labels of any name',
      '[{"name":"NM1","bid":75001},{"name":"Lantern","bid":75002}]',
      [
        'NM1 75001',
        '? “Lantern” is not a known bucket. Where do its beatmaps belong? | In a new bucket Lantern | In no bucket',
      ],
    ],
    [
      'may be a field for a label, where another has labels, too',
      '[{"pick":"Lantern","no":"NM1","bid":75001},{"pick":"NM7","no":"HD1","bid":75002}]',
      [
        'NM1 75001',
        '? The fields “no” and “pick” name different slots. Which one is it? | The one in “no” | The one in “pick”',
      ],
    ],
    [
      'may be the rounds by whose names they are parted',
      '[{"pool":"A","slot":"NM1","id":75001},{"pool":"A","slot":"HD1","id":75002},{"pool":"B","slot":"NM1","id":75003}]',
      ['A: NM1 75001, HD1 75002', 'B: NM1 75003'],
    ],
    [
      'may be the rounds by whose names they are parted',
      '[{"round":{"name":"QF","id":7},"slot":"NM1","id":75001},{"round":{"name":"SF","id":8},"slot":"NM1","id":75002}]',
      ['QF: NM1 75001', 'SF: NM1 75002'],
    ],
    [
      'may be the rounds by whose names they are parted',
      '[{"round":{"number":1},"slot":"NM1","id":75001},{"round":{"number":2},"slot":"NM1","id":75002}]',
      ['round 1: NM1 75001', 'round 2: NM1 75002'],
    ],
    [
      'may be the rounds by whose names they are parted',
      '[{"bracket":"x","slot":"NM1","id":75001},{"bracket":"y","slot":"NM1","id":75002}]',
      ['x: NM1 75001', 'y: NM1 75002'],
    ],
    [
      'may be the rounds by whose names they are parted',
      '[{"abbr":"a","slot":"NM1","id":75001},{"abbr":"a","slot":"NM2","id":75003},{"abbr":"b","slot":"NM1","id":75002}]',
      ['a: NM1 75001, NM2 75003', 'b: NM1 75002'],
    ],
    [
      'may be the rounds by whose names they are parted',
      '[{"week_no":1,"mod":"NM","id":75001},{"week_no":2,"mod":"NM","id":75002}]',
      ['week_no 1: NM1 75001', 'week_no 2: NM1 75002'],
    ],
    [
      'may be the rounds by whose names they are parted',
      '[{"group":"A","slot":"NM1","id":75001},{"group":"B","slot":"NM1","id":75002}]',
      ['A: NM1 75001', 'B: NM1 75002'],
    ],
    [
      'may be the rounds by whose names they are parted',
      '[{"ronda":"1","slot":"NM1","id":75001},{"ronda":"2","slot":"NM1","id":75002}]',
      ['1: NM1 75001', '2: NM1 75002'],
    ],
    [
      'are no rounds where the field is about the beatmap, where each has another, or where no slot comes again',
      '[{"version":"QF","slot":"NM1","id":75001},{"version":"SF","slot":"NM1","id":75002}]',
      ['NM1 75001', '! 1: NM1 already has beatmap 75001. Use another slot number.'],
    ],
    [
      'are no rounds where the field is about the beatmap, where each has another, or where no slot comes again',
      '[{"abbr":"a","slot":"NM1","id":75001},{"abbr":"b","slot":"NM2","id":75002}]',
      ['NM1 75001, NM2 75002'],
    ],
    [
      'are no rounds where the field is about the beatmap, where each has another, or where no slot comes again',
      '[{"week":1,"slot":"NM1","id":75001},{"week":2,"slot":"NM2","id":75002}]',
      ['NM1 75001, NM2 75002'],
    ],
    [
      'may be lists of beatmaps, and what names their buckets',
      '[{"kind":"NM","pools":[{"id":75001}]},{"kind":"HD","pools":[{"id":75002}]}]',
      ['NM1 75001, HD1 75002'],
    ],
    [
      'may be lists of beatmaps, and what names their buckets',
      '[{"kind":"NM","inhalt":[{"mod":"NM","id":75001}]},{"kind":"HD","inhalt":[{"mod":"HD","id":75002}]}]',
      ['NM1 75001, HD1 75002'],
    ],
    [
      'may be lists of beatmaps, and what names their buckets',
      '[{"info":"NM","list":[{"id":75001}]},{"info":"HD","list":[{"id":75002}]}]',
      ['NM1 75001, HD1 75002'],
    ],
    [
      'may be lists of beatmaps, and what names their buckets',
      '[{"zz":"NM","id":75001},{"zz":"HD","id":75002}]',
      ['! 1: No beatmap was found in this data. Each needs its slot and its id.'],
    ],
    [
      'may be that each is a pool without a name',
      '[[{"mod":"NM","id":75001},{"mod":"HD","id":75002}],[{"mod":"NM","id":75003},{"mod":"HD","id":75004}]]',
      ['NM1 75001, HD1 75002', 'NM1 75003, HD1 75004'],
    ],
    [
      'may be that each is a pool without a name',
      '[{"NM":[75001],"HD":[75002]},{"NM":[75003],"HD":[75004]}]',
      ['NM1 75001, HD1 75002', 'NM1 75003, HD1 75004'],
    ],
    [
      'is one pool where each list is a page of it',
      '[[{"mod":"NM","id":75001},{"mod":"NM","id":75002}],[{"mod":"NM","id":75003},{"mod":"HD","id":75004}]]',
      ['NM1 75001, NM2 75002, NM3 75003, HD1 75004'],
    ],
    [
      'is one pool where each list is a page of it',
      '[{"NM1":75001},{"HD1":75002}]',
      ['NM1 75001, HD1 75002'],
    ],
  ])('%s', (_, text, read) => expect(wholeReading(text)).toEqual(read))
})
