import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'

const slotsOf = (text: string): string[] => {
  const { pools, questions } = readImport(text)
  const slots = pools.flatMap(({ round }) => round.slots)
  const read = slots.map(({ mod, index, beatmapId, details }) => {
    return `${mod ?? '-'}${index} ${beatmapId ?? details?.title ?? 'open'}`
  })
  return [...read, ...questions.map((question) => `? ${question.text}`)]
}

const titles = ['Copper Rain', 'Quiet Harbour', 'Low', 'Tide, Ebb', 'Winter 2019']
const item = fc.record({ title: fc.constantFrom(...titles), isLinked: fc.boolean() })
const mark = fc.constantFrom('1. ', '1) ', '- ', '* ', '[*]')
const gap = fc.constantFrom('\n', '\n  ', '\n\n', '\n  - ', '\nLink: ', '\n<')
const idOf = (at: number): string => `https://osu.ppy.sh/b/${129_891 + at}`

describe('the beatmaps of items that are titles', () => {
  it('are on lines below them as well as behind them', () => {
    fc.assert(
      fc.property(
        fc.array(item, { minLength: 2, maxLength: 5 }),
        mark,
        gap,
        (items, sign, apart) => {
          const textOf = (between: string): string =>
            items
              .map(({ title, isLinked }, at) => {
                const link = isLinked ? between + idOf(at) + (between.endsWith('<') ? '>' : '') : ''
                return `${sign.replace('1', String(at + 1))}Peridot - ${title} [Insane]${link}`
              })
              .join('\n')
          const [below, behind] = [apart, ' '].map((between) => `NoMod\n${textOf(between)}`)
          expect(slotsOf(below!), below).toEqual(slotsOf(behind!))
        },
      ),
    )
  })

  it.each<[string, string[], string[]]>([
    [
      'above each',
      [idOf(0), '1. Peridot - Low', idOf(1), '2. Peridot - Tide'],
      ['NM1 129891', 'NM2 129892'],
    ],
    [
      'below all, in the order of the items',
      ['1. Peridot - Low', '2. Peridot - Tide', idOf(0), idOf(1)],
      ['NM1 129891', 'NM2 129892'],
    ],
    [
      'of the numbers that the items have',
      ['2. Peridot - Low', idOf(0), '1. Peridot - Tide', idOf(1)],
      ['NM2 129891', 'NM1 129892'],
    ],
    [
      'nowhere, where two follow one item',
      ['- Peridot - Low', idOf(0), idOf(1)],
      ['NM1 Low', 'NM2 129891', 'NM3 129892'],
    ],
    [
      'their own, where a list has others between its items',
      [idOf(0), '- Peridot - Low', idOf(1), idOf(2)],
      ['NM1 129891', 'NM2 Low', 'NM3 129892', 'NM4 129893'],
    ],
    [
      'none with a title of their own',
      ['- Peridot - Low', `Tide of Winter ${idOf(0)}`],
      ['NM1 Low', 'NM2 129891'],
    ],
    ['none of an open slot', ['1. TBD', idOf(0)], ['NM1 open', 'NM2 129891']],
  ])('are %s', (_, lines, slots) => {
    expect(slotsOf(['NoMod', ...lines].join('\n'))).toEqual(slots)
  })

  it('are the same, however far all lines stand from the margin', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '1. Quarterfinals',
        '2. Semifinals',
        '- Finals',
        '- Peridot - Low',
        '2) Tide',
      ),
      fc.nat({ max: 4 }).map(idOf),
    )
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), (lines) => {
        const textOf = (margin: string): string =>
          ['NoMod', ...lines.map((each) => margin + each)].join('\n')
        expect(slotsOf(textOf('  ')), textOf('  ')).toEqual(slotsOf(textOf('')))
      }),
    )
    const rounds = ['1. Quarterfinals', idOf(0), '2. Semifinals', idOf(1)].map(
      (each) => `  ${each}`,
    )
    expect(slotsOf(['NoMod', ...rounds].join('\n'))).toEqual(
      slotsOf(['NoMod', ...rounds.map((each) => each.trim())].join('\n')),
    )
  })

  it('are in no bucket called as the item above them', () => {
    const nested = `NoMod\n- Peridot - Low [Insane]\n  - ${idOf(0)}\n- Peridot - Tide\n  - ${idOf(1)}`
    expect(slotsOf(nested)).toEqual(['NM1 129891', 'NM2 129892'])
    expect(slotsOf(`## Finals\n- Special\n  - ${idOf(0)}`)).toEqual(['Special1 129891'])
  })
})

describe('items below the name of a bucket whose id stands behind their title', () => {
  const anyTitle = fc.constantFrom(
    ...'Low|Tide 2|1999 Rivers|夜の駅 - 雨|Tide (Long Ver.)|Low [Insane]|Oak [Hard] (Ada)|Fir 180'.split(
      '|',
    ),
  )
  const anyItem = fc.record({
    title: anyTitle,
    id: fc.integer({ min: 1_400_000, max: 7_999_999 }).filter((id) => id % 100_000 > 0),
  })
  const forms = '(N)|[N]|- N|N|(id: N)|#N|(N) 6.1*'.split('|')
  const anyList = fc.uniqueArray(anyItem, { minLength: 1, maxLength: 4, selector: ({ id }) => id })
  const answersOf = (text: string): string[] => {
    const { pools, questions } = readImport(text)
    const slots = pools.flatMap(({ round }) => round.slots)
    return [
      ...slots.map(({ mod, index, ...filling }) => `${mod}${index} ${JSON.stringify(filling)}`),
      ...questions.flatMap(({ choices }) => choices.map(({ text: choice }) => choice)),
    ]
  }

  it.each(forms)('say the same as lines with their labels: %s', (form) => {
    const written = ({ title, id }: { title: string; id: number }): string =>
      `Peridot - ${title} ${form.replace('N', `${id}`)}`
    fc.assert(
      fc.property(anyList, fc.constantFrom('1. ', '1) ', '- ', ''), (items, mark) => {
        const listed = items.map((each, at) => mark.replace('1', `${at + 1}`) + written(each))
        const labelled = items.map((each, at) => `HD${at + 1} ${written(each)}`)
        const text = ['Hidden', ...listed].join('\n')
        expect(answersOf(text), text).toEqual(answersOf(labelled.join('\n')))
      }),
      { numRuns: 60 },
    )
  })

  it.each([
    ['NoMod\n1. Peridot - Low (2345671)\n2. TBA\nHidden\n1. Peridot - Oak (129891)'],
    ['NoMod\n1) Peridot - Low [Hard] (2345671)\n2) ???\n[HD]\nPeridot - Oak - 129891'],
  ])('are beside others that are not decided yet: %j', (text) => {
    expect(slotsOf(text)).toEqual(['NM1 2345671', 'NM2 open', 'HD1 129891'])
  })
})
