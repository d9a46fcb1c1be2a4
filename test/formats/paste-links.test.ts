import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'
import { pasted } from './pasted-text.ts'

const WHOLE_SET =
  '1: This link leads to a beatmap set. Open the difficulty you want and copy its link.'
const OTHER_LINK =
  '1: This link does not lead to a beatmap on the game’s site. Paste the beatmap’s link or id.'

describe('links to a beatmap', () => {
  it.each([
    'https://osu.ppy.sh/beatmaps/75',
    'http://osu.ppy.sh/beatmaps/75',
    'osu.ppy.sh/beatmaps/75',
    'www.osu.ppy.sh/beatmaps/75',
    'HTTPS://OSU.PPY.SH/beatmaps/75',
    'https://osu.ppy.sh/b/75',
    'https://old.ppy.sh/b/75',
    'https://new.ppy.sh/b/75',
    'https://osu.ppy.sh/b/75?m=0',
    'https://osu.ppy.sh/b/75&m=3',
    'https://osu.ppy.sh/beatmaps/75?mode=taiko',
    'https://osu.ppy.sh/beatmaps/75/',
    'https://osu.ppy.sh/beatmapsets/1#osu/75',
    'https://osu.ppy.sh/beatmapsets/1#mania/75',
    'https://osu.ppy.sh/beatmapsets/1/#osu/75',
    'https://osu.ppy.sh/beatmapsets/1?v=2#fruits/75',
    'https://old.ppy.sh/p/beatmap?b=75&m=2',
    'https://old.ppy.sh/p/beatmap?m=2&b=75',
    'osu://b/75',
    '/beatmaps/75',
    '/b/75',
    '/beatmapsets/1#osu/75',
    '<https://osu.ppy.sh/b/75>',
    '(https://osu.ppy.sh/b/75)',
    'https://osu.ppy.sh/b/75.',
    'https://osu.ppy.sh/b/75, nice',
    '[Artist - Title](https://osu.ppy.sh/b/75)'.replace('Artist - Title', 'link'),
    '[https://osu.ppy.sh/b/75](https://osu.ppy.sh/b/75)',
    'link: https://osu.ppy.sh/b/75',
    '=HYPERLINK("https://osu.ppy.sh/b/75")'.slice('=HYPERLINK('.length),
  ])('%s', (link) => {
    expect(pasted(link)).toEqual(['1=75'])
  })

  it('name the beatmap, not its set, and a # in them begins no comment', () => {
    expect(pasted('NM1 /beatmapsets/1#osu/2\n/beatmapsets/1#osu/3')).toEqual(['NM1=2', '1=3'])
  })

  it.each([
    'https://osu.ppy.sh/beatmapsets/39804',
    'https://osu.ppy.sh/beatmapsets/39804#osu',
    'https://osu.ppy.sh/s/39804',
    'https://osu.ppy.sh/d/39804',
    'https://osu.ppy.sh/p/beatmap?s=39804',
    '/beatmapsets/39804',
  ])('are refused with the reason when they are to a set alone: %s', (link) => {
    expect(pasted(link)).toEqual([WHOLE_SET])
  })

  it.each([
    'https://osu.ppy.sh/users/2',
    'https://packs.test/b/75',
    'https://osu.ppy.sh.evil.test/b/75',
    'https://evilppy.sh/b/75',
    'NM1 https://packs.test/beatmaps/75',
    'https://osu.ppy.sh/beatmaps/abc',
    'https://osu.ppy.sh/b/75x',
  ])('are refused when they lead elsewhere: %s', (link) => {
    expect(pasted(link)).toEqual([OTHER_LINK])
  })
})

describe('what stands around a link', () => {
  it.each([
    ['NM1 https://osu.ppy.sh/b/75', 'NM1=75'],
    ['hd2: https://osu.ppy.sh/b/75', 'HD2=75'],
    ['RC1 2 https://osu.ppy.sh/b/75', 'RC1 2=75'],
    ['https://osu.ppy.sh/b/75 NM1', 'NM1=75'],
    ['https://osu.ppy.sh/b/75 - NM1', 'NM1=75'],
    ['NM1 Artist - Title [Insane] https://osu.ppy.sh/b/75', 'NM1=75'],
    ['NM1 2 Minutes - Title https://osu.ppy.sh/b/75', 'NM1=75'],
    ['NM1 https://osu.ppy.sh/b/75 Artist - Title [Insane]', 'NM1=75'],
    ['NM1 https://osu.ppy.sh/b/75 7.81 4:18 222 4 9 8', 'NM1=75'],
    ['https://osu.ppy.sh/b/75 Artist - Title [Insane]', '1=75'],
    ['**NM1** - <https://osu.ppy.sh/beatmapsets/1#osu/75>', 'NM1=75'],
    ['- [NM1](https://osu.ppy.sh/b/75) by Ada', 'NM1=75'],
    ['[b]NM1[/b]: [url=https://osu.ppy.sh/b/75]Artist - Title[/url]', 'NM1=75'],
    ['[url=https://osu.ppy.sh/b/75]NM1[/url]', 'NM1=75'],
    ['[20:15] Ada: NM1 https://osu.ppy.sh/b/75', 'NM1=75'],
    ['20:15 Ada: look at HD1 https://osu.ppy.sh/b/75', 'HD1=75'],
    ['Ada: RC1 https://osu.ppy.sh/b/75', 'RC1=75'],
    ['20:15 Ada: NM1 Artist: Title 2 [Insane] https://osu.ppy.sh/b/75', 'NM1=75'],
  ])('%s', (text, slot) => {
    expect(pasted(text)).toEqual([slot])
  })

  it('is refused when it does not say the slot', () => {
    expect(pasted('the best of the week: https://osu.ppy.sh/b/75')).toEqual([
      '1: It is not clear which slot this is for. Start the line with the slot, like “NM1 129891”.',
    ])
  })

  it('is asked when one slot has two beatmaps (shape 20)', () => {
    expect(pasted('NM1 https://osu.ppy.sh/b/75 https://osu.ppy.sh/b/76')).toEqual([
      '1? It is 75 | It is 76 | Leave this line out',
    ])
  })

  it.each([
    'NM1 https://osu.ppy.sh/b/75 HD1 https://osu.ppy.sh/b/75 HD2 76',
    'NM1 https://osu.ppy.sh/b/75 HD1 76',
  ])('is refused when there is more than one beatmap: %s', (text) => {
    expect(pasted(text)).toEqual([
      '1: There is more than one beatmap here. Put each on its own line.',
    ])
  })
})

