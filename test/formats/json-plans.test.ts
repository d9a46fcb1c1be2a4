import { describe, expect, it } from 'vitest'
import { wholeReading } from './whole-reading.ts'

describe('a slot without a beatmap', () => {
  it.each<[string, string, string[]]>([
    [
      'is an item of a bucket by its number, or of a list in which others have ids',
      '{"NM":{"1":{"title":"Low - Tide"},"2":{"id":75001}},"HD":[{"id":75002}]}',
      ['NM1 ? artist=Low title=Tide, NM2 75001, HD1 75002'],
    ],
    [
      'is an empty object at its number; numbers from 0 are those of a list',
      '{"NM":{"1":{},"2":{"id":75001}},"HD":{"0":{"id":75002},"1":{"id":75003}}}',
      ['NM1 ?, NM2 75001, HD1 75002, HD2 75003'],
    ],
    [
      'is what an item of a bucket says, beside one with an id',
      '[{"mod":"HD","placeholder":"slow"},{"mod":"HD","id":75001},{"mod":"HR","title":"Lantern"}]',
      ['HD1 ? placeholder=slow, HD2 75001, HR1 ? title=Lantern'],
    ],
    [
      'is what waits in a bucket, alone; a name of mods is none',
      '[{"mod":"HD","placeholder":"slow"},{"mod":"HR","title":"Hard Rock"}]',
      ['HD1 ? placeholder=slow'],
    ],
    [
      'has the artist, title, difficulty and mapper that its fields say, by their usual names',
      '[{"slot":"NM1","artist":"Quillfoot","title":"Lantern","version":"Hard","creator":"Bo"},{"slot":"NM2","songartist":"Quillfoot","songname":"Lantern","diffname":"Hard","mappers":"Ada, Bo"},{"slot":"HD1","artist":"Quillfoot","song":"Lantern","difficulty":"Hard","mapper":"Ada"}]',
      [
        'NM1 ? artist=Quillfoot title=Lantern difficulty=Hard mapper=Bo, NM2 ? artist=Quillfoot title=Lantern difficulty=Hard mapper=Ada, Bo, HD1 ? artist=Quillfoot title=Lantern difficulty=Hard mapper=Ada',
      ],
    ],
    [
      'has a song that is in one field, or in the place of the id',
      '[{"slot":"NM1","song":"Quillfoot - Lantern [Hard]"},{"slot":"NM2","id":"Quillfoot - Lantern (Ada) [Hard]"},{"slot":"HD1","artist":"Quillfoot","title":"Lantern - Part 2"}]',
      [
        'NM1 ? artist=Quillfoot title=Lantern difficulty=Hard, NM2 ? artist=Quillfoot title=Lantern difficulty=Hard mapper=Ada, HD1 ? artist=Quillfoot title=Lantern - Part 2',
      ],
    ],
    [
      'has what is in an object for the details',
      '[{"slot":"NM1","details":{"artist":"Quillfoot","title":"Lantern"}},{"slot":"NM2","details":{"title":"Lantern","version":"Easy"},"version":"Hard"}]',
      ['NM1 ? artist=Quillfoot title=Lantern, NM2 ? title=Lantern difficulty=Hard'],
    ],
    [
      'says what it waits for: in a field for notes, or in place of its title or id',
      '[{"slot":"NM1","id":null,"title":"TBA","note":"waiting for Bo"},{"slot":"NM2","title":"TBD"},{"slot":"HD1","id":"TBA"},{"slot":"HD2","placeholder":"slow"},{"slot":"HR1","comment":"slow","status":" "},{"slot":"HR2","title":"Lantern","notes":"slow"}]',
      [
        'NM1 ? placeholder=waiting for Bo, NM2 ? placeholder=TBD, HD1 ? placeholder=TBA, HD2 ? placeholder=slow, HR1 ? placeholder=slow, HR2 ? title=Lantern placeholder=slow',
      ],
    ],
    [
      'has the link of a file, or of its set, which a pack refuses',
      '[{"slot":"NM1","file":"https://drive.google.com/file/d/1a/view"},{"slot":"NM2","beatmapset_id":39804,"title":"Lantern"},{"slot":"HD1","set":"https://osu.ppy.sh/beatmapsets/39805"},{"slot":"HR1","file":"https://drive.google.com/file/d/1b/view","setId":39806}]',
      [
        'NM1 ? link=https://drive.google.com/file/d/1a/view, NM2 ? title=Lantern link=https://osu.ppy.sh/beatmapsets/39804, HD1 ? link=https://osu.ppy.sh/beatmapsets/39805, HR1 ? link=https://osu.ppy.sh/beatmapsets/39806',
        '* The links of NM2, HD1, HR1 lead to beatmap sets. A round keeps them as planned slots; a pack needs the link of the difficulty.',
      ],
    ],
    [
      'is by its key what its value says',
      '{"NM1":{"id":null},"NM2":{"id":"","title":"Lantern"},"NM3":{"title":"Lantern","x":7},"HD1":{"placeholder":"slow"},"HD2":{"mapset":"39804"},"HR1":"Quillfoot - Lantern","HR2":"TBA","DT1":"?","DT2":null}',
      [
        'NM1 ?, NM2 ? title=Lantern, NM3 ? title=Lantern, HD1 ? placeholder=slow, HD2 ? link=https://osu.ppy.sh/beatmapsets/39804, HR1 ? artist=Quillfoot title=Lantern, HR2 ? placeholder=TBA, DT1 ? placeholder=?, DT2 ?',
        '* The links of HD2 lead to beatmap sets. A round keeps them as planned slots; a pack needs the link of the difficulty.',
      ],
    ],
    [
      'is none where nothing about a map is in its value',
      '{"NM1":75001,"HD3":{"x":1},"HR1":{"x":{"y":1}}}',
      ['NM1 75001'],
    ],
    [
      'is by its bucket in a list of beatmaps',
      '{"maps":[{"mod":"NM"},{"mod":"HD","title":"Lantern"},{"title":"Quill"}]}',
      ['NM1 ?, HD1 ? title=Lantern'],
    ],
    [
      'is by its bucket in a list of beatmaps',
      '[{"mod":"HD","id":"soon"},{"mod":"NM","id":75001},{"mod":"HR"},{"mod":"DT","id":-1}]',
      ['HD1 ? placeholder=soon, NM1 75001'],
    ],
    [
      'is by its bucket in a list of beatmaps',
      '{"NM":["TBA","?","-"],"HD":[{"title":"Lantern"},{}]}',
      ['NM1 ? placeholder=TBA, NM2 ? placeholder=?, HD1 ? title=Lantern'],
    ],
    [
      'is asked for its id where a field with any other name may have it',
      '[{"slot":"NM1","online":75001},{"slot":"HD1","online":75002}]',
      [
        '? Is “online” the id of a beatmap, not of its set or anything else? | Yes, use it | No, leave it out',
      ],
    ],
    [
      'is asked for its id where a field with any other name may have it',
      '{"NM1":{"online":"75001"},"HD1":{"online":"n/a"}}',
      [
        '? Is “online” the id of a beatmap, not of its set or anything else? | Yes, use it | No, leave it out',
      ],
    ],
  ])('%s', (_, text, read) => expect(wholeReading(text)).toEqual(read))
})
