import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planOfCells } from '../../src/formats/import/lines/plans.ts'
import {
  cutDetails,
  cutPlanned,
  detailsOf,
  fileLinkOf,
  hasNoBeatmapLink,
  holdsDetails,
  isOfSet,
  isUndecided,
  linkOfSet,
  ownColumn,
  plannedOf,
  plannedOfSet,
  wholeText,
} from '../../src/formats/import/words/planned.ts'

const file = 'https://drive.google.com/file/d/1AbC/view'
const set = (id: number): string => `https://osu.ppy.sh/beatmapsets/${id}`

describe('the details of a map that is planned (D-77)', () => {
  const song = { artist: 'Cirrus', title: 'Low Tide' }
  const whole = { ...song, difficulty: 'Extra', mapper: 'Ada' }

  it.each([
    ['Cirrus - Low Tide', song],
    ['Cirrus – Low Tide [Extra]', { ...song, difficulty: 'Extra' }],
    ['Cirrus — Low Tide (Ada) [Extra]', whole],
    ['Cirrus - Low Tide [Extra] (Ada)', whole],
    ['Cirrus - Low Tide [Extra] by Ada', whole],
    ['Cirrus - Low Tide [Extra] mapped by Ada', whole],
    ['Cirrus - Low Tide ( Ada ) [ Extra ]', whole],
    ['Cirrus - Low Tide [Extra [4K]] (Ada)', { ...whole, difficulty: 'Extra [4K]' }],
    ['Cirrus - Low Tide (Ada (guest)) [Extra]', { ...whole, mapper: 'Ada (guest)' }],
    ['Cirrus - Low Tide [Extra] (Ada (guest))', { ...whole, mapper: 'Ada (guest)' }],
    ['Cirrus - Low - Tide', { artist: 'Cirrus', title: 'Low - Tide' }],
    ['!? - Low Tide (Ada) [Extra]', { ...whole, artist: '!?' }],
    // Without a difficulty, what is in brackets may be a part of the title.
    ['Cirrus - Low Tide (Ada)', { ...song, title: 'Low Tide (Ada)' }],
    [
      'Cirrus - Low Tide (TV Size) [Extra]',
      { ...song, title: 'Low Tide (TV Size)', difficulty: 'Extra' },
    ],
    [
      'Cirrus - Low Tide (Ada) (Short Ver.) [Extra]',
      { ...song, title: 'Low Tide (Ada) (Short Ver.)', difficulty: 'Extra' },
    ],
    ['Cirrus - Low (Ada) Tide [Extra]', { ...song, title: 'Low (Ada) Tide', difficulty: 'Extra' }],
  ])('are read from “%s”', (text, details) => {
    expect(detailsOf(text)).toEqual(details)
  })

  it.each([
    'Low Tide',
    'Low Tide [Extra]',
    'Cirrus -',
    '- Low Tide',
    'Cirrus-Low Tide',
    '!? - Low Tide [Extra]',
    '\u200b - Low Tide',
    'Cirrus - \u3164',
    'Cirrus - Low Tide [Extra] and more',
    'Cirrus - Low Tide [Extra] (Ada) and more',
    'Cirrus - Low Tide [Extra] see (Ada)',
    'Cirrus - Low Tide [Extra] too late, by Ada',
  ])('are none in “%s”', (text) => {
    expect(detailsOf(text)).toBeNull()
  })

  it('are cut to 128 characters each, and left out where nothing of them can be seen', () => {
    const long = 'x'.repeat(129)
    expect(cutDetails({ artist: long, title: '\u200b', mapper: '' })).toEqual({
      artist: long.slice(1),
    })
    expect(cutDetails({ title: ' ' })).toBeNull()
  })

  it('are the texts of a row without a header, unless its first is a song', () => {
    expect(wholeText('Cirrus - Low Tide', ['Ada'])).toBe('Cirrus - Low Tide')
    expect(wholeText('Cirrus', ['Low Tide', ' Ada '])).toBe('Cirrus, Low Tide, Ada')
  })

  it.each([
    ['Artist', true],
    ['曲师', true],
    ['Song Title', true],
    ['Difficulty name', true],
    ['Mapset (host)', false],
    ['Creator', true],
    ['Slot', false],
    ['', false],
  ])('are in a column named “%s”: %s', (title, holds) => {
    expect(holdsDetails(['ID', title], 1)).toBe(holds)
  })
})

