import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'
import {
  BucketCodes,
  codeOfWords,
  forcedModsOf,
  isFilled,
  isKnown,
  isPlain,
  isShort,
  modsOfCode,
  namesBucket,
  narrow,
  readLabel,
  readWhole,
  readWords,
  texts,
  tidy,
  withoutFieldName,
} from '../../src/formats/import/words/labels.ts'
import { emptyDraft, withBuckets } from './pasted-text.ts'

const codes = new BucketCodes(emptyDraft)
const own = new BucketCodes(withBuckets('RC1', 'Mix', 'Fünf', 'NMX2'))
const words = (line: string): string[] => texts(readWords(line))

describe('a label', () => {
  it.each<[string, string | null, number | null]>([
    ['NM1', 'NM', 1],
    ['nm12', 'nm', 12],
    ['NM100', 'NM', 100],
    ['hd 2', 'hd', 2],
    ['NM', 'NM', null],
    ['3', null, 3],
    ['999', null, 999],
    ['RC1 2', 'RC1', 2],
    ['RC1', 'RC', 1],
    ['NM-1', 'NM', 1],
    ['HD_2', 'HD', 2],
    ['HDHR.3', 'HDHR', 3],
    ['ＮＭ１', 'NM', 1],
    // Letters of other scripts that look or sound like those of a code.
    ['ХД1', 'HD', 1],
    ['НМ2', 'NM', 2],
    ['ТБ', 'TB', null],
    ['ФМ 1', 'ФМ', 1],
    ['Кот1', 'Кот', 1],
    // Beside Latin letters, those that look like one alone.
    ['\u041dD1', 'HD', 1],
    ['дT1', 'дT', 1],
  ])('is read from “%s”', (text, code, index) => {
    expect(readLabel(text.split(' '), codes)).toEqual({ code, index })
  })

  it.each(['', 'NM 1000', 'NM1 2 3', 'NM x', 'XX-1', 'NM-100', 'N!M', 'Abcdefghijklm', '- 2'])(
    'is none in “%s”',
    (text) => {
      expect(readLabel(text === '' ? [] : text.split(' '), codes)).toBeNull()
    },
  )

  it('has the number in the code where the draft has that bucket, and none of the shorter code', () => {
    expect(readLabel(['RC1'], own)).toEqual({ code: 'RC1', index: null })
    expect(readLabel(['rc2'], own)).toEqual({ code: 'rc', index: 2 })
    expect(readLabel(['NMX2'], own)).toEqual({ code: 'NMX2', index: null })
    own.add('NMX')
    expect(readLabel(['NMX2'], own)).toEqual({ code: 'NMX', index: 2 })
  })

  it('is that of a bucket of the draft in any case (D-21)', () => {
    const find = (code: string) => own.find(code)
    expect(['mix', 'MIX', 'fünf', 'nm', 'Mixe', 'x'.repeat(37)].map(find)).toEqual([
      'Mix',
      'Mix',
      'Fünf',
      'NM',
      null,
      null,
    ])
    expect(isKnown({ code: 'mix', index: null }, own)).toBe(true)
    expect(isKnown({ code: null, index: 1 }, own)).toBe(false)
    expect(isKnown(null, own)).toBe(false)
    expect(
      ['mix 2', 'Mix', 'Kestrel', 'mix low tide', '2'].map((text) => namesBucket(text, own)),
    ).toEqual([true, true, false, false, false])
  })

  it.each([
    ['NM', null, true, true],
    ['KES', 1, true, true],
    ['KEST', null, false, true],
    ['KESTR', 1, true, false],
    ['Kes', 1, true, false],
    ['ezhd', null, false, true],
    [null, 1, false, true],
  ])('can be nothing else, or hardly a word: %s %s', (code, index, plain, short) => {
    expect([isPlain({ code, index }, codes), isShort({ code, index }, codes)]).toEqual([
      plain,
      short,
    ])
  })
})

describe('the name of a bucket in full', () => {
  it.each([
    ['No Mod', 'NM'],
    ['NoMod', 'NM'],
    ['no-mod maps', 'NM'],
    ['hidden picks', 'HD'],
    ['HARD ROCK', 'HR'],
    ['Double Time Pool', 'DT'],
    ['free_mods', 'FM'],
    ['タイブレーカー', 'TB'],
    ['Безмод', 'NM'],
    ['Скрытие', 'HD'],
    ['Ｈｉｄｄｅｎ', 'HD'],
    ['Hidden + Hard Rock', 'HDHR'],
    ['Hidden Hard Rock', 'HDHR'],
    ['HD HR', 'HDHR'],
    ['HR/HD', 'HDHR'],
    ['HD & Double Time mods', 'HDDT'],
    ['Easy Hidden', 'EZHD'],
    ['NM No Mod', 'NM'],
    ['NM NM', 'NM'],
    ['HD Hidden maps', 'HD'],
    // Mods that exclude each other, buckets that are no mods, other words, and codes alone.
    ['Easy Hard Rock', null],
    ['NoMod Hidden', null],
    ['Hidden Kestrel', null],
    ['Hidden Hidden Hidden Hidden Hidden Hidden maps', null],
    ['Kestrel', null],
    ['maps', null],
    ['HD', null],
    ['hd', null],
    ['', null],
  ])('is a code: “%s”', (name, code) => {
    expect(codeOfWords(words(name.replaceAll('&', ' & ')))).toBe(code)
    expect(codeOfWords(words(name))).toBe(code)
  })

  it.each([
    ['EZ', ['EZ']],
    ['hrhd', ['HD', 'HR']],
    ['FLHDDT', ['HD', 'DT', 'FL']],
    ['NM', null],
    ['HD', null],
    ['EZHR', null],
    ['HDX', null],
    ['HTHT', null],
    ['', null],
  ])('may be those of its mods, “%s”, which are no built-in bucket (D-23)', (code, set) => {
    expect(modsOfCode(code)).toEqual(set === null ? null : { kind: 'forced', set })
  })

  it('may be one mod alone, where a bucket is made of it', () => {
    expect(forcedModsOf('HD')).toEqual({ kind: 'forced', set: ['HD'] })
    expect(forcedModsOf('FM')).toBeNull()
  })
})

