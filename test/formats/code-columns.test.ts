import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'

const bits = {
  NM: 0,
  EZ: 2,
  HD: 8,
  HR: 16,
  HDHR: 24,
  DT: 64,
  HDDT: 72,
  HT: 256,
  FL: 1024,
}
type Code = keyof typeof bits

const names = ['mods', 'Mod', 'enabled_mods', 'Mods Int', 'mod_bits']

const slotsOf = (text: string) =>
  readImport(text).pools.map(({ name, draft }) => ({ name, slots: draft.slots }))

describe('a column of codes under a name that says nothing', () => {
  const table = fc.record({
    codes: fc.array(fc.constantFrom('NM', 'HD', 'HR', 'DT', 'FM'), { minLength: 4, maxLength: 9 }),
    word: fc.constantFrom('SV', 'EZ', 'Gimmick', 'stamina', 'Rain'),
    at: fc.nat({ max: 9 }),
    name: fc.constantFrom('foo', 'Typ', 'Kategorie', 'kind of map', '', 'Choice'),
    turn: fc.nat({ max: 3 }),
  })

  it('never takes a row with a word there for one of the bucket above it', () => {
    fc.assert(
      fc.property(table, ({ codes, word, at, name, turn }) => {
        const all = [...codes.slice(0, at), word, ...codes.slice(at)]
        const columns = [
          [name, ...all],
          ['Beatmap ID', ...all.map((_, row) => `${129_891 + row}`)],
          ['Title', ...all.map((_, row) => `Harbour ${'abcdefghijkl'[row]}`)],
        ]
        const turned = [...columns.slice(turn), ...columns.slice(0, turn)]
        const text = columns[0]!.map((_, row) => turned.map((column) => column[row]).join('\t'))
        const id = 129_891 + all.indexOf(word)
        const slots = slotsOf(text.join('\n')).flatMap((pool) => pool.slots)
        const own = slots.find(({ beatmapId }) => beatmapId === id)
        expect([undefined, word, null]).toContain(own?.mod)
        expect(slots.filter((slot) => slot !== own).map(({ mod }) => mod)).toEqual(
          expect.arrayContaining(codes),
        )
      }),
    )
  })
})

describe('the numbers of slots beside their buckets', () => {
  const table = fc.record({
    sizes: fc.array(fc.integer({ min: 2, max: 4 }), { minLength: 2, maxLength: 3 }),
    name: fc.constantFrom('', '#', 'No.', 'Number', 'Nr'),
    others: fc.shuffledSubarray(['round', 'place', 'song', 'id'], { minLength: 4 }),
    isBackwards: fc.boolean(),
    isMerged: fc.boolean(),
  })

  it('are those of the slots in each round, whatever their column is called', () => {
    fc.assert(
      fc.property(table, ({ sizes, name, others, isBackwards, isMerged }) => {
        const rounds = ['Semifinals', 'Finals']
        const slots = sizes.flatMap((size, at) =>
          Array.from({ length: size }, (_, n) => ({ mod: ['NM', 'HD', 'HR'][at]!, index: n + 1 })),
        )
        const own = isBackwards ? slots.toReversed() : slots
        const wanted = rounds.map((round, turn) => ({
          name: round,
          slots: own.map((slot, at) => ({ ...slot, beatmapId: 1_298_910 + 100 * turn + at })),
        }))
        const header = { round: ['Round'], place: ['Mod', name], song: ['Song'], id: ['ID'] }
        const rows = wanted.flatMap((each) =>
          each.slots.map(({ mod, index, beatmapId }, at) => ({
            round: [isMerged && at > 0 ? '' : each.name],
            place: [mod, `${index}`],
            song: ['Quiet Harbour'],
            id: [`${beatmapId}`],
          })),
        )
        const text = [header, ...rows]
          .map((row) => others.flatMap((key) => row[key as keyof typeof row]).join(','))
          .join('\n')
        expect(slotsOf(text), text).toEqual(wanted)
      }),
    )
  })
})

describe('a column of mods', () => {
  const table = fc.record({
    codes: fc.array(fc.constantFrom(...(Object.keys(bits) as Code[])), {
      minLength: 3,
      maxLength: 12,
    }),
    name: fc.constantFrom(...names),
    mark: fc.constantFrom(',', '\t', ';', ' | '),
    turn: fc.nat({ max: 3 }),
    hasRounds: fc.boolean(),
    isNoFail: fc.boolean(),
  })

  it('of bits is read as the one of their codes', () => {
    fc.assert(
      fc.property(table, ({ codes, name, mark, turn, hasRounds, isNoFail }) => {
        fc.pre(codes.some((code) => bits[code] >= 8))
        const write = (head: string, modsOf: (code: Code) => string) => {
          const columns = [
            [head, ...codes.map(modsOf)],
            ['Beatmap ID', ...codes.map((_, at) => `${129_891 + at}`)],
            ['Title', ...codes.map((_, at) => `Harbour ${'abcdefghijkl'[at]}`)],
          ]
          const turned = [...columns.slice(turn), ...columns.slice(0, turn)]
          const rounds = ['Round', ...codes.map((_, at) => (at < 2 ? 'Finals' : 'Semifinals'))]
          const all = hasRounds ? [rounds, ...turned] : turned
          return rounds.map((_, row) => all.map((column) => column[row]).join(mark)).join('\n')
        }
        const byBits = slotsOf(write(name, (code) => String(bits[code] + (isNoFail ? 1 : 0))))
        expect(byBits).toEqual(slotsOf(write('Mods', (code) => code)))
        const read = byBits.flatMap(({ slots }) => slots.map(({ mod }) => String(mod)))
        expect(new Set(read)).toEqual(new Set(codes))
        expect(read).toHaveLength(codes.length)
      }),
    )
  })

  it.each([
    ['that count the slots', ['1', '2', '3']],
    ['of which one is none', ['1', '8', '4']],
    ['that a label is among', ['NM', '8', '16']],
  ])('with numbers %s holds no bits', (_name, cells) => {
    const text = ['mods,id', ...cells.map((cell, at) => `${cell},${129_891 + at}`)].join('\n')
    const read = slotsOf(text).flatMap(({ slots }) => slots.map(({ mod }) => mod))
    expect(read).not.toContain('HD')
  })
})