describe('what a text plans for a slot (D-77)', () => {
  it.each([
    ['TBA', { placeholder: 'TBA' }],
    ['custom map, due Sunday', { placeholder: 'custom map, due Sunday' }],
    [' : => **Low Tide** - ', { placeholder: 'Low Tide' }],
    ['—— Low Tide;, ', { placeholder: 'Low Tide' }],
    ['-5 Low Tide', { placeholder: '-5 Low Tide' }],
    ['Low Tide-', { placeholder: 'Low Tide-' }],
    ['Low Tide - –', { placeholder: 'Low Tide' }],
    ['[b]Low[/b] [size=150]Tide[/size]', { placeholder: 'Low Tide' }],
    ['\\[b\\]Low Tide', { placeholder: '[b]Low Tide' }],
    ['Low\tTide.osu', { placeholder: 'Low Tide' }],
    ['[Low Tide', { placeholder: 'Low Tide' }],
    ['[Low] Tide', { placeholder: '[Low] Tide' }],
    ['[Low [Tide]', { placeholder: 'Low [Tide]' }],
    ['[[Low] Tide', { placeholder: '[Low] Tide' }],
    ['Low Tide ★ 6.42', { placeholder: 'Low Tide' }],
    ['Low Tide (6,42★)', { placeholder: 'Low Tide' }],
    ['Low Tide x6★', { placeholder: 'Low Tide x6★' }],
    ['★5 Low Tide', { placeholder: '★5 Low Tide' }],
    ['Cirrus - Low Tide', { details: { artist: 'Cirrus', title: 'Low Tide' } }],
    // What is said to be open is no song, unless it names its mapper and difficulty.
    ['custom - Low Tide', { placeholder: 'custom - Low Tide' }],
    ['custom - Low Tide [Extra]', { placeholder: 'custom - Low Tide [Extra]' }],
    [
      'custom - Low Tide (Ada) [Extra]',
      { details: { artist: 'custom', title: 'Low Tide', difficulty: 'Extra', mapper: 'Ada' } },
    ],
    [`Low Tide ${file}`, { placeholder: 'Low Tide', link: file }],
    [`[Low Tide](${file}) (Ada)`, { placeholder: 'Low Tide (Ada)', link: file }],
    [`[Low Tide](<${file}>)`, { placeholder: 'Low Tide', link: file }],
    [`[url=${file}]Low Tide[/url]`, { placeholder: 'Low Tide', link: file }],
    [`<${file}> Low Tide`, { placeholder: 'Low Tide', link: file }],
    [file, { link: file }],
    // Links that may be meant for a beatmap, and those that no round can keep, are none of a file.
    ['Low Tide http://files.example/a.osz', { placeholder: 'Low Tide http://files.example/a.osz' }],
    [`Low Tide ${file}?${'x'.repeat(512)}`, { placeholder: `Low Tide ${file}?${'x'.repeat(49)}` }],
    ['', {}],
    [' \u200b ', {}],
  ])('is read from “%s”', (text, planned) => {
    expect(plannedOf(text)).toEqual(planned)
  })

  it.each(['a1-_', 'a1_-', '_-1a'])(
    'is no API key, which was pasted by mistake (spec 5): …%s',
    (end) => {
      const key = `packs_${end.repeat(11).slice(1)}`
      expect(key.length).toBe('packs_'.length + 43)
      for (const text of [key, `**${key}**`, `my key ${key} - `, `Cirrus - ${key}`])
        expect(plannedOf(text), text).toEqual({})
      expect(cutDetails({ artist: 'Cirrus', title: key })).toEqual({ artist: 'Cirrus' })
      expect(cutDetails({ title: `${'x'.repeat(100)} ${key}` })).toBeNull()
      expect(cutPlanned({ placeholder: `${'x'.repeat(90)} ${key}`, link: file })).toEqual({
        link: file,
      })
      const short = `packs_${'a1-b'.repeat(11).slice(2)}`
      expect(plannedOf(short)).toEqual({ placeholder: short })
    },
  )

  it('is as long as a round may keep it: 100 characters of words, 512 of a link', () => {
    const [most, longest] = ['x'.repeat(100), `https://a.example/${'x'.repeat(494)}`]
    expect(cutPlanned({ placeholder: `${most}x`, link: longest })).toEqual({
      placeholder: most,
      link: longest,
    })
    expect(cutPlanned({ link: `${longest}x` })).toEqual({})
    expect(cutPlanned({ link: 'http://a.example/' })).toEqual({})
  })

  it.each(
    'TBA|tbd|(T.B.A.)|to be announced|?|???!|？|coming soon…|Soon|[pending]|WIP|custom|Custom map by Ada|未定|por definir|скоро| TBA '.split(
      '|',
    ),
  )('is nothing yet where it says “%s”', (text) => {
    expect(isUndecided(text)).toBe(true)
  })

  it.each(['TBX', 'TBA 2', 'soonish', 'customs', 'Low Tide', '', `custom ${'x'.repeat(94)}`])(
    'is decided where it says “%s”',
    (text) => {
      expect(isUndecided(text)).toBe(false)
    },
  )
})

