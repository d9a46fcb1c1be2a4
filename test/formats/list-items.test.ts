import { describe, expect, it } from 'vitest'
import {
  isNoId,
  plainItem,
  standingOf,
  withCode,
  withoutBullet,
  withoutStruck,
  withoutTags,
} from '../../src/formats/import/lines/items.ts'
import { romanOf } from '../../src/formats/import/lines/leading-numbers.ts'
import { readWords } from '../../src/formats/import/words/labels.ts'

const link = 'https://osu.ppy.sh/b/75'

describe('an item of a list', () => {
  it.each<[string, string, number | null]>([
    ['1. Low Tide', 'Low Tide', 1],
    ['12) Low Tide', 'Low Tide', 12],
    ['(3) Low Tide', 'Low Tide', 3],
    ['- 4. Low Tide', 'Low Tide', 4],
    ['[*] Low Tide', 'Low Tide', null],
    ['[*]5. Low Tide', 'Low Tide', 5],
    ['- [x] Low Tide', 'Low Tide', null],
    ['- [ ] 6. Low Tide', 'Low Tide', 6],
    ['7.[Low Tide](…)', '[Low Tide](…)', 7],
    [`* ${link}`, link, null],
    [`* [Low Tide](${link})`, `[Low Tide](${link})`, null],
    // A heading may be marked so.
    ['- NoMod', '- NoMod', null],
    [`II. ${link}`, link, 2],
    ['B) 129891', '129891', null],
    ['(XIV) 129891', '129891', 14],
  ])('is read without what marks it: “%s”', (line, item, ordinal) => {
    expect(withoutBullet(line)).toEqual({ item, ordinal, isItem: true })
  })

  it.each(['Low Tide', '1.5 Low Tide', '1234. Low Tide', '-Low Tide', 'B) Low Tide', 'b) 129891'])(
    'is none in “%s”',
    (item) => {
      expect(withoutBullet(item)).toEqual({ item, ordinal: null, isItem: false })
    },
  )

  it('counts in Roman numbers', () => {
    const all = 'I II III IV V VI VII VIII IX X XI XIV XIX XXXIX'.split(' ')
    expect(all.map(romanOf)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 19, 39])
    expect(romanOf('')).toBe(0)
  })

  it.each([
    ['!nm1 b129891', '!nm1 129891'],
    ['!commands add !nm1 b129891', 'nm1 129891'],
    ['!addcom -ul=everyone !nm1 129891', 'nm1 129891'],
    ['!cmd edit nm1 129891', 'nm1 129891'],
    ['Hard Rock 2 - 76', 'HR2 - 76'],
    ['osu.ppy.sh/b129891', 'osu.ppy.sh/b129891'],
    ['nm1 b1234', 'nm1 b1234'],
  ])('may be a command of a chat: “%s”', (written, item) => {
    expect(plainItem(written)).toBe(item)
  })

  it.each([
    ['Hard Rock 2 - 76', 'HR2 - 76'],
    ['HardRock2 76', 'HR2 76'],
    ['Hidden #2: 76', 'HD2: 76'],
    ['Tiebreaker: 76', 'TB: 76'],
    ['**Free Mod = 76', 'FM = 76'],
    ['Hidden + Hard Rock 1: 76', 'HDHR1: 76'],
    ['Hidden №3 Low Tide', 'HD3 Low Tide'],
    ['Hidden 129891', 'HD 129891'],
    ['Hard Rock #129891', 'HR #129891'],
    ['Easy 129891', 'Easy 129891'],
    // Without a number, a colon or nothing but its beatmap behind it, a word may begin a title.
    ['Hidden 76', 'Hidden 76'],
    ['Hidden Low Tide', 'Hidden Low Tide'],
    ['Hidden 2.5', 'Hidden 2.5'],
    ['Hidden 129891 Low Tide', 'Hidden 129891 Low Tide'],
    ['Hard Low Rock 2: 76', 'Hard Low Rock 2: 76'],
    ['Low2 Hidden: 76', 'Low2 Hidden: 76'],
    ['one two three Hidden: 76', 'one two three Hidden: 76'],
    ['76', '76'],
  ])('may name its bucket in full: “%s”', (item, coded) => {
    expect(withCode(item)).toBe(coded)
  })

  it.each([
    ['NM1 ~~129891~~ 129892', 'NM1   129892'],
    ['NM1 [s]129891[/s] 129892', 'NM1   129892'],
    [`NM1 ~~129891~~ ${link}`, `NM1   ${link}`],
    // Where nothing replaces it, the whole is left to be told as struck.
    ['NM1 ~~129891~~', 'NM1 ~~129891~~'],
    ['~~NM1~~ 76', '~~NM1~~ 76'],
    ['NM1 129891', 'NM1 129891'],
  ])('is read without what is struck through, if another replaces it: “%s”', (line, rest) => {
    expect(withoutStruck(line)).toBe(rest)
  })

  it.each([
    ['[box=NM]', 'NM'],
    ['[spoilerbox=Hard Rock]', 'Hard Rock'],
    ['[box=Week 1]', '[box=Week 1]'],
    ['[box=Abcde]', '[box=Abcde]'],
    ['[b]NoMod[/b]', 'NoMod'],
    ['[B]', '[B]'],
    ['[size=150][i]NM1[/i] 129891[/size]', 'NM1  129891'],
    [`[img]https://i.ppy.sh/a.jpg[/img] NM1 ${link}`, `NM1 ${link}`],
    [`![cover](https://i.ppy.sh/a.jpg) NM1 ${link}`, `NM1 ${link}`],
    ['![cover](https://i.ppy.sh/a.jpg) NM1', '![cover](https://i.ppy.sh/a.jpg) NM1'],
    [`[url=${link}]Low Tide[/url] NM1`, `[url=${link}]Low Tide[/url] NM1`],
    ['[url=https://a.example/]NM1[/url] 129891', '[url=https://a.example/]NM1  129891'],
    ['> - NM1 129891', '- NM1 129891'],
    ['> > 1. 129891', '1. 129891'],
    ['> NM1 129891', '> NM1 129891'],
    ['__NM1__ 129891', 'NM1  129891'],
    ['snake__case__name', 'snake__case__name'],
  ])('is read without the tags of posts and chats: “%s”', (line, plain) => {
    expect(withoutTags(line)).toBe(plain)
  })
})

