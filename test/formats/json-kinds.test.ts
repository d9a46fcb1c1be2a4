import { describe, expect, it } from 'vitest'
import { wholeReading } from './whole-reading.ts'

describe('data that is about something else than a pool is refused, or asked', () => {
  it.each<[string, string, string[]]>([
    [
      'scores of players',
      '{"scores":[{"user_id":5,"score":700000,"beatmap_id":75001},{"user_id":6,"accuracy":98.5,"beatmap_id":75001}]}',
      ['! 1: This is data about matches, not a pool.'],
    ],
    [
      'scores of players',
      '[{"username":"Ada","score":700000,"beatmap_id":75001}]',
      ['! 1: This is data about scores, not a pool.'],
    ],
    [
      'games of a match, by how they are scored or by the scores of their players',
      '{"games":[{"beatmap_id":75001,"scoring_type":"score"}]}',
      ['! 1: This is data about matches, not a pool.'],
    ],
    [
      'games of a match, by how they are scored or by the scores of their players',
      '{"games":[{"beatmap_id":75001,"scores":[{"user_id":1}]}]}',
      ['! 1: This is data about matches, not a pool.'],
    ],
    [
      'but no slots with scores beside their label',
      '[{"slot":"NM1","beatmap_id":75001,"scores":[{"user_id":1}]},{"slot":"HD1","beatmap_id":75002,"scores":[]}]',
      ['NM1 75001, HD1 75002'],
    ],
    [
      'picks and bans of teams',
      '{"picks":[{"beatmap_id":75001,"picked_by":"red"}],"bans":[{"beatmap_id":75002,"team":"blue"}]}',
      ['! 1: This is data about matches, not a pool.'],
    ],
    [
      'picks and bans of teams',
      '{"protects":[{"id":75001,"winner":"red"}]}',
      ['! 1: This is data about matches, not a pool.'],
    ],
    [
      'but no picks that say nothing of teams',
      '{"picks":[{"slot":"NM1","id":75001},{"slot":"HD1","id":75002}]}',
      ['NM1 75001, HD1 75002'],
    ],
    [
      'what players have',
      '{"user":"Ada","maps":[{"id":75001}]}',
      ['! 1: This is data about players, not a pool.'],
    ],
    [
      'what players have',
      '[{"player":{"name":"Ada"},"pool":{"NM1":75001}}]',
      ['! 1: This is data about players, not a pool.'],
    ],
    [
      'but no pool of a match, whose sides are named beside it',
      '{"round":"Finals","team":{"left":"Ada","right":"Bo"},"teamList":[{"teamName":"Ada","playerList":{"playerID":[1054988,1240896]}}],"pool":{"NM":[{"title":"Oak","id":75001}],"HD":[{"title":"Elm","id":75002}]}}',
      ['Finals: NM1 75001, HD1 75002'],
    ],
    [
      'how other data is made',
      '{"type":"object","properties":{"a":{"NM1":75001}}}',
      ['! 1: This is program text. Paste the list of beatmaps instead.'],
    ],
    [
      'how other data is made',
      '{"openapi":"3.1.0","paths":{"NM1":75001}}',
      ['! 1: This is program text. Paste the list of beatmaps instead.'],
    ],
    [
      'how other data is made',
      '{"swagger":"2.0","paths":{"NM1":75001}}',
      ['! 1: This is program text. Paste the list of beatmaps instead.'],
    ],
    [
      'but no pool of some type or with an openapi of its own',
      '{"type":"object","NM1":75001}',
      ['NM1 75001'],
    ],
    [
      'but no pool of some type or with an openapi of its own',
      '{"openapi":"3.1.0","NM1":75001}',
      ['NM1 75001'],
    ],
    [
      'numbers that may be scores, of several names for the same labels',
      '{"Ada":{"NM1":777777,"HD1":888888},"Bob":{"NM1":777778,"HD1":888888}}',
      ['? Are these numbers beatmap ids? | They are beatmap ids | Leave them out'],
    ],
    [
      'numbers that may be scores, of several names for the same labels',
      '[{"name":"Ada","NM1":777777,"HD1":888888},{"name":"Bob","NM1":777778,"HD1":888888}]',
      ['? Are these numbers beatmap ids? | They are beatmap ids | Leave them out'],
    ],
    [
      'but not where they are the same, larger than scores, for other labels, or of parts of a pool',
      '{"Ada":{"NM1":777777,"HD1":888888},"Bob":{"NM1":777777,"HD1":888888}}',
      ['Ada: NM1 777777, HD1 888888', 'Bob: NM1 777777, HD1 888888'],
    ],
    [
      'but not where they are the same, larger than scores, for other labels, or of parts of a pool',
      '{"Ada":{"NM1":777777,"HD1":1300001},"Bob":{"NM1":777778,"HD1":888888}}',
      ['Ada: NM1 777777, HD1 1300001', 'Bob: NM1 777778, HD1 888888'],
    ],
    [
      'but not where they are the same, larger than scores, for other labels, or of parts of a pool',
      '{"Ada":{"NM1":777777,"HD1":888888},"Bob":{"NM1":777778,"HD2":888888}}',
      ['Ada: NM1 777777, HD1 888888', 'Bob: NM1 777778, HD2 888888'],
    ],
    [
      'but not where they are the same, larger than scores, for other labels, or of parts of a pool',
      '{"Pool A":{"NM1":777777,"HD1":888888},"Pool B":{"NM1":777778,"HD1":888888}}',
      ['Pool A: NM1 777777, HD1 888888', 'Pool B: NM1 777778, HD1 888888'],
    ],
    [
      'but not where they are the same, larger than scores, for other labels, or of parts of a pool',
      '{"Finals":{"NM1":777777,"HD1":888888},"Semifinals":{"NM1":777778,"HD1":888888}}',
      ['Finals: NM1 777777, HD1 888888', 'Semifinals: NM1 777778, HD1 888888'],
    ],
    [
      'numbers of one player or team, or of one name, most of them as high as scores',
      '{"team":"x","NM1":777777,"HD1":888888}',
      ['? Are these numbers beatmap ids? | They are beatmap ids | Leave them out'],
    ],
    [
      'numbers of one player or team, or of one name, most of them as high as scores',
      '{"foo":{"NM1":777777,"HD1":888888,"HR1":300000}}',
      ['? Are these numbers beatmap ids? | They are beatmap ids | Leave them out'],
    ],
    [
      'but not where one is larger than scores, half of them are low, or the name is that of a part',
      '{"team":"x","NM1":777777,"HD1":1300001}',
      ['NM1 777777, HD1 1300001'],
    ],
    [
      'but not where one is larger than scores, half of them are low, or the name is that of a part',
      '{"foo":{"NM1":777777,"HD1":1000001}}',
      ['foo: NM1 777777, HD1 1000001'],
    ],
    [
      'but not where one is larger than scores, half of them are low, or the name is that of a part',
      '{"foo":{"NM1":777777,"HD1":388888}}',
      ['foo: NM1 777777, HD1 388888'],
    ],
    [
      'but not where one is larger than scores, half of them are low, or the name is that of a part',
      '{"week 2":{"NM1":777777,"HD1":888888}}',
      ['week 2: NM1 777777, HD1 888888'],
    ],
    [
      'but not where one is larger than scores, half of them are low, or the name is that of a part',
      '{"maps":{"NM1":777777,"HD1":888888}}',
      ['NM1 777777, HD1 888888'],
    ],
  ])('%s', (_, text, read) => expect(wholeReading(text)).toEqual(read))
})