describe('a set in place of a beatmap (D-77)', () => {
  it.each([
    [set(12), { link: set(12) }],
    [`${set(12)} ${set(12)}`, { placeholder: set(12), link: set(12) }],
    [`Low Tide ${set(12)}`, { placeholder: 'Low Tide', link: set(12) }],
    [`${set(12)} [Extra]`, { details: { difficulty: 'Extra' }, link: set(12) }],
    [`osu.ppy.sh/s/12 Low Tide`, { placeholder: 'Low Tide', link: set(12) }],
    [
      `[Cirrus - Low Tide](${set(12)})`,
      { details: { artist: 'Cirrus', title: 'Low Tide' }, link: set(12) },
    ],
    [`${set(12)} ${set(13)}`, null],
    [`${set(12)}#osu/34`, null],
    [`${set(12)} https://osu.ppy.sh/b/34`, null],
    ['Low Tide', null],
  ])('is planned by “%s”', (text, planned) => {
    expect(plannedOfSet(text)).toEqual(planned)
  })

  it.each([
    [' #123 ', set(123)],
    ['123456789', set(123456789)],
    ['1234567890', null],
    ['12', null],
    ['012345', null],
    [set(12), set(12)],
    ['Low Tide', null],
  ])('has its place in the column of sets: “%s”', (cell, link) => {
    expect(linkOfSet(cell)).toBe(link)
  })

  it('is told from a beatmap and a file', () => {
    expect(
      [{ link: set(12) }, { link: `${set(12)}#osu/34` }, { link: file }, {}].map(isOfSet),
    ).toEqual([true, false, false, false])
  })
})

describe('the link of a file', () => {
  it.each([
    [file, file],
    [`See ${file}.`, file],
    [` ${file}! `, `${file}!`],
    ['https://osu.ppy.sh/users/7', null],
    ['https://osu.ppy.sh/b/abc', null],
    ['http://files.example/a.osz', null],
    ['none', null],
  ])('is found in a cell: “%s”', (cell, link) => {
    expect(fileLinkOf(cell)).toBe(link)
  })

  it.each([
    [`Low Tide ${file}`, true],
    ['Low Tide', true],
    [`${file} https://osu.ppy.sh/users/7`, false],
    [`${file} ${set(12)}`, false],
  ])('stays in “%s”: %s', (text, mayStay) => {
    expect(hasNoBeatmapLink(text)).toBe(mayStay)
  })
})

describe('a row of a table that Mapcrate wrote', () => {
  const own = 'Slot,Beatmap ID,Set ID,Artist,Title,Version,Mapper,Stars,Length,BPM,CS,AR'.split(',')

  it('is known by the titles of its columns, in their order', () => {
    expect(ownColumn([...own, 'Link'])).toBe(0)
    expect(ownColumn(['Round', ...own])).toBe(1)
    expect(ownColumn(own.toReversed())).toBe(-1)
    expect(ownColumn(own.slice(0, -1))).toBe(-1)
    expect(ownColumn(['Slot', 'Title'])).toBe(-1)
    expect(ownColumn([])).toBe(-1)
  })
})

describe('a title that has all of its parts in one cell', () => {
  const cells = { Slot: 'NM1', Title: 'Cirrus - Low Tide [Hard]', Mapper: 'Ada', Note: 'later' }
  const titles = Object.keys(cells) as (keyof typeof cells)[]

  it('is read as such, in whatever order the columns are', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(titles, { minLength: titles.length }), (order) => {
        const row = order.map((title) => cells[title])
        const own = order.map((title) => (title === 'Note' ? cells.Note : ''))
        expect(planOfCells(row, own, order).details).toEqual({
          artist: 'Cirrus',
          title: 'Low Tide',
          difficulty: 'Hard',
          mapper: 'Ada',
        })
      }),
    )
  })
})
