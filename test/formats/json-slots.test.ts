import { describe, expect, it } from 'vitest'
import { wholeReading } from './whole-reading.ts'

// As tournaments keep maps that are made for them, until they are on the platform.
const person = { ID: 12, osu: { userID: '4323406', username: 'Ada' } }
const ownMap = { ID: 5, link: 'https://files.example/x.osz', artist: 'Glass', title: 'Tide' }

describe('the id of an object’s beatmap', () => {
  it.each<[string, string, string[]]>([
    [
      'is in a field for it; beside one, `id` is that of a row',
      '[{"id":2001,"beatmapId":129891,"slot":"NM1"},{"id":2002,"link":"https://osu.ppy.sh/b/75001","slot":"HD1"},{"id":2003,"map":75002,"slot":"HD2"}]',
      ['NM1 129891, HD1 75001, HD2 75002'],
    ],
    [
      'may be in quotes, grouped, or a link, and in an object for the beatmap',
      '[{"slot":"NM1","id":"129,891"},{"slot":"NM2","mapId":" 75001 "},{"slot":"HD1","url":"https://osu.ppy.sh/beatmapsets/1#osu/75002"},{"slot":"HR1","beatmapinfo":{"online":1,"id":75003}}]',
      [
        'NM1 129891, NM2 75001, HD1 75002',
        '? Is “beatmapinfo.id” the id of a beatmap, not of its set or anything else? | Yes, use it | No, leave it out',
      ],
    ],
    [
      'is no number below 1, with a fraction, or grouped otherwise',
      '[{"slot":"NM1","id":75001},{"slot":"NM2","id":-5},{"slot":"NM3","id":7500.5},{"slot":"NM4","id":"12,98,91"},{"slot":"NM5","id":"0"}]',
      ['NM1 75001, NM2 ?, NM3 ?, NM4 ? placeholder=12,98,91, NM5 ? placeholder=0'],
    ],
    [
      'is the one of a list of one, which is asked where there are two and refused where there are more',
      '[{"code":"NM2","ids":[75002]},{"code":"HD1","maps":["https://osu.ppy.sh/b/75003"]},{"code":"HR1","beatmapIds":[75004,75005]},{"code":"DT1","ids":[75006,75007,75008]},{"code":"DT2","ids":[]}]',
      [
        'NM2 75002, DT2 ?, HD1 75003',
        '? There are two beatmaps at a slot. Which one is it? | The first | The second',
        '! 1: There is more than one beatmap here. Put each on its own line.',
      ],
    ],
    [
      'is in no list under another key, and not in a list where a field has it',
      '[{"code":"NM1","tags":[75001]},{"code":"NM2","id":75002,"ids":[75003]}]',
      ['NM2 75002, NM1 ?'],
    ],
    [
      'is asked where two fields for it differ, and not where they are the same',
      '[{"slot":"NM1","beatmapId":75001,"mapId":76001},{"slot":"NM2","beatmapId":77001,"mapId":77001}]',
      [
        'NM2 77001',
        '? The fields “beatmapId” and “mapId” name different beatmaps. Which one is it? | The one in “beatmapId” | The one in “mapId”',
      ],
    ],
    [
      'is asked where it is the key and another is in a field',
      '{"129891":"NM1","75001":{"pick":"HD1"},"75002":{"pick":"HD2","beatmapId":75003},"75004":{"pick":"HD3","beatmapId":75004},"75005":{"a":{"b":"DT1"}}}',
      [
        'NM1 129891, HD1 75001, HD3 75004, DT1 75005',
        '? The key and the field inside name different beatmaps. Which one is it? | The one in the key | The one in the field',
      ],
    ],
    [
      'is no number that counts, where a key counts the objects',
      '{"1":{"a":"NM1"},"2":{"a":"HD1"}}',
      ['! 1: No beatmap was found in this data. Each needs its slot and its id.'],
    ],
    [
      'is no number that counts, where a key counts the objects',
      '{"1000":{"a":"NM1"},"999":{"a":"HD1"},"75001":"HR1"}',
      ['NM1 1000, HR1 75001'],
    ],
    [
      'is that of a set: the slot is planned for a round, and refused for a pack',
      '[{"slot":"NM1","id":75001},{"slot":"NM2","link":"https://osu.ppy.sh/beatmapsets/39804"},{"slot":"HD1","setId":39805,"title":"Lantern"},{"link":"https://osu.ppy.sh/beatmapsets/39806"}]',
      [
        'NM1 75001, NM2 ? placeholder=https://osu.ppy.sh/beatmapsets/39804 link=https://osu.ppy.sh/beatmapsets/39804, HD1 ? title=Lantern link=https://osu.ppy.sh/beatmapsets/39805',
        '! 1: This link leads to a beatmap set. Open the difficulty you want and copy its link.',
        '* The links of NM2, HD1 lead to beatmap sets. A round keeps them as planned slots; a pack needs the link of the difficulty.',
      ],
    ],
    [
      'is asked where an object without a label has an `id` that may be of its set',
      '[{"id":39804,"title":"Lantern","artist":"Quillfoot"}]',
      [
        '? Is “id” the id of a beatmap, not of its set or anything else? | They are beatmap ids | Leave them out',
      ],
    ],
    [
      'is not asked in a list of beatmaps, or beside what only a difficulty has',
      '{"beatmaps":[{"id":999,"title":"A"},{"id":1000,"title":"B"}]}',
      [
        '-1 999, -2 1000',
        '* 2 beatmaps have no slot in this text. Assign them to buckets afterwards.',
      ],
    ],
    [
      'is not asked in a list of beatmaps, or beside what only a difficulty has',
      '[{"map":999,"stars":5.1},{"map":1000,"stars":5.2}]',
      [
        '-1 999, -2 1000',
        '* 2 beatmaps have no slot in this text. Assign them to buckets afterwards.',
      ],
    ],
    [
      'is nothing in rows that are about neither beatmaps nor slots',
      '{"things":[{"id":99900},{"id":10000}]}',
      ['! 1: No beatmap was found in this data. Each needs its slot and its id.'],
    ],
    [
      'is asked in rows that are counted, whose words are kinds rather than buckets',
      '[{"id":22,"type":"RC","title":"A"},{"id":23,"type":"LN","title":"B"}]',
      [
        '? Is “id” the id of a beatmap, not of its set or anything else? | They are beatmap ids | Leave them out',
      ],
    ],
    [
      'is asked where it is larger than those of today',
      '{"NM1":123456789,"HD1":6500000}',
      [
        'HD1 6500000',
        '? Are these numbers beatmap ids? | No, leave them out | Yes, such as 123456789',
      ],
    ],
    [
      'is not that of a map that is not on the platform, which is planned',
      JSON.stringify({
        name: 'Qualifiers',
        slots: [
          {
            ID: 12,
            acronym: 'HD',
            maps: [
              { ID: 23, order: 1, customMappers: [person], beatmap: null, customBeatmap: ownMap },
              { ID: 24, order: 2, customMappers: [], beatmap: { ID: 75002 }, customBeatmap: null },
              { ID: 25, order: 3, customMappers: [person], beatmap: null, customBeatmap: null },
            ],
          },
        ],
      }),
      [
        'Qualifiers: HD1 ? artist=Glass title=Tide link=https://files.example/x.osz, HD2 75002, HD3 ?',
      ],
    ],
  ])('%s', (_, text, read) => expect(wholeReading(text)).toEqual(read))
})

