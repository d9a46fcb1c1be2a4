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

  it('are in no bucket called as the item above them', () => {
    const nested = `NoMod\n- Peridot - Low [Insane]\n  - ${idOf(0)}\n- Peridot - Tide\n  - ${idOf(1)}`
    expect(slotsOf(nested)).toEqual(['NM1 129891', 'NM2 129892'])
    expect(slotsOf(`## Finals\n- Special\n  - ${idOf(0)}`)).toEqual(['Special1 129891'])
  })
})