describe('a number in a line with a label', () => {
  const standing = (line: string): string => {
    const words = readWords(line)
    return standingOf(
      words,
      words.findLastIndex(({ text }) => /^[0-9]{4,}$/.test(text)),
    )
  }

  it.each([
    // Directly behind the label, with a song behind it.
    ['NM1 129891 Cirrus - Low Tide', 'id'],
    ['NM1 200000 Cirrus - Low Tide', 'doubtful'],
    ['NM1 10000 Maniacs - Low Tide', 'doubtful'],
    ['NM1 20001 Cirrus - Low Tide', 'id'],
    ['NM1 5000 Cirrus - Low Tide', 'title'],
    ['NM1 129891 Low Tide', 'title'],
    // Announced by its name or a sign.
    ['NM1 Cirrus - Low Tide id 129891', 'id'],
    ['NM1 Cirrus - Low Tide map_id: 129891', 'id'],
    ['NM1 Low Tide = 129891', 'id'],
    ['NM1 Low Tide → 129891', 'id'],
    ['NM1 Low Tide -> 129891', 'id'],
    // In a cell of its own.
    ['NM1 | Low Tide | 129891', 'id'],
    ['NM1 | Low Tide | 129891 | x', 'id'],
    // Behind what ends a song.
    ['NM1 Cirrus - Low Tide [Extra] 129891', 'id'],
    ['NM1 Cirrus - Low Tide (Ada) 129891', 'id'],
    ['NM1 Cirrus - Low Tide (129891)', 'id'],
    ['NM1 Cirrus - Low Tide - 129891', 'id'],
    ['NM1 Low Tide - 129891', 'doubtful'],
    ['NM1 Low Tide 129891', 'doubtful'],
    ['NM1 Cirrus - Low Tide 129891', 'doubtful'],
    ['NM1 Cirrus - Low Tide 129891 by Ada', 'doubtful'],
    ['NM1 Cirrus - Low Tide 129891 6.5', 'doubtful'],
    // Within a song, or in front of its difficulty.
    ['NM1 Cirrus - Low 129891 Tide', 'title'],
    ['NM1 Cirrus 129891 - Low Tide', 'doubtful'],
    ['NM1 Cirrus - Low Tide 129891 [Extra]', 'title'],
    ['NM1 Low 129891 Tide', 'doubtful'],
  ])('stands in “%s” as %s', (line, where) => {
    expect(standing(line)).toBe(where)
  })

  it.each([
    ['TB: 1 map', false, true],
    ['TB: 1 beatmap', false, true],
    ['TB: 129891 map', false, false],
    ['TB: 1 - map', false, false],
    ['TB: 1', false, false],
    ['Cirrus - 10000 [Insane]', true, true],
    ['Cirrus - 10000 [Insane]', false, false],
    ['Cirrus 10000 [Insane]', true, false],
  ])('counts maps or is a title in “%s” (a word: %s): %s', (line, isWord, isNone) => {
    const words = readWords(line)
    expect(isNoId(words, words[1]!, isWord)).toBe(isNone)
  })
})