describe('the slot of an object’s beatmap', () => {
  it.each<[string, string, string[]]>([
    [
      'is asked where two fields for it differ; a name, a tag and the same label are no other one',
      '[{"code":"NM1","slot":"HD1","id":75001},{"code":"NM2","slot":"NM2","id":75002},{"code":"NM3","tag":"HD2","name":"HR2","id":75003}]',
      ['NM1 75001, NM2 75002, NM3 75003'],
    ],
    [
      'is its label rather than its mod, which a note says where they differ',
      '[{"slot":"NM1","mod":"HD","id":75001},{"slot":"HD1","mod":"Hidden","id":75002},{"name":"HR1","mod":"FM","id":75003}]',
      [
        'NM1 75001, HD1 75002, HR1 75003',
        '* Line 1: “mod” says HD; the label NM1 was used instead.',
      ],
    ],
    [
      'is its mod with its number, in the order of the list where it has none',
      '[{"mods":"NM","index":2,"id":75001},{"mods":"NM","id":75002},{"mods":"HD","number":"3","id":75003},{"mods":"","index":1,"id":75004}]',
      [
        'NM2 75001, NM1 75002, HD3 75003, -1 75004',
        '* 1 beatmap has no slot in this text. Assign them to buckets afterwards.',
      ],
    ],
    [
      'is in no bucket where it has a number alone',
      '[{"code":"4","id":75001},{"slot":5,"id":75002},{"pick":"99","id":75003}]',
      [
        '-4 75001, -5 75002, -99 75003',
        '* 3 beatmaps have no slot in this text. Assign them to buckets afterwards.',
      ],
    ],
    [
      'is as it is written in one word, wherever its number goes on from',
      '[{"slot":"NM1","id":75001},{"slot":"HD2","id":75002},{"slot":"HR3","x":{"beatmap_id":75003}}]',
      ['NM1 75001, HD2 75002, HR3 75003'],
    ],
    [
      'may be a list of the bucket and the number',
      '[{"slot":["NM",1],"id":75001},{"slot":["HD"," 2"],"id":75002},{"slot":["HR","3"],"id":75003}]',
      [
        '? The numbers of the slots go on from bucket to bucket, up to HR3. What do they count? | They count through the pool: it is HR1 | They count in their bucket: it is HR3',
      ],
    ],
    [
      'may be a list of the bucket and the number',
      '[{"slot":["NM",99],"id":75001},{"slot":["NM",100],"id":75002},{"slot":["HD",1,2],"id":75003},{"slot":[7],"id":75004}]',
      [
        'NM99 75001',
        '? Are the numbers in “slot” beatmap ids? | They are beatmap ids | Leave them out',
      ],
    ],
    [
      'may be the name of the mod with a number up to 99, or that of a tiebreaker',
      '[{"slot":"Hidden foo","id":75001},{"slot":"NM1","id":75002},{"slot":"Hidden 99","id":75003},{"slot":"Hidden 100","id":75004},{"slot":"Tie Breaker","id":75005}]',
      [
        'NM1 75002, HD99 75003, TB1 75005',
        '? “Hidden foo” is not a known bucket. Where do its beatmaps belong? | In a new bucket Hiddenfoo | In no bucket',
        '? “Hidden 100” is not a known bucket. Where do its beatmaps belong? | In a new bucket Hidden100 | In no bucket',
      ],
    ],
    [
      'is asked where a pick in quotes is a number beside its mod, unless another field says the number',
      '[{"pick":"4","mods":"NM","id":75001}]',
      [
        '? The fields “mods” and “pick” name different slots. Which one is it? | The one in “mods” | The one in “pick”',
      ],
    ],
    [
      'is asked where a pick in quotes is a number beside its mod, unless another field says the number',
      '[{"pick":"4","mods":"NM","index":4,"id":75001}]',
      ['NM4 75001'],
    ],
    [
      'is asked where a pick in quotes is a number beside its mod, unless another field says the number',
      '[{"pick":4,"mods":"NM","id":75001}]',
      ['NM4 75001'],
    ],
    [
      'may be an object with a name, with a code and a number, or with one number below its code',
      '[{"slot":{"id":5,"name":"NM1"},"id":75001},{"slot":{"mod":"NM","index":3},"id":75002},{"slot":{"code":"HD","number":"2"},"id":75003},{"slot":{"HR":2},"id":75004}]',
      ['NM1 75001, NM3 75002, HD2 75003, HR2 75004'],
    ],
    [
      'is of an object for the mod that has one code, whatever its name says',
      '[{"mod":{"name":"None","short":"NM"},"id":75001},{"mod":{"name":"Hidden","short":"HD"},"id":75002}]',
      ['NM1 75001, HD1 75002'],
    ],
    [
      'is asked where the bucket may have a code that ends in a digit',
      '[{"mods":"QX1","id":75001},{"mods":"ZX1","id":75002},{"mods":"NM","id":75003}]',
      [
        'NM1 75003',
        '? “QX1” is not a known bucket. Where do its beatmaps belong? | In a new bucket QX1 | In a new bucket QX',
        '? “ZX1” is not a known bucket. Where do its beatmaps belong? | In a new bucket ZX1 | In a new bucket ZX',
      ],
    ],
    [
      'is counted where several have the numbers of one bucket, which is then no code',
      '[{"mods":"QX1","id":75001},{"mods":"QX2","id":75002}]',
      ['QX1 75001, QX2 75002 [QX]'],
    ],
    [
      'is in buckets whose codes end in a digit where each has several beatmaps',
      '[{"mods":"QX1","id":75001},{"mods":"QX1","id":75002},{"mods":"QX2","id":75003},{"mods":"QX2","id":75004}]',
      ['QX11 75001, QX12 75002, QX21 75003, QX22 75004 [QX1 QX2]'],
    ],
    [
      'is in a new bucket where its field has a code, and asked where it may be a word or a round',
      '[{"slot":"Qx","id":75001},{"slot":"NM1","id":75002},{"slot":"qx","id":75003},{"slot":"QF","id":75004},{"slot":"ABCDEFG","id":75005},{"slot":"AB12","id":75006}]',
      [
        'Qx1 75001, NM1 75002, AB12 75006 [Qx AB]',
        '? “qx” is not a known bucket. Where do its beatmaps belong? | In a new bucket qx | In no bucket',
        '? “QF” is not a known bucket. Where do its beatmaps belong? | In a new bucket QF | In no bucket',
        '? “ABCDEFG” is not a known bucket. Where do its beatmaps belong? | In a new bucket ABCDEFG | In no bucket',
      ],
    ],
    [
      'is asked where its mods are no known bucket, unless they have no letter or digit',
      '[{"mods":"Stage 1","id":75001},{"mods":"!!","id":75002}]',
      [
        '-1 75002',
        '? “Stage 1” is not a known bucket. Where do its beatmaps belong? | In a new bucket Stage1 | In no bucket',
        '* 1 beatmap has no slot in this text. Assign them to buckets afterwards.',
      ],
    ],
    [
      'is asked where its mods are no known bucket, unless they have no letter or digit',
      '[{"mods":"A very long name","id":75001}]',
      [
        '? “A very long name” is not a known bucket. Where do its beatmaps belong? | In a new bucket Averylongnam | In no bucket',
      ],
    ],
    [
      'forces the mods that its code is made of',
      '[{"slot":"HDHR2","id":75001},{"slot":"ez1","id":75002}]',
      ['HDHR2 75001, ez1 75002 [HDHR=HDHR ez=EZ]'],
    ],
  ])('%s', (_, text, read) => expect(wholeReading(text)).toEqual(read))
})

