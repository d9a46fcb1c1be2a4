import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'
import { wholeReading } from './whole-reading.ts'

describe('a pool as the API has it', () => {
  it.each<[string, string, string[]]>([
    [
      'keeps its buckets, their order, and slots in no bucket',
      '{"name":"Cup","buckets":[{"code":"QX","color":1,"mods":{"kind":"forced","set":["EZ"]}},{"code":"NM"}],"slots":[{"mod":"QX","index":1,"beatmapId":75001},{"mod":null,"index":2,"beatmapId":75002}]}',
      [
        'Cup: QX1 75001, -2 75002 [QX=EZ]',
        '* 1 beatmap has no slot in this text. Assign them to buckets afterwards.',
      ],
    ],
    [
      'is one where its slots have a code in place of the mod, too',
      '{"slots":[{"code":"NM","index":1,"beatmapId":75001}]}',
      ['NM1 75001'],
    ],
    [
      'is none where the code is the whole label',
      '{"slots":[{"code":"NM1","beatmapId":75001},{"code":"HD2","beatmapId":75002}]}',
      ['NM1 75001, HD2 75002'],
    ],
    [
      'is refused where its slots are no list',
      '{"slots":"none","NM1":75001}',
      ['! 1: slots must be a list'],
    ],
    ['is none where its slots are an object', '{"slots":{"NM1":75001}}', ['NM1 75001']],
    [
      'is refused as a whole with the path of what is wrong',
      '{"packs":[{"name":"A","slots":[{"mod":"NM","index":1,"beatmapId":75001}]},{"name":"B","slots":[{"mod":"NM","index":1,"beatmapId":75002},{"mod":"NM","index":100,"beatmapId":75003}]}]}',
      ['A: NM1 75001', '! 1: packs[1].slots[1].index must be from 1 to 99'],
    ],
    [
      'is refused as a whole with the path of what is wrong',
      '{"pack":{"name":"A","slots":[{"mod":"NM","index":100,"beatmapId":75003}]}}',
      ['! 1: slots[0].index must be from 1 to 99'],
    ],
    [
      'is refused as a whole with the path of what is wrong',
      '{"rounds":[{"name":"A","slots":[7,{"mod":"NM","index":1,"beatmapId":75001}]}]}',
      ['! 1: rounds[0].slots[0] must be an object'],
    ],
    [
      'is refused as a whole with the path of what is wrong',
      '{"rounds":[{"name":"A","slots":[{"mod":"NM","index":1,"placeholder":7}]}]}',
      ['! 1: rounds[0].slots[0].placeholder must be a string'],
    ],
    [
      'is refused as a whole with the path of what is wrong',
      '{"pack":{"name":"A","slots":[{"mod":"NM","index":1,"beatmapId":75001},{"mod":"NM","index":2}]}}',
      ['! 1: slots[1].beatmapId must be a number'],
    ],
    [
      'has slots without a beatmap that say that there is none, or what is planned (D-77)',
      '{"pack":{"name":"Cup","slots":[{"mod":"NM","index":1,"beatmapId":75001},{"mod":"NM","index":2,"beatmapId":null},{"mod":"NM","index":3,"beatmapId":0,"placeholder":"slow"},{"mod":"HD","index":4,"link":"https://example.com/x.osz"},{"mod":"HD","index":5,"details":{"title":"Lantern"}}]}}',
      [
        'Cup: NM1 75001, NM2 ?, NM3 ? placeholder=slow, HD4 ? link=https://example.com/x.osz, HD5 ? title=Lantern',
      ],
    ],
    [
      'of a round has such slots without a field for the beatmap, too',
      '{"rounds":[{"name":"RO16","slots":[{"mod":"NM","index":1},{"mod":"NM","index":2,"placeholder":"slow"},{"mod":null,"index":1},{"mod":"HD","index":2,"beatmapId":75002,"details":{"title":"Quill"},"link":"https://example.com/b"}]},{"name":"QF","slots":[]}]}',
      [
        'RO16: NM1 ?, NM2 ? placeholder=slow, -1 ?, HD2 75002 title=Quill link=https://example.com/b',
      ],
    ],
    [
      'of a round has such slots without a field for the beatmap, too',
      '{"name":"RO16","bestOf":9,"slots":[{"mod":"NM","index":1}]}',
      ['RO16: NM1 ?'],
    ],
    [
      'of a round has such slots without a field for the beatmap, too',
      '{"round":{"name":"RO16","slots":[{"mod":"NM","index":3}]}}',
      ['RO16: NM3 ?'],
    ],
    [
      'of a round is none where a slot has the beatmap in a field of another program',
      '{"rounds":[{"name":"SF","slots":[{"mod":"NM","index":1,"map":75001}]}]}',
      ['SF: NM1 75001'],
    ],
    [
      'of a round loses fields that are not as ours, with a note',
      '{"rounds":[{"name":"RO16","bestOf":11,"bans":"two","startsAt":"soon","slots":[{"mod":"NM","index":1,"beatmapId":75001}]}]}',
      ['RO16: NM1 75001', '* A field of a round was left out: rounds[0].bans must be a number.'],
    ],
  ])('%s', (_, text, read) => expect(wholeReading(text)).toEqual(read))
})

