import { describe, expect, it } from 'vitest'
import {
  type Address,
  addressAlone,
  addressesIn,
} from '../../src/formats/import/words/addresses.ts'
import {
  isBesideSlots,
  linksIn,
  linksOfRound,
  mayHoldBeatmap,
  withoutPaths,
} from '../../src/formats/import/words/links.ts'

const shown = (text: string): string[] =>
  addressesIn(text).map(({ start, end }: Address) => text.slice(start, end))
const urls = (text: string): string[] => addressesIn(text).map(({ url }) => url)

describe('the address of a link', () => {
  it.each([
    ['See https://a.example/x, and more', 'https://a.example/x'],
    ['https://a.example/x.', 'https://a.example/x'],
    ['https://a.example/x?!', 'https://a.example/x'],
    ['**https://a.example/x**', 'https://a.example/x'],
    ['https://a.example/x.y_z', 'https://a.example/x.y_z'],
    ['(https://a.example/x)', 'https://a.example/x'],
    ['https://a.example/x_(y)', 'https://a.example/x_(y)'],
    ['https://a.example/x[y]{z}', 'https://a.example/x[y]{z}'],
    ['https://a.example/x[/url]', 'https://a.example/x'],
    ['https://a.example/x[b]y', 'https://a.example/x'],
    ['<https://a.example/x>', 'https://a.example/x'],
    ['https://a.example/x|y', 'https://a.example/x'],
    ['https://a.example/x。', 'https://a.example/x'],
    ['https://a.example/x,曲', 'https://a.example/x'],
    ['https://a.example/x,y', 'https://a.example/x,y'],
    ['HTTPS://A.example/x', 'HTTPS://A.example/x'],
    ['[url=https://a.example/x[y]]z[/url]', 'https://a.example/x[y]'],
    ['[x](https://a.example/x_(y))', 'https://a.example/x_(y)'],
    ['[x](https://a.example/x "title")', 'https://a.example/x'],
  ])('ends where a browser ends it: %s', (text, address) => {
    expect(shown(text)).toEqual([address])
  })

  it.each([
    ['https://a.example/曲', 'https://a.example/%E6%9B%B2'],
    ['https://a.example/\ud800', 'https://a.example/%EF%BF%BD'],
    ['[x](https://a.example/x\\_y)', 'https://a.example/x_y'],
    ['[url=https://a.example/%5bx%5d]y[/url]', 'https://a.example/[x]'],
    ['https://a.example/%5bx%5d', 'https://a.example/%5bx%5d'],
  ])('is as a browser sends it: %s', (text, url) => {
    expect(urls(text)).toEqual([url])
  })

  it('is each of several, from left to right, and none in other texts', () => {
    expect(urls('https://a.example/x https://b.example/y')).toEqual([
      'https://a.example/x',
      'https://b.example/y',
    ])
    expect(urls('ftp://a.example/x a.example/y https:/x')).toEqual([])
  })

  it.each([
    [' https://a.example/x. ', 'https://a.example/x.'],
    ['https://a.example/曲', 'https://a.example/%E6%9B%B2'],
    ['https://a.example/x https://b.example/y', null],
    ['https://a.example/x,https://b.example/y', null],
    ['See https://a.example/x', null],
    ['a.example/x', null],
  ])('is all of a cell, to its last sign: “%s”', (cell, address) => {
    expect(addressAlone(cell)).toBe(address)
  })

  it.each([
    ['NM1 https://osu.ppy.sh/users/1234567 x', 'NM1 https://x x'],
    ['NM1 a.example/1234567?x=7654321', 'NM1 https://x'],
    ['NM1 a.example?x=7654321', 'NM1 https://x'],
    ['osu://b/75 129891', 'https://x 129891'],
    ['NM1 1/2 129891', 'NM1 1/2 129891'],
    ['NM1 129891', 'NM1 129891'],
  ])('has no numbers of a line: %s', (text, plain) => {
    expect(withoutPaths(text)).toBe(plain)
  })
})

