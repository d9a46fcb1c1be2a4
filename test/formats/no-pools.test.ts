import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Import, readImport } from '../../src/formats/import/read-import.ts'
import { slotWords } from '../../src/pool/round-fields.ts'
import { slotLabel } from '../../src/pool/slots.ts'

// Texts in which labels and numbers stand, and which are no pools: rules, reports, polls.

const linesOf = ({ pools, others }: Import) => [...pools.flatMap((pool) => pool.lines), ...others]

/** What would be saved without a question: all but empty slots, which a template has, and nothing if a line is refused. */
function savedOf(text: string): string[] {
  const read = readImport(text)
  const isOpen = linesOf(read).some(({ outcome }) => outcome === 'refused')
  if (isOpen || read.questions.length > 0) return []
  return read.pools
    .flatMap(({ round }) =>
      round.slots.map((slot) => `${slotLabel(slot)} ${slot.beatmapId ?? slotWords(slot)}`),
    )
    .filter((slot) => !slot.endsWith(' empty'))
}

const remark = fc.constantFrom(
  'keep',
  'swap',
  'too slow',
  'good choice',
  'red by two',
  'Night Bakers',
  'nobody has to use a mod',
  'for everyone',
  'offset fixed',
  'long and comfortable',
  'bleibt so',
  'что-то медленное',
  '変更なし',
)
describe('rules of buckets', () => {
  const codes = fc.uniqueArray(
    fc.constantFrom('NM', 'HD', 'HR', 'DT', 'FM', 'NoMod', 'Hidden', 'Freemod'),
    { minLength: 0, maxLength: 4 },
  )
  const last = fc.constantFrom('TB', 'Tiebreaker', 'Tie breaker')

  it('are not meant where the tiebreaker is one of the slots of a pool, whatever is around it', () => {
    const above = fc.constantFrom([], ['Finals'], ['Have fun, everybody', ''])
    const below = fc.constantFrom([], ['', 'Have fun, everybody'], ['Be on time.'])
    const pool = fc.constantFrom(
      ['NM1 2417753', 'HD1 2417754'],
      ['NM1 https://osu.ppy.sh/b/2417753'],
    )
    const words = fc.constantFrom('TB: Low Tide', 'TB Low Tide', 'Tiebreaker: something long')
    fc.assert(
      fc.property(above, pool, fc.boolean(), words, below, (before, slots, isFirst, own, after) => {
        const all = isFirst ? [own, ...slots] : [...slots, own]
        const text = [...before, ...all, ...after].join('\n')
        expect(savedOf(text), text).toHaveLength(slots.length + 1)
      }),
    )
  })

  it('plan no tiebreaker, also beside the beatmaps of a pool', () => {
    fc.assert(
      fc.property(codes, last, remark, fc.boolean(), (names, tiebreaker, text, isBeside) => {
        const rules = [...names, tiebreaker].map((name) => `${name}: ${text}`)
        const pool = ['NM1 2417753', 'HD1 2417754']
        const lines = [...(isBeside ? [...pool, '', 'What is played with what', ''] : []), ...rules]
        const planned = readImport(lines.join('\n')).pools.flatMap(({ round }) =>
          round.slots.filter(({ beatmapId }) => beatmapId === undefined),
        )
        expect(planned, lines.join('\n')).toEqual([])
      }),
    )
  })
})

const prose: fc.Arbitrary<string[]> = fc.array(
  fc.constantFrom(
    'I opened this one yesterday and nothing came up.',
    'The page stayed white for me.',
    'Does anyone know more about this?',
    'So something else has to be found for the finals.',
    'Please have a look when you can.',
  ),
  { minLength: 2, maxLength: 6 },
)
const beatmap = fc.constantFrom('2417753', 'https://osu.ppy.sh/b/2417753')
const word = fc.constantFrom('MIT', 'FYI', 'LOL', 'PS:', 'Report:', '[Edit]', '**Steps**')

describe('a report about a beatmap', () => {
  it('is asked about, wherever a word is that may pass for a bucket', () => {
    fc.assert(
      fc.property(prose, beatmap, word, fc.nat(), fc.nat(), (lines, id, name, at, below) => {
        const place = at % (lines.length + 1)
        const text = lines.toSpliced(place, 0, id)
        const whole = text.toSpliced(below % (text.length + 1), 0, name).join('\n')
        expect(savedOf(whole), whole).toEqual([])
      }),
    )
  })

  it('is not of the bucket that is named after its text', () => {
    fc.assert(
      fc.property(
        prose,
        beatmap,
        fc.constantFrom('NM', 'NoMod', '## Hidden'),
        (lines, id, name) => {
          const { pools } = readImport([id, ...lines, name].join('\n'))
          const mods = pools.flatMap(({ round }) => round.slots.map(({ mod }) => mod))
          expect(mods).toEqual([null])
        },
      ),
    )
  })

  it('is one of a pool where the name of the bucket or the label is above it: nothing is asked', () => {
    fc.assert(
      fc.property(
        prose,
        beatmap,
        fc.constantFrom('NM\n', '### NoMod\n', 'NM1 '),
        (lines, id, name) => {
          const text = [name + id, ...lines].join('\n')
          expect(savedOf(text), text).toEqual(['NM1 2417753'])
        },
      ),
    )
  })
})

describe('numbers below a word', () => {
  it('are no beatmaps unasked, where they are no longer than counts', () => {
    const name = fc.constantFrom('options:', 'Answers:', '**Points**', 'Minutes:', 'how many:')
    const numbers = fc.array(fc.integer({ min: 1, max: 9999 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(name, numbers, (title, all) => {
        const text = ['What should we do?', title, ...all].join('\n')
        expect(savedOf(text), text).toEqual([])
      }),
    )
  })
})
