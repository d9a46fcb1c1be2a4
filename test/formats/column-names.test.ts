import { describe, expect, it } from 'vitest'
import {
  holdsIds,
  holdsSets,
  isAnswer,
  isComplete,
  isId,
  isOfNumbers,
  mayHoldIds,
  namesBeatmaps,
  namesNumbers,
  namesOther,
  roleOf,
  topicOf,
} from '../../src/formats/import/tables/column-names.ts'

const nothing = ['', '2', 'Foo', 'Old', '1 Slot', 'Slot 2', 'Maps #2', 'Notes 2', 'Player 100']

/** By the name of a column: what it holds, and of what else than slots and beatmaps. */
const known: Readonly<Record<string, readonly string[]>> = {
  slot: ['Slot', ' slots: ', 'PICK', '**Slot**', 'Final slot', 'スロット'],
  mod: ['Mod', 'Mods', 'Bucket', 'mod_pool'],
  index: ['Index', 'Mod Index', 'slot-number'],
  beatmap: [
    'Beatmap ID',
    'BeatmapID',
    'beatmap_id',
    'The Map ID',
    'osu! beatmap link',
    'Beatmap ID (new)',
    'Beatmap (link)',
    'Ссылка',
    'Ссылка на карту',
    'Номер карты',
    'ID Peta',
    'Tautan peta',
    'Karten-ID',
    'ID della mappa',
    'Mã bản đồ',
    'Kaart ID',
  ],
  vague: [
    'ID',
    'Map',
    'Beatmap',
    'Song ID',
    'Lied-ID',
    '曲ID',
    '歌曲 id',
    '곡 ID',
    'ID песни',
    'ID lagu',
    'ID da Música',
    'ID de la canción',
    'ID de la chanson',
    'ID des Liedes',
    'id della canzone',
  ],
  round: ['Round', 'Stage', 'Map pool'],
  division: ['Division', 'Tier'],
  other: ['Notes', 'Map #', 'Map №', 'Old beatmap ID', 'Previous map', 'Beatmap ID (old)'],
  'other detail': [
    'Title',
    'Song title',
    'Set ID',
    'mapset link',
    'beatmap_set_id',
    'Карта сета ID',
    'MD5',
    'Hash',
  ],
  'other person': ['Player', 'Player 2', 'Player A', 'Discord tag 2', 'Player IGN', 'Player2'],
  'other team': ['Team', 'Team name', 'Team A ID'],
  'other match': ['Match ID', 'Ban 1', 'Ban12', 'Bans (red)', 'Team red', 'Ref'],
  'other score': ['Score', 'Seed'],
  'other staff': ['Role'],
  'other statistic': ['Pick rate', 'Average'],
  'other suggestion': ['Suggested by', 'Votes'],
  '': [
    ...nothing,
    'Player link x',
    'Slot of the current final osu map which is long',
    'Map of the new pool which is for you',
    'Beatmap ID in set',
  ],
}

describe('the name of a column', () => {
  it.each(Object.entries(known))('says that it holds: %s', (held, names) => {
    for (const name of names) {
      const meanings = [roleOf(name), topicOf(name)].filter((each) => each !== undefined)
      expect(meanings.join(' '), name).toBe(held)
    }
  })

  it.each<[string, (name: string) => boolean, readonly string[], readonly string[]]>([
    [
      'holds the ids or links of sets (D-77)',
      holdsSets,
      ['Set ID', 'mapset_id', 'Beatmapsets', 'Link to the set', 'ID del set', '谱面集', '셋 ID'],
      ['Beatmap ID', 'Map ID in set', 'not the set ID', 'Set of maps', 'Settings ID', 'ID'],
    ],
    [
      'numbers slots or rows, and nothing else',
      isOfNumbers,
      ['#', 'No', 'No.', 'nr', 'Number', 'номер', '번호'],
      ['Map #', 'Notes', 'Numbers of maps', ''],
    ],
    [
      'has a word for numbers or places in it',
      namesNumbers,
      ['Map #', 'Position', 'Slot no', 'Order of play', 'pos', '顺序', 'Mod №'],
      ['Title', 'Ordering', 'Notes', 'Slots', ''],
    ],
    ['is called an id alone', isId, ['ID', ' ids ', 'id'], ['Map ID', 'Idx', '', 'I D']],
    [
      'says of a cell that it answers yes or no',
      isAnswer,
      ['yes', ' NO ', 'True', '✅', '✔️'],
      ['yes, please', 'Finals', '', 'x'],
    ],
  ])('%s', (_, is, yes, no) => {
    expect([yes.filter((name) => !is(name)), no.filter(is)]).toEqual([[], []])
  })

  it('says that its numbers are of something else than beatmaps', () => {
    const others = ['Views', 'Size (bytes)', 'Foo', 'Map views', 'Map foo', 'bộ beatmap', 'Slot']
    const ofBeatmaps = [
      '',
      '#',
      '2',
      'ID',
      'ID (osu)',
      'Map',
      'Map ID',
      'ID for the map',
      'osu id 4k',
    ]
    expect(others.filter((name) => !namesOther(name))).toEqual([])
    expect(ofBeatmaps.filter(namesOther)).toEqual([])
  })

  it('lets its numbers be ids, unless they are of persons or of sets', () => {
    expect(['', 'Foo', 'Notes', 'Song ID'].filter((name) => !mayHoldIds(name))).toEqual([])
    const never = ['Player', 'Score', 'Set ID', 'Mapper', 'Host ID', 'Creator', 'User ID']
    expect(never.filter(mayHoldIds)).toEqual([])
  })
})

describe('a header', () => {
  const columns = (...titles: readonly string[]) => ({ titles, columns: titles.map(roleOf) })

  it.each([
    [true, ['Slot', 'Beatmap ID']],
    [true, ['Mod', 'ID']],
    [false, ['Index', 'Beatmap ID']],
    [false, ['Slot', 'Title']],
  ])('names the columns of slots and beatmaps: %s, %j', (is, titles) => {
    expect(isComplete(columns(...titles).columns)).toBe(is)
  })

  it.each([
    ['a column of beatmaps', true, ['Title', 'Beatmap ID']],
    ['one that is called ID beside slots', true, ['Slot', 'ID']],
    ['one that is called ID alone', false, ['Title', 'ID']],
    ['one that may have titles', false, ['Slot', 'Map']],
    ['another one', false, ['Slot', 'Foo']],
  ])('says that %s holds ids: %s', (_, is, names) => {
    const { columns: own, titles } = columns(...names)
    expect(holdsIds(1, own, titles)).toBe(is)
  })

  it.each([
    [true, ['Foo', 'Beatmap ID']],
    [true, ['ID', 'Title']],
    [true, ['Map', 'Foo']],
    [false, ['ID', 'Foo']],
    [false, ['ID', 'Player']],
  ])('has a column of beatmaps: %s, %j', (is, names) => {
    const { columns: own, titles } = columns(...names)
    expect(namesBeatmaps(own, titles)).toBe(is)
  })
})