describe('an item of a list below a bucket', () => {
  it.each<[string, string, string[]]>([
    [
      'is in that bucket, or where its own label says',
      '{"NM":["HD2: https://osu.ppy.sh/b/75001",75002,"NM5 https://osu.ppy.sh/b/75003","ZZ2 https://osu.ppy.sh/b/75004"]}',
      [
        'HD2 75001, NM2 75002, NM5 75003',
        '! 1: It is not clear which slot this is for. Start the line with the slot, like “NM1 129891”.',
      ],
    ],
    [
      'is planned by what is in its place, and keeps its number',
      '{"NM":["TBA",null,75001,"Quillfoot - Lantern [Hard]",{"title":"Lantern"},"soon"]}',
      [
        'NM1 ? placeholder=TBA, NM2 ?, NM3 75001, NM4 ? artist=Quillfoot title=Lantern difficulty=Hard, NM5 ? title=Lantern, NM6 ? placeholder=soon',
      ],
    ],
    [
      'is asked beside names',
      '{"NM":[75001,"Alice"],"HD":[75002]}',
      ['HD1 75002', '? Are these numbers beatmap ids? | They are beatmap ids | Leave them out'],
    ],
    [
      'is no id beside names',
      '[[75001,75002],["Alice","Bo"]]',
      ['! 1: No beatmap was found in this data. Each needs its slot and its id.'],
    ],
    [
      'has its number for its key',
      '{"NM":{"1":129891,"2":"https://osu.ppy.sh/b/75001","3":null,"99":75002,"100":75003},"HD":{"2":75004}}',
      [
        'NM1 129891, NM2 75001, NM3 ?, NM99 75002, HD2 75004',
        '? Are the numbers in “100” beatmap ids? | They are beatmap ids | Leave them out',
      ],
    ],
  ])('%s', (_, text, read) => expect(wholeReading(text)).toEqual(read))
})

