import { describe, expect, it } from 'vitest'
import {
  isWordAlone,
  leadOf,
  numberInFront,
  numberOfLead,
} from '../../src/formats/import/lines/leading-numbers.ts'
import { BucketCodes } from '../../src/formats/import/words/labels.ts'
import { emptyDraft } from './pasted-text.ts'

const words = (list: string, first: number): [string, number][] =>
  list.split(' ').map((word, at) => [word, first + at])

describe('the number in front of a beatmap in a list', () => {
  it.each<[string, number]>([
    ['2.', 2],
    ['(2)', 2],
    ['[12]', 12],
    ['2/3 ', 2],
    ['2 of 3:', 2],
    ['Map 2: ', 2],
    ['2', 2],
    ['2\t', 2],
    ['2 - ', 2],
    ['2. Low Tide', 2],
    ['#2 Low Tide', 2],
    ['Pick #2 Low Tide', 2],
    ['Map: #2', 2],
    ['№ 2', 2],
    ['No. 2', 2],
    ['nr 2', 2],
    ['n°2', 2],
    ['2nd Low Tide', 2],
    ['1st', 1],
    ['3rd', 3],
    ['4th', 4],
    ['mapa nummer 2 -> ', 2],
    ['~~ 7 ~~', 7],
    ...words('first second third fourth fifth sixth seventh eighth', 1),
    ...words('One TWO three four five six seven eight nine ten', 1),
    ['Map two:', 2],
    ['the third - Low Tide', 3],
    ...words('一 二 三 四 五 六 七 八 九 十', 1),
  ])('is that of “%s”', (lead, number) => {
    expect(numberOfLead(lead)).toEqual({ number, letter: null })
  })

  it.each<[string, number, number | null]>([
    ['A)', 1, 1],
    ['b.', 2, 2],
    ['Map C:', 3, 3],
    ['z', 26, 26],
    // Letters that are Roman numbers too: the others of the list decide.
    ['I.', 1, 9],
    ['v)', 5, 22],
    ['X', 10, 24],
    ['IV:', 4, null],
    ['ix.', 9, null],
    ['XIV', 14, null],
  ])('may be a letter or a Roman number: “%s”', (lead, number, letter) => {
    expect(numberOfLead(lead)).toEqual({ number, letter })
  })

  it.each(
    '|123|123.|2Low Tides|x2 Low|Low Tide|Low - Tide 2|9.2|AR 9.2|(6.2)|4:30|1,5|eleven|ninth|Iv|Il|二二|ab|é.'.split(
      '|',
    ),
  )('is none in “%s”', (lead) => {
    expect(numberOfLead(lead)).toBeNull()
  })

  it.each<[string, number]>([
    ['①', 1],
    ['⑳', 20],
    ['⑴', 1],
    ['⒇', 20],
    ['⒈', 1],
    ['⒛', 20],
    ['❶', 1],
    ['❿', 10],
    ['➀', 1],
    ['➉', 10],
    ['➊', 1],
    ['➓', 10],
    ['２．', 2],
    ['- [ ] 4. ', 4],
    ['> * 4) ', 4],
    ['[*]4. ', 4],
    ['[4] ', 4],
  ])('may be any sign for it, behind any bullet: “%s”', (lead, number) => {
    expect(numberInFront(`${lead} 129891`, 129891)?.number).toBe(number)
    expect(numberInFront(`${lead} https://osu.ppy.sh/b/129891`, 129891)?.number).toBe(number)
  })

  it.each([
    ['3. https://osu.ppy.sh/b/75', '3. ', false],
    ['3. 75 Low Tide', '3. ', false],
    ['- 3. [Low Tide](https://osu.ppy.sh/b/75)', '3. ', true],
    ['[url=https://osu.ppy.sh/b/75]3. Low Tide[/url]', '', true],
    ['[3] [Low Tide 4](https://osu.ppy.sh/b/75)', '[3] ', true],
    ['[3](https://osu.ppy.sh/b/75)', '3.', true],
    ['[url=https://osu.ppy.sh/b/75]3[/url]', '3.', true],
    ['[*]3. Low Tide', '3. Low Tide', false],
    ['Low Tide 3', 'Low Tide 3', false],
    [`${'x'.repeat(200)}75`, 'x'.repeat(200), false],
  ])('stands in what is before the beatmap and its title: “%s”', (text, lead, isNamed) => {
    expect(leadOf(text, 75)).toEqual({ lead, isNamed })
  })

  it.each([
    ['segundo: ', true],
    ['mapa segundo：', true],
    ['segundo', false],
    ['mapa numero dos:', false],
    ['2:', false],
    ['Map:', false],
    ['Beatmap ID:', false],
    [': ', false],
  ])('may be a word that nobody knows, where nothing else is there: “%s”', (lead, isWord) => {
    expect(isWordAlone(lead, new BucketCodes(emptyDraft))).toBe(isWord)
  })
})