describe('the text of a Markdown link', () => {
  const link = '(https://osu.ppy.sh/beatmapsets/1#osu/75)'

  it.each([
    [`[Artist - Title (Mapper) \\[Insane\\]]${link}`, 'HD1'],
    [`  1. [Artist - Title (Mapper) [Insane]]${link}`, 'HD1'],
    [`- [A1 - Title]${link}`, 'HD1'],
    [`* [Beatmap 75]${link}`, 'HD1'],
    [`[NM2]${link}`, 'NM2'],
    [`[NM2 Artist - Title]${link}`, 'NM2'],
    [`- NM2: [Beatmap 75]${link}`, 'NM2'],
    [`[NM2] [Artist - Title]${link}`, 'NM2'],
  ])('is a name, unless it begins with a slot: %s', (line, slot) => {
    expect(pasted(`HD\n${line}`)).toEqual([`${slot}=75`])
  })
})

it.each([
  '[Map pack](https://packs.ppy.sh/x.zip)',
  '[Map pack](https://packs.ppy.sh/x.zip) [mirror](https://mega.nz/file/AbC#d)',
  '[Map pack](https://mega.nz/file/AbC#d) by https://osu.ppy.sh/users/5',
])('an item of a bucket that links the map pack takes no number: %s', (item) => {
  const text = `NoMod\n- https://osu.ppy.sh/b/75\n- ${item}\n- https://osu.ppy.sh/b/76`
  expect(pasted(text)).toEqual(['NM1=75', 'NM2=76'])
})

it('a song that links elsewhere takes its number in a numbered list, and is to be mended in others', () => {
  const song = 'Nine Rivers - Harbour [Extra] https://example.org/page'
  const list = (first: string, second: string) =>
    pasted(`NoMod\n${first} https://osu.ppy.sh/b/75\n${second} ${song}`)
  expect(list('1.', '2.')).toEqual(['NM1=75', expect.stringMatching(/^NM2: .*Harbour/)])
  expect(list('-', '-')).toEqual(['NM1=75', expect.stringMatching(/^3: This link does not lead/)])
})

describe('numbers in addresses that are no links to beatmaps', () => {
  const number = fc.integer({ min: 1, max: 99_999_999 })
  const host = fc.constantFrom(
    'docs.google.com',
    'youtu.be',
    'drive.google.com',
    'pools.test:8080',
    'osu.ppy.sh',
    'preview.ppy.sh',
    'assets.ppy.sh',
    'b.ppy.sh',
    'dev.ppy.sh',
  )
  const path = fc
    .tuple(
      fc.constantFrom('', 'x/', 'community/forums/', 'covers/', 'thumb/'),
      fc.constantFrom('?id=', '?t=', '#gid=', '?a=b&c=', '#', '?q=', '#id:', '~', ''),
      number,
      fc.constantFrom('', '.jpg', '/edit', '#x', '&y=7654321', 'l.jpg'),
    )
    .map((parts) => parts.join(''))
  const address = fc
    .tuple(fc.constantFrom('https://', 'http://', ''), host, path)
    .map(([scheme, name, rest]) => `${scheme}${name}/${rest}`)

  it.each([
    'NM1 A',
    'NM1: A',
    'NM1 A Artist - Title',
    'NM1 Artist - Title [Insane] A',
    'NM1\tA\tArtist - Title',
    'NM1\tArtist - Title\tA',
    'A NM1',
    'A',
  ])('are no ids: %s', (form) => {
    fc.assert(
      fc.property(address, (found) => {
        const { pools, questions } = readImport(form.replace('A', found))
        expect(questions).toEqual([])
        expect(pools.flatMap(({ draft }) => draft.slots)).toEqual([])
      }),
    )
  })

  it('make no question of what a line corrects', () => {
    const text = 'NM1 129891\nEDIT: NM1 is now at https://docs.google.com/x/edit#gid=1234567'
    expect(pasted(text)).toEqual(['NM1=129891'])
  })

  it('leave the id beside them, and covers are found by the numbers of sets', () => {
    const cover = 'https://assets.ppy.sh/beatmaps/1139487/covers/cover.jpg'
    expect(pasted(`NM1\t${cover}\tA - B\t2793268`)).toEqual(['NM1=2793268'])
    expect(pasted(`Slot,Banner,Title\nNM1,${cover},Oak\nHD1,${cover},Elm`)).toEqual([
      'NM1: Oak',
      'HD1: Elm',
    ])
    expect(pasted('NM1 129891 - https://youtu.be/x?t=12345')).toEqual(['NM1=129891'])
    expect(pasted('NM1 https://youtu.be/x?t=12345 https://osu.ppy.sh/b/75')).toEqual(['NM1=75'])
  })
})