describe('groups of an object', () => {
  it.each<[string, string, string[]]>([
    [
      'are buckets where they have their names, also those that no mod is named after',
      '{"NM":[{"id":75001}],"LN":[{"id":75003}],"Rice":[75004]}',
      ['NM1 75001, LN1 75003, RC1 75004 [LN RC]'],
    ],
    [
      'are asked beside buckets where they may be new ones, by number, label or list',
      '{"NM":[{"id":75001}],"Gimmick":[{"id":75002}],"Alt":{"1":75003,"2":75004},"Tech":{"Tech1":75005}}',
      [
        'NM1 75001',
        '? “Gimmick” is not a known bucket. Where do its beatmaps belong? | In a new bucket Gimmick | Leave them out',
        '? Are the numbers in “Alt” beatmap ids? | They are beatmap ids | Leave them out',
        '? Is “Tech1” the id of a beatmap, not of its set or anything else? | Yes, use it | No, leave it out',
      ],
    ],
    [
      'are asked beside buckets where they may be new ones, by number, label or list',
      '{"NM":[{"id":75001}],"Alt":{"title":"x","maps":[{"id":75002}]},"Gimmick":["x"],"Tech":[]}',
      [
        'NM1 75001',
        '? “Alt” is not a known bucket. Where do its beatmaps belong? | In no bucket | Leave them out',
      ],
    ],
    [
      'are rounds where their names are, and asked beside rounds where they are not',
      '{"RO16":[{"id":75001,"mod":"NM"}],"Showmatch":[{"id":75002}],"Extra":[75003]}',
      [
        'RO16: NM1 75001',
        '? “Showmatch” is not a known bucket. Where do its beatmaps belong? | In no bucket | Leave them out',
        '? Are the numbers in “Extra” beatmap ids? | They are beatmap ids | Leave them out',
      ],
    ],
    [
      'are rounds where their names are, and asked beside rounds where they are not',
      '{"RO16":[{"id":75001,"mod":"NM"}],"Showmatch":[{"id":75002,"mod":"NM"}]}',
      ['RO16: NM1 75001', 'Showmatch: NM1 75002'],
    ],
    [
      'are asked where they are numbers alone',
      '{"main":[129891],"extra":[75001]}',
      [
        '? Are the numbers in “main” beatmap ids? | They are beatmap ids | Leave them out',
        '? Are the numbers in “extra” beatmap ids? | They are beatmap ids | Leave them out',
      ],
    ],
    [
      'are buckets where their slots say so, and rounds by any name as we write them for bots',
      '{"NM":[{"code":"NM1","id":75001}],"HD":[{"code":"HD1","id":75002}]}',
      ['NM1 75001, HD1 75002'],
    ],
    [
      'are buckets where their slots say so, and rounds by any name as we write them for bots',
      '{"NM":[{"code":"NM1","id":75001},{"code":"HD1","id":75002}],"Special":[]}',
      ['NM: NM1 75001, HD1 75002'],
    ],
    [
      'are buckets where their slots say so, and rounds by any name as we write them for bots',
      '{"Special":[{"code":"NM1","id":75001}],"maps":[{"code":"HD1","id":75002}]}',
      ['Special: NM1 75001', 'HD1 75002'],
    ],
  ])('%s', (_, text, read) => expect(wholeReading(text)).toEqual(read))
})