describe('a link that is no beatmap', () => {
  it.each([
    ['https://packs.ppy.sh/S1320%20-%20Beatmap%20Pack.7z', 'mapPack'],
    ['https://a.example/maps1.zip', 'mapPack'],
    ['https://a.example/pool.zip?dl=1', 'mapPack'],
    ['https://a.example/pool.rar#x', 'mapPack'],
    ['Map pack: https://drive.google.com/file/d/x', 'mapPack'],
    ['[Download all maps](https://a.example/x)', 'mapPack'],
    ['[url=https://a.example/x]Mappack[/url]', 'mapPack'],
    ['[url=https://a.example/x]a[/url] map pack', 'other'],
    ['マップパック https://a.example/x', 'mapPack'],
    ['https://www.youtube.com/watch?v=x', 'showcase'],
    ['https://youtu.be/x', 'showcase'],
    ['https://b23.tv/x', 'showcase'],
    ['Showcase: https://a.example/x', 'showcase'],
    ['VODs https://a.example/x', 'showcase'],
    // What the host says goes before the words.
    ['Map pack https://youtu.be/x', 'showcase'],
    ['Showcase https://a.example/x.zip', 'mapPack'],
    ['https://drive.google.com/file/d/x', 'file'],
    ['https://a.example/x.osz', 'file'],
    ['https://catboy.best/d/123', 'file'],
    ['https://a.example/x', 'other'],
    ['https://osu.ppy.sh/users/7', 'other'],
  ])('is told by its host, its path or the words at it: %s', (text, kind) => {
    expect(linksIn(text).map((each) => each.kind)).toEqual([kind])
  })

  it('has the words between it and the link before it', () => {
    const text = 'Map pack https://a.example/x showcase https://a.example/y and https://a.example/z'
    expect(linksIn(text).map(({ kind }) => kind)).toEqual(['mapPack', 'showcase', 'other'])
  })

  it('is told of at most twenty, in the first 2000 characters', () => {
    const one = 'https://a.example/x '
    expect(linksIn(one.repeat(21))).toHaveLength(20)
    expect(linksIn(`${'x '.repeat(1000)}${one}`)).toEqual([])
    expect(linksIn(`${'x '.repeat(990)}${one}`)).toHaveLength(1)
  })

  it.each([
    'https://a.example/x https://osu.ppy.sh/b/75',
    'https://a.example/x https://osu.ppy.sh/beatmapsets/12',
    'https://a.example/x https://osu.ppy.sh/b/',
    'https://a.example/x https://mirror.example/beatmaps/129891',
    'no link',
  ])('is none where a beatmap is, or may be meant: %s', (text) => {
    expect(linksIn(text)).toEqual([])
  })

  it.each([
    ['https://a.example/x', true],
    ['https://osu.ppy.sh/users/7', false],
    ['https://osu.ppy.sh.example/users/7', true],
    ['https://osu.ppy.sh/b/x', false],
    ['https://mirror.example/d/129891', false],
    ['https://mirror.example/d/129891-x', true],
    ['https://mirror.example/maps/?id=129891', false],
    ['https://catboy.best/d/129891', true],
    // Of other games.
    ['https://quavergame.com/mapset/4689', true],
    ['https://quavergame.com/mapset/map/129891', true],
    ['https://beatsaver.com/maps/129891', true],
    ['https://etternaonline.com/song/view/1234', true],
    ['https://m.mugzone.net/chart/129891', true],
    ['https://quavergame.com.example/maps/129891', false],
    ['https://drive.google.com/d/129891', true],
    ['https://up.ppy.sh/x', true],
    ['https://assets.ppy.sh/beatmaps/12/covers/cover.jpg', false],
  ])('may lead to the map of a slot: %s', (url, mayBe) => {
    expect(mayHoldBeatmap(url)).toBe(mayBe)
  })

  it('is beside the slots of its round, if it leads to a pack or a showcase (D-85)', () => {
    const url = 'https://a.example/x'
    const kinds = (['mapPack', 'showcase', 'file', 'other'] as const).map((kind) => ({ url, kind }))
    expect(kinds.map(isBesideSlots)).toEqual([true, true, false, false])
    expect(linksOfRound(kinds)).toEqual({ mapPackUrl: url, showcaseUrl: url })
    expect(linksOfRound(kinds.slice(1))).toEqual({ showcaseUrl: url })
    expect(linksOfRound(kinds.slice(2))).toEqual({})
  })

  it('is kept of a round if it is https and has at most 512 characters: the first that is (D-85)', () => {
    const long = (length: number): string => 'https://a.example/'.padEnd(length, 'x')
    const packs = ['http://a.example/', long(513), long(512), long(20)]
    expect(linksOfRound(packs.map((url) => ({ url, kind: 'mapPack' })))).toEqual({
      mapPackUrl: long(512),
    })
  })
})
