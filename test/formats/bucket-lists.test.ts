import { describe, expect, it } from 'vitest'
import { pasted } from './pasted-text.ts'

/** What a text becomes; a line that is refused is its number alone. */
const read = (...lines: string[]): string[] =>
  pasted(lines.join('\n')).map((line) => line.replace(/^([0-9]+): .*/, '$1'))
const link = (id: number): string => `https://osu.ppy.sh/b/${id}`
const titled = `[Low Tide](${link(75)})`

describe('a list below the name of a bucket', () => {
  it.each<[string, string[], string[]]>([
    ['numbers', ['3. 75', '1. 76', '2. 77'], ['HD3=75', 'HD1=76', 'HD2=77']],
    ['letters', ['A. 12345', 'C. 12346', 'B. 12347'], ['HD1=12345', 'HD3=12346', 'HD2=12347']],
    ['Roman numbers', ['II. 12345', 'I. 12346'], ['HD2=12345', 'HD1=12346']],
    ['words with numbers', [`Kes #2: ${link(75)}`, `No. 1 ${link(76)}`], ['HD2=75', 'HD1=76']],
    ['numbers from one further on', ['3. 75', '4. 76'], ['HD1=75', 'HD2=76']],
    ['one number for all', ['1. 75', '1. 76'], ['HD1=75', 'HD2=76']],
    ['no numbers', ['75', '76'], ['HD1=75', 'HD2=76']],
    // They may go on from another bucket, or count something else.
    ['high numbers downwards', ['5. 75', '4. 76'], ['2', '3']],
    ['a number again, below a higher one', ['2. 75', '1. 76', '1. 77'], ['2', '3', '4']],
  ])('has its slots by %s', (_, items, slots) => {
    expect(read('HD', ...items)).toEqual(slots)
  })

  it.each<[string, string[]]>([
    [`HR: ${titled}`, ['HR1=75']],
    [`HD: ${titled}`, ['HD1=75']],
    [`Hard Rock ${titled}`, ['HR1=75']],
    [`1. ${titled}`, ['HD1=75']],
    [`Special1 ${titled}`, ['HD1=75']],
    [`Cirrus - Low ${titled}`, ['HD1=75']],
    [`Kes ${titled}`, ['2? Leave this line out | It is HD']],
    [`Alt ${titled}`, ['2? Leave this line out | It is HD']],
    [`segundo: ${link(75)}`, ['2? Leave this line out | It is HD']],
    ['kestrel: 12345', ['2? Leave this line out | It is HD | In a new bucket kestrel']],
    ['2. kestrel: 12345', ['2? Leave this line out | It is HD | In a new bucket kestrel']],
  ])('may have a word in front of a beatmap, which is its bucket or asked: %s', (item, slots) => {
    expect(read('HD', item)).toEqual(slots)
  })

  it('has no question about the word in front of the beatmap of one slot', () => {
    expect(read('HD1', `segundo: ${link(75)}`)).toEqual(['HD1=75'])
  })

  it('has at most twenty questions about words, and refuses the others', () => {
    const items = Array.from(
      { length: 21 },
      (_, at) => `Kes${'x'.repeat(at)} [Low](${link(75 + at)})`,
    )
    const lines = read('HD', ...items)
    expect(
      lines.slice(0, 20).every((line) => line.endsWith('? Leave this line out | It is HD')),
    ).toBe(true)
    expect(lines.slice(20)).toEqual(['22'])
  })
})

describe('beside slots of known buckets', () => {
  const ask = (line: number, code: string): string =>
    `${line}? Leave this line out | In no bucket | In a new bucket ${code}`

  it.each<[string, string[]]>([
    ['Backup: 129892', [ask(2, 'Backup')]],
    ['alt: 129892', [ask(2, 'alt')]],
    ['BWS: 123456', [ask(2, 'BWS')]],
    ['kestrel: 129892', [ask(2, 'kestrel')]],
    // Usual buckets, and those that have several.
    ['ALT: 129892', ['ALT1=129892']],
    ['TECH: 129892', ['TECH1=129892']],
    ['Kestrel 129892\nKestrel 129893', ['Kestrel1=129892', 'Kestrel2=129893']],
  ])('a word with one beatmap is asked about: %s', (lines, slots) => {
    expect(read('NM1 129891', lines)).toEqual(['NM1=129891', ...slots])
  })

  it('it is asked about above them, too, and in no text without them', () => {
    expect(read('Backup: 129892', 'NM1 129891')).toEqual([ask(1, 'Backup'), 'NM1=129891'])
    expect(read('Kestrel: 129892', 'Merlin: 129893')).toEqual(['Kestrel1=129892', 'Merlin1=129893'])
  })

  it('a beatmap whose label was not read is refused, and in no other bucket', () => {
    expect(read('Low NM2 Tide x 129892')).toEqual(['1'])
  })
})
