import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'

/** The slots of a text, each with its round, and whether anything is asked or refused. */
const read = (text: string) => {
  const { pools, others, questions, notes } = readImport(text)
  const lines = [...pools.flatMap((pool) => pool.lines), ...others]
  const slots = pools.flatMap(({ name, draft }) =>
    draft.slots.map((slot) => `${name ?? ''}:${slot.mod ?? ''}${slot.index}=${slot.beatmapId}`),
  )
  const planned = lines.filter(({ outcome }) => outcome === 'planned').length
  const isOpen = questions.length > 0 || lines.some(({ outcome }) => outcome === 'refused')
  return { slots, planned, notes, questions: questions.length, isOpen }
}
const link = (id: number): string => `https://osu.ppy.sh/b/${id}`
const word = fc.stringMatching(/^Q[a-z]{3,7}w$/)
const ids = (count: number): number[] => Array.from({ length: count }, (_, at) => 129_891 + at)
const codes = ['NM', 'HD', 'HR', 'DT', 'FM']

describe('a line of pairs', () => {
  const joins = fc.constantFrom('&', ';', ', ', ' | ', '+')
  const signs = fc.constantFrom('=', ': ')

  it('loses none of them, whatever a key is and where it stands', () => {
    fc.assert(
      fc.property(word, joins, signs, fc.nat(2), (key, join, sign, place) => {
        const pairs = [`NM1${sign}129891`, `HD1${sign}129892`]
        pairs.splice(place, 0, `${key}${sign}129893`)
        const { slots, questions } = read(pairs.join(join))
        expect(slots).toEqual([':NM1=129891', ':HD1=129892'])
        expect(questions).toBe(1)
      }),
    )
  })

  it('may have others beside the slots, as forms send them', () => {
    fc.assert(
      fc.property(fc.constantFrom('page=3', 'seed=4', 'action=save', 'token='), (other) => {
        const { slots, planned } = read(`NM1=129891&HD1=129892&${other}`)
        expect({ slots, planned }).toEqual({ slots: [':NM1=129891', ':HD1=129892'], planned: 0 })
      }),
    )
  })
})

describe('beatmaps below the names of several buckets', () => {
  it('are of none of them for certain', () => {
    const buckets = fc.subarray(codes, { minLength: 2 })
    const writings = fc.constantFrom(
      (code: string) => code,
      (code: string) => `[${code}]`,
      (code: string) => `## ${code}`,
      (code: string) => `${code}:`,
    )
    const gaps = fc.constantFrom('\n', '\n\n')
    fc.assert(
      fc.property(
        buckets,
        writings,
        gaps,
        fc.integer({ min: 1, max: 6 }),
        (all, write, gap, count) => {
          const text = [...all.map(write), ...ids(count).map(link)].join(gap)
          expect(read(text)).toMatchObject({ slots: [], isOpen: true })
        },
      ),
    )
  })
})

describe('numbers below the name of a column', () => {
  it.each(['Score', 'Player ID', 'Views', 'スコア', 'Team ID'])('%s are asked', (name) => {
    expect(read(`${name}\n129891\n129892`)).toMatchObject({ slots: [], questions: 1 })
    expect(read(`NM\n${name}:\n\n129891`)).toMatchObject({ slots: [], questions: 1 })
  })

  it('that nobody knows are left to be looked at', () => {
    fc.assert(
      fc.property(word, (name) => {
        expect(read(`${name}\n129891\n129892`).isOpen).toBe(true)
      }),
    )
  })

  it.each(['Set ID', 'Mapset IDs:'])('%s are no beatmaps', (name) => {
    expect(read(`${name}\n129891\n129892`)).toMatchObject({ slots: [], isOpen: true })
  })

  it.each(['Beatmap ID', 'Map IDs:', 'osu! IDs', 'maps'])('%s are beatmaps', (name) => {
    const { slots, questions } = read(`${name}\n129891\n129892`)
    expect({ slots, questions }).toEqual({ slots: [':1=129891', ':2=129892'], questions: 0 })
  })
})