it('the draft of a pack has of each slot its place and its beatmap alone', () => {
  const beside = fc.record(
    {
      details: fc.constant({ artist: 'Tin Larks', title: 'Oak' }),
      link: fc.constant('https://osu.ppy.sh/beatmapsets/3141009'),
    },
    { requiredKeys: [] },
  )
  // One without a beatmap is none of a pack, unless something else says what it is.
  const slot = fc.tuple(fc.integer({ min: 1_298_910, max: 1_298_999 }), beside, fc.boolean())
  fc.assert(
    fc.property(fc.array(slot, { minLength: 1, maxLength: 4 }), (drawn) => {
      const slots = drawn.map(([beatmapId, own, isFilled], at) => {
        const isSlot = isFilled || Object.keys(own).length === 0
        return { mod: 'NM', index: at + 1, ...(isSlot && { beatmapId }), ...own }
      })
      const { pools } = readImport(JSON.stringify({ name: 'Finals', slots }))
      const filled = slots.filter(({ beatmapId }) => beatmapId !== undefined)
      expect(pools.map(({ draft }) => draft.slots)).toEqual([
        filled.map(({ mod, index, beatmapId }) => ({ mod, index, beatmapId })),
      ])
      expect(pools.flatMap(({ round }) => round.slots)).toMatchObject(slots)
    }),
  )
})

describe('the bucket of an object with a list of beatmaps', () => {
  it.each<[string, string, string[]]>([
    [
      'is its mod, whatever it is called',
      '{"pools":[{"mod":"NM","maps":[{"id":75001}]},{"category":"Hidden","songs":[{"id":75002},{"id":75003}]},{"acronym":"HR","beatmaps":[75004]}]}',
      ['NM1 75001, HD1 75002, HD2 75003, HR1 75004'],
    ],
    [
      'may be said in an object beside the list, where that says one',
      '{"pools":[{"info":{"mod":"HD"},"maps":[{"id":75001}]},{"meta":{"x":{"y":"HR"}},"maps":[{"id":75002}]},{"info":{"mod":"NM","also":"DT"},"maps":[{"id":75003}]}]}',
      [
        'HD1 75001, HR1 75002',
        '? “NM” is not a known bucket. Where do its beatmaps belong? | In a new bucket NM | Leave them out',
      ],
    ],
    [
      'may be the name of the only object in it',
      '{"groups":[{"group":{"name":"NoMod","maps":[{"id":75001}]}},{"group":{"name":"HardRock","maps":[{"id":75002}]}}]}',
      ['NM1 75001, HR1 75002'],
    ],
    [
      'is asked beside others where it is none that is known',
      '{"pools":[{"name":"NM","maps":[{"id":75001}]},{"name":"Gimmick","maps":[{"id":75002}]},{"name":"Rice","maps":[75003]}]}',
      [
        'NM1 75001',
        '? “Gimmick” is not a known bucket. Where do its beatmaps belong? | In a new bucket Gimmick | Leave them out',
        '? Are the numbers in “Rice” beatmap ids? | They are beatmap ids | Leave them out',
      ],
    ],
    [
      'is none where its slots are of several: its name is that of a round',
      '{"pools":[{"name":"HD","maps":[{"id":75001,"mods":"HD"},{"id":75002,"mods":"NM"}]},{"name":"EZ","maps":[{"id":75003,"mods":"HD"},{"id":75004,"mods":"NM"}]}]}',
      ['HD1 75001, NM1 75002', 'HD1 75003, NM1 75004'],
    ],
    [
      'is not the name of a stage',
      '{"stage":{"name":"Finals","maps":[{"slot":"NM1","id":75001}]}}',
      ['Finals: NM1 75001'],
    ],
  ])('%s', (_, text, read) => expect(wholeReading(text)).toEqual(read))
})

describe('the buckets of a round of a bracket.json', () => {
  it.each<[string, string, string[]]>([
    [
      'are in the order of its beatmaps, those that are made of mods with these',
      '{"Rounds":[{"Name":"QF","Beatmaps":[{"ID":75001,"Mods":"RC"},{"ID":75002,"Mods":"NM"},{"ID":75003,"Mods":"HDHR"},{"ID":75004,"Mods":"Stage 1"},{"ID":75005,"Mods":"TB"}]}]}',
      [
        'QF: RC1 75001, NM1 75002, HDHR1 75003, TB1 75005 [RC HDHR=HDHR Stage1]',
        '? “Stage 1” is not a known bucket. Where do its beatmaps belong? | In a new bucket Stage1 | In no bucket',
      ],
    ],
    [
      'may end in a digit',
      '{"Rounds":[{"Name":"QF","Beatmaps":[{"ID":75001,"Mods":"B1"},{"ID":75002,"Mods":"B1"},{"ID":75003,"Mods":"B2"},{"ID":75004,"Mods":"B2"}]}]}',
      ['QF: B11 75001, B12 75002, B21 75003, B22 75004 [B1 B2]'],
    ],
    [
      'are those of keys in any case',
      '{"rounds":[{"name":"QF","beatmaps":[{"id":75001,"mods":"RC"},{"ID":75002,"MODS":"NM"}]}],"Matches":[]}',
      ['QF: RC1 75001, NM1 75002 [RC]'],
    ],
    [
      'have slots without a beatmap where an entry has none',
      '{"Rounds":[{"Name":"QF","Beatmaps":[{"ID":75001,"Mods":"NM1"},{"ID":75002,"Mods":"NM2"},{"Mods":"HD"},{},{"ID":0,"Mods":"DT"}]},{"Name":"SF","Beatmaps":[]}]}',
      ['QF: NM1 75001, NM2 75002, HD1 ?, -1 ?, DT1 ?'],
    ],
  ])('%s', (_, text, read) => expect(wholeReading(text)).toEqual(read))
})