describe('the words of a line', () => {
  it.each([
    ['NM1: Low-Tide (feat. Ada) [Extra]!', ['NM1', 'Low-Tide', 'feat', 'Ada', 'Extra']],
    ['a,b;c|d<e>f“g”h•i→j#k~l*m`n=o{p}q', 'abcdefghijklmnopq'.split('')],
    ['... !!! —', []],
    ['wow?! ok.', ['wow?', 'ok']],
    ['曲 1', ['曲', '1']],
  ])('of %j', (line, list) => {
    expect(words(line)).toEqual(list)
    expect(words(line)).toEqual(list)
  })

  it('know what is in front of them', () => {
    const told = readWords('Ada: NM1 | 12:30 - (x), >y #z\t4:5').map((word) => [
      word.text,
      [
        word.apart && 'apart',
        word.isCell && 'cell',
        word.afterColon && 'colon',
        word.isMinutes && 'min',
      ]
        .filter(Boolean)
        .join(' '),
    ])
    expect(Object.fromEntries(told)).toEqual({
      Ada: '',
      NM1: 'colon',
      12: 'apart cell',
      30: 'colon min',
      x: 'apart',
      y: 'apart cell colon',
      z: 'apart',
      4: 'cell',
      5: 'colon',
    })
  })

  it.each([
    ['Beatmap ID: 129891', ['129891']],
    ['map link NM1 id', ['NM1']],
    ['NM1 id 129891', ['NM1', 'id', '129891']],
    ['Map URL', []],
  ])('without those that announce a field: %j', (line, rest) => {
    expect(texts(withoutFieldName(readWords(line), codes))).toEqual(rest)
  })

  it('keep what is the name of a bucket', () => {
    const drafted = new BucketCodes(withBuckets('Map'))
    expect(texts(withoutFieldName(readWords('map 129891'), drafted))).toEqual(['map', '129891'])
  })

  it.each([
    ['129891', 129891],
    ['1', 1],
    ['１２９８', 1298],
    ['１２', null],
    ['１２９', null],
    ['12a', null],
    ['1.5', null],
    ['-1', null],
    ['', null],
  ])('may be whole numbers: “%s”', (text, number) => {
    expect(readWhole(text)).toBe(number)
  })

  it.each([
    ['\u200bNM1\ufeff ', 'NM1'],
    ['【NM1】（x）：２', '[NM1](x):２'],
    ['〈a〉《b》「c」『d』〔e〕', '[a][b][c][d][e]'],
    ['2\ufe0f\u20e3 x', '2 x'],
    ['  a\u3000b  ', 'a b'],
    ['é — ü', 'é — ü'],
  ])('are tidied of signs that keyboards and chats put there: %j', (text, plain) => {
    expect(tidy(text)).toBe(plain)
  })

  it('have wide letters and digits as narrow ones, where that is asked', () => {
    expect([narrow('ＮＭ１'), narrow('é')]).toEqual(['NM1', 'é'])
    expect(['', '-', 'a', 'Z', '0', 'é', '曲', '- a'].filter((text) => !isFilled(text))).toEqual([
      '',
      '-',
    ])
  })
})

it('the names of mods with a number behind them are one label in lines, cells and data', () => {
  const names = {
    HD: ['HD', 'Hidden', 'hidden', 'hd'],
    HR: ['HR', 'HardRock', 'hardrock'],
    DT: ['DT', 'DoubleTime', 'doubletime'],
  }
  const anyMods = fc
    .subarray(['HD', 'HR', 'DT'] as const, { minLength: 1 })
    .chain((mods) =>
      fc.tuple(fc.constant(mods), ...mods.map((mod) => fc.constantFrom(...names[mod]))),
    )
  const anyIndex = fc.integer({ min: 1, max: 99 })
  fc.assert(
    fc.property(
      anyMods,
      fc.constantFrom('+', '/', '-'),
      anyIndex,
      ([mods, ...own], join, index) => {
        const label = `${own.join(join)}${index}`
        const texts = [
          `NM1 129891\n${label} 129895`,
          `Slot\tMap ID\nNM1\t129891\n${label}\t129895`,
          `NM1\tElm\t129891\n${label}\tAsh\t129895`,
          JSON.stringify([
            { slot: 'NM1', id: 129891 },
            { slot: label, id: 129895 },
          ]),
          JSON.stringify({ NM1: 129891, [label]: 129895 }),
        ]
        for (const text of texts) {
          const { pools, questions } = readImport(text)
          const slots = pools.flatMap(({ round }) => round.slots)
          expect({ text, slots, questions }).toEqual({
            text,
            slots: [
              { mod: 'NM', index: 1, beatmapId: 129891 },
              { mod: mods.join(''), index, beatmapId: 129895 },
            ],
            questions: [],
          })
        }
      },
    ),
    { numRuns: 200, endOnFailure: true },
  )
})