describe('what has an id and was read as nothing is asked beside slots', () => {
  it.each<[string, string, string[]]>([
    [
      'as a pair, an object or a key',
      '[["NM1",75001],["Bonus map",75002]]',
      [
        'NM1 75001',
        '? “Bonus map” is not a known bucket. Where do its beatmaps belong? | In a new bucket Bonusmap | In no bucket',
      ],
    ],
    [
      'as a pair, an object or a key',
      '[{"slot":"NM1","id":75001},{"pick":"Bonus map","id":75002},{"id":75003}]',
      [
        'NM1 75001, -1 75002, -2 75003',
        '* 2 beatmaps have no slot in this text. Assign them to buckets afterwards.',
      ],
    ],
    [
      'as a pair, an object or a key',
      '{"75001":"NM1","75002":"Bonus map","75003":{"name":"Extra"},"75004":null,"75005":7}',
      [
        'NM1 75001',
        '? “Bonus map” is not a known bucket. Where do its beatmaps belong? | In a new bucket Bonusmap | In no bucket',
        '? “Extra” is not a known bucket. Where do its beatmaps belong? | In a new bucket Extra | In no bucket',
        '? Are these numbers beatmap ids? | They are beatmap ids | Leave them out',
      ],
    ],
    [
      'but not where its key says what it is, or where it is no id',
      '{"NM1":75001,"players":75002,"bpm":2000,"maps":75003,"old":75004,"low":999}',
      ['NM1 75001', '* “old” was left out.'],
    ],
  ])('%s', (_, text, read) => expect(wholeReading(text)).toEqual(read))
})

it.each(['left right', 'Red Blue', 'a b', 'home away', 'team1 team2', '1 2'])(
  'the sides of a match beside a pool leave it as it is, and those of one team do not: %s',
  (sides) => {
    const names = Object.fromEntries(sides.split(' ').map((side, at) => [side, `Team ${at}`]))
    const pool = { NM: [{ title: 'Oak', id: 75001 }], HD: [{ title: 'Elm', id: 75002 }] }
    for (const key of ['team', 'teamName', 'player']) {
      expect(wholeReading(JSON.stringify({ [key]: names, pool }))).toEqual(['NM1 75001, HD1 75002'])
      expect(wholeReading(JSON.stringify({ [key]: { id: 5, name: 'Ada' }, pool }))).toEqual([
        '! 1: This is data about players, not a pool.',
      ])
    }
  },
)