describe('the name of a round', () => {
  it.each<[string, string, string[]]>([
    [
      'is a field of it that says so, in other languages, too',
      '{"tournamentName":"My Cup","pool":[{"slot":"NM1","id":75001}]}',
      ['My Cup: NM1 75001'],
    ],
    [
      'is a field of it that says so, in other languages, too',
      '{"ronda":"Finals","pool":[{"slot":"NM1","id":75001}]}',
      ['Finals: NM1 75001'],
    ],
    [
      'is a field of it that says so, in other languages, too',
      '{"nombre":"Semifinal","pool":[{"slot":"NM1","id":75001}]}',
      ['Semifinal: NM1 75001'],
    ],
    [
      'is a number with its key',
      '{"round":3,"pool":[{"slot":"NM1","id":75001}]}',
      ['round 3: NM1 75001'],
    ],
    [
      'is a number with its key',
      '{"week":3,"pool":[{"slot":"NM1","id":75001}]}',
      ['week 3: NM1 75001'],
    ],
    ['is a number with its key', '{"bestOf":3,"pool":[{"slot":"NM1","id":75001}]}', ['NM1 75001']],
    [
      'is no empty text and no address',
      '{"round":"","stage":"https://example.com/x","name":"Semis","pool":[{"slot":"NM1","id":75001}]}',
      ['Semis: NM1 75001'],
    ],
    [
      'is no title of the set, or of the one beatmap that is beside it',
      '{"title":"Finals","artist":"Quillfoot","beatmaps":[{"id":75001}]}',
      ['-1 75001', '* 1 beatmap has no slot in this text. Assign them to buckets afterwards.'],
    ],
    [
      'is no title of the set, or of the one beatmap that is beside it',
      '{"name":"Lantern","NM1":75001}',
      ['NM1 75001'],
    ],
    [
      'is beside one beatmap where it names a round, or beside several',
      '{"name":"Finals","NM1":75001}',
      ['Finals: NM1 75001'],
    ],
    [
      'is beside one beatmap where it names a round, or beside several',
      '{"name":"Lantern","NM1":75001,"NM2":75002}',
      ['Lantern: NM1 75001, NM2 75002'],
    ],
    [
      'is in an object beside the beatmaps that is about no beatmap',
      '{"info":{"round":"Finals"},"NM1":75001,"NM2":75002}',
      ['Finals: NM1 75001, NM2 75002'],
    ],
    [
      'is in an object beside the beatmaps that is about no beatmap',
      '{"meta":{"stage":"Finals"},"content":{"maps":[{"slot":"NM1","id":75001}]}}',
      ['Finals: NM1 75001'],
    ],
    [
      'is in an object beside the beatmaps that is about no beatmap',
      '{"info":{"round":"Finals","bpm":180},"pool":[{"slot":"NM1","id":75001}]}',
      ['NM1 75001'],
    ],
    [
      'is in an object beside the beatmaps that is about no beatmap',
      '{"1":{"round":"Finals"},"pool":[{"slot":"NM1","id":75001}]}',
      ['NM1 75001'],
    ],
    [
      'is in an object beside the beatmaps that is about no beatmap',
      '{"info":{"round":"Finals","tags":[]},"pool":[{"slot":"NM1","id":75001}]}',
      ['NM1 75001'],
    ],
    [
      'is in an object beside the beatmaps that is about no beatmap',
      '{"info":{"ronda":"Finals"},"pool":[{"slot":"NM1","id":75001}]}',
      ['Finals: NM1 75001'],
    ],
    [
      'is the key of all that is in it, unless that is a key for beatmaps',
      '{"The Last Stand":{"NM1":75001,"HD1":75002}}',
      ['The Last Stand: NM1 75001, HD1 75002'],
    ],
    [
      'is the key of all that is in it, unless that is a key for beatmaps',
      '{"mappool":{"NM1":75001,"HD1":75002}}',
      ['NM1 75001, HD1 75002'],
    ],
    [
      'is of no player',
      '{"playerName":"Ada","pool":[{"slot":"NM1","id":75001}]}',
      ['! 1: This is data about players, not a pool.'],
    ],
  ])('%s', (_, text, read) => expect(wholeReading(text)).toEqual(read))
})