describe('a key with its value', () => {
  it.each<[string, string, string[]]>([
    [
      'is a slot with an id, a link, a list of one or an object',
      '{"NM1":"75001","NM2":"https://osu.ppy.sh/b/75002","NM3":[75003],"HD1":{"id":75004},"TB":75005}',
      ['NM1 75001, NM2 75002, NM3 75003, HD1 75004, TB1 75005'],
    ],
    [
      'is a slot with two ids that are asked, or more that are refused',
      '{"NM1":[75001],"NM2":[75002,75003],"NM3":[75004,75005,75006]}',
      [
        'NM1 75001',
        '? There are two beatmaps at a slot. Which one is it? | The first | The second',
        '! 1: There is more than one beatmap here. Put each on its own line.',
      ],
    ],
    [
      'is a planned slot with nothing, words or a song',
      '{"NM1":75001,"NM2":null,"NM3":"TBA","NM4":{"title":"Lantern"},"NM5":{"id":"","artist":"Quillfoot"}}',
      ['NM1 75001, NM2 ?, NM3 ? placeholder=TBA, NM4 ? title=Lantern, NM5 ? artist=Quillfoot'],
    ],
    [
      'is refused with a set',
      '{"NM1":75001,"NM2":"https://osu.ppy.sh/beatmapsets/39804"}',
      [
        'NM1 75001',
        '! 1: This link leads to a beatmap set. Open the difficulty you want and copy its link.',
      ],
    ],
    [
      'is asked where it is a bucket, whose number may count',
      '{"NM1":75001,"HD":75002}',
      [
        'NM1 75001',
        '? Are the numbers under the names of buckets beatmap ids? | They are beatmap ids | Leave them out',
      ],
    ],
    [
      'is asked where it is a bucket, whose number may count',
      '{"NM":6,"HD":3}',
      [
        '? Are the numbers under the names of buckets beatmap ids? | They are beatmap ids | Leave them out',
      ],
    ],
    [
      'is asked beside slots where it may name one, and nothing where it names something else',
      '{"NM1":75001,"special1":75002,"Special2":75003,"map3":75004,"qx9":999,"qx8":1000,"players":75005,"bpm":2000}',
      [
        'NM1 75001',
        '? Are the numbers in “special1” beatmap ids? | They are beatmap ids | Leave them out',
        '? Are the numbers in “Special2” beatmap ids? | They are beatmap ids | Leave them out',
        '? Are the numbers in “qx8” beatmap ids? | They are beatmap ids | Leave them out',
      ],
    ],
    [
      'is a slot with the beatmaps of its set, three objects deep',
      '{"NM1":{"set":{"beatmaps":[{"id":75001},{"id":75002}]}},"HD1":{"set":{"beatmaps":[{"id":75003}]}},"HD2":{"a":{"b":{"c":{"maps":[{"id":75004}]}}}}}',
      [
        'HD1 75003',
        '? There are two beatmaps at a slot. Which one is it? | The first | The second',
        '? Is “a.b.c.maps.id” the id of a beatmap, not of its set or anything else? | Yes, use it | No, leave it out',
      ],
    ],
    [
      'is a label by its id',
      '{"129891":"NM1","75001":"Hidden 2","75002":"x","75003":null}',
      [
        'NM1 129891, HD2 75001',
        '? “x” is not a known bucket. Where do its beatmaps belong? | In a new bucket x | In no bucket',
        '? Are these numbers beatmap ids? | They are beatmap ids | Leave them out',
      ],
    ],
  ])('%s', (_, text, read) => expect(wholeReading(text)).toEqual(read))
})
