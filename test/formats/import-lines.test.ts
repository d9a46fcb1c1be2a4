import { describe, expect, it } from 'vitest'
import { isLinkText } from '../../src/formats/import/lines/items.ts'
import { partsOfLine } from '../../src/formats/import/lines/likely-slots.ts'
import { pasted } from './pasted-text.ts'

const link = (id: number): string => `https://osu.ppy.sh/b/${id}`

describe('a title below the heading of a bucket (shapes 1, 2, 3)', () => {
  it.each([
    ['夜の駅 - 1.', 'DT1=75'],
    ['NM2 - NM2', 'DT1=75'],
    ['Title 2', 'DT1=75'],
    ['HD - HR1', 'DT1=75'],
    ['Hidden', 'DT1=75'],
    ['HD1', 'HD1=75'],
    ['NM2: Artist - Title', 'NM2=75'],
    ['NM2 Artist - Title', 'NM2=75'],
    ['DT3 - Artist - Title', 'DT3=75'],
  ])('is no label unless it can be nothing else: %s', (text, slot) => {
    expect(pasted(`- Double Time\n  1. [${text}](${link(75)})`)).toEqual([slot])
    expect(pasted(`[b]Double Time[/b]\n[list=1]\n[*][url=${link(75)}]${text}[/url]`)).toEqual([
      slot,
    ])
  })

  it('makes no bucket by itself', () => {
    const text = `[Title 1](${link(75)})\n[url=${link(76)}]Vol 2[/url]\n${link(77)} Part 3`
    expect(pasted(text)).toEqual(['1=75', '2=76', '3=77'])
  })

  it('may be in front of the link', () => {
    const text = `Hidden\n1. Vol 1 - Song ${link(75)}\n2. Easy ${link(76)}\n3. 24 hours ${link(77)}`
    expect(pasted(text)).toEqual(['HD1=75', 'HD2=76', 'HD3=77'])
  })
})

describe('a heading', () => {
  it.each([
    ['NM - NoMod', 'NM'],
    ['HD (Hidden)', 'HD'],
    ['HR: Hard Rock', 'HR'],
    ['DT – Double Time maps', 'DT'],
  ])('may have its bucket twice: %s', (heading, code) => {
    expect(pasted(`${heading}\n75`)).toEqual([`${code}1=75`])
  })
})

describe('a line', () => {
  it.each([
    [`Tiebreaker ${link(75)}`, 'TB=75'],
    [`${link(75)} - Hidden`, 'HD1=75'],
    ['HardRock2 77', 'HR2=77'],
    ['Free Mod #2: 76', 'FM2=76'],
    ['NoMod1: 78', 'NM1=78'],
    ['Hidden + Hard Rock 1: 76', 'HDHR1=76'],
  ])('may name its bucket in full: %s', (text, slot) => {
    expect(pasted(text)).toEqual([slot])
  })

  it('with a word and a low number is no slot', () => {
    const text = 'Title 1\nChapter 2\nVol 3 - Something\nArtist 2 - Title 3\nMap 4:\nNM1 75'
    expect(pasted(text)).toEqual(['NM1=75'])
  })

  it('with two ids is asked, however short they are (shape 20)', () => {
    expect(pasted('NM2 75 76')).toEqual(['1? NM2 is 75 | NM2 is 76 | Leave this line out'])
    expect(pasted(`NM1 4521 ${link(75)}`)).toEqual([
      '1? The link, 75 | The id 4521 | Leave this line out',
    ])
    expect(pasted(`4521 ${link(75)}`)).toEqual([
      '1? The link, 75 | The id 4521 | Leave this line out',
    ])
  })

  it('with a link for each of two slots has both', () => {
    expect(pasted(`NM1 ${link(75)} NM2 ${link(76)}`)).toEqual(['NM1=75', 'NM2=76'])
  })
})

it.each([
  ['[Artist - Title](', true],
  ['[Artist - Title [Extra]](<', true],
  ['[a \\] b](', true],
  ['[a] [b](', false],
  ['[a](x) (', false],
  ['[a', false],
  ['a](', false],
  ['', false],
])('what precedes an address is the text of its link: %j %j', (lead, isText) => {
  expect(isLinkText(lead)).toBe(isText)
})

it.each([
  ['NoMod - 129891, 129892', ['NM1=129891', 'NM2=129892']],
  ['Hidden – 129891, 75', ['HD1=129891', 'HD2=75']],
  ['Hard Rock: 129891 75', ['HR1=129891', 'HR2=75']],
  ['RX - 129891, 75', ['RX1=129891', 'RX2=75']],
])('the name of a bucket may have its beatmaps in the same line: %s', (text, slots) => {
  expect(pasted(text)).toEqual(slots)
})

it('an artist in front of a dash is no bucket', () => {
  expect(partsOfLine('Harbour - 129891, 129892')).toEqual(['Harbour - 129891, 129892'])
})
