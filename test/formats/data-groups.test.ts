import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'

const read = (data: unknown) => {
  const { pools, questions, notes } = readImport(JSON.stringify(data))
  const rounds = pools.map(({ name, draft }) => ({
    name,
    slots: draft.slots.map(({ mod, index, beatmapId }) => `${mod ?? '-'}${index} ${beatmapId}`),
  }))
  return { rounds, questions: questions.map(({ text }) => text), notes }
}
/** Names that no program could know. */
const anyName = fc.stringMatching(/^Q[a-z]{3,7}w$/)
const valueOf = fc.constantFrom(
  (id: number): unknown => id,
  (id: number) => `https://osu.ppy.sh/b/${id}`,
  (id: number) => ({ id }),
)

describe('groups of slots in data', () => {
  it('ask about any other key beside labels, in objects of one key and in lists', () => {
    const property = fc.property(
      anyName,
      valueOf,
      fc.nat(2),
      fc.boolean(),
      (key, of, at, isList) => {
        const pairs = (isList ? ['NoMod', 'Hidden'] : ['NM1', 'HD1']).map((label, index) => [
          label,
          of(129_891 + index),
        ])
        const all = pairs.toSpliced(at, 0, [key, of(129_899)])
        const data = isList
          ? Object.fromEntries(all.map(([name, value]) => [name, [value]]))
          : all.map(([name, value]) => ({ [String(name)]: value }))
        expect(read(data).questions.length).toBe(1)
      },
    )
    fc.assert(property)
  })

  it('are rounds, or asked about, by a field that parts them into the same buckets', () => {
    const field = fc.oneof(
      anyName,
      fc.constantFrom('poolName', 'pool', 'ronda', 'fase', 'runde', 'jornada', 'rodada', 'étape'),
    )
    const property = fc.property(field, anyName, fc.boolean(), (key, name, isByMod) => {
      const rows = [name, `${name}b`].flatMap((part, at) =>
        ['NM', 'HD'].map((mod, index) => ({ [key]: part, mod, id: 129_891 + at * 2 + index })),
      )
      const sorted = isByMod ? rows.toSorted((a, b) => (a.mod < b.mod ? 1 : -1)) : rows
      const { rounds, questions } = read(sorted)
      expect(questions.length + rounds.length).toBe(2)
      if (questions.length === 0) {
        expect(rounds.map((round) => round.slots.length)).toEqual([2, 2])
      }
    })
    fc.assert(property)
  })

  it('have their label, or the name of their round, in an object beside their beatmaps', () => {
    const maps = [{ id: 129_891 }]
    const inBucket = fc.constantFrom(
      (text: string): unknown => ({ mod: { name: text }, maps }),
      (text: string) => ({ bucket: { label: text }, maps }),
      (text: string) => ({ info: { title: text }, maps }),
      (text: string) => ({ category: { name: text, maps } }),
    )
    fc.assert(
      fc.property(inBucket, fc.constantFrom('NoMod', 'NM', 'No Mod'), (write, text) => {
        expect(read([write(text)]).rounds[0]!.slots).toEqual(['NM1 129891'])
      }),
    )
    const slots = [{ slot: 'NM1', id: 129_891 }]
    const inRound = fc.constantFrom(
      (name: string): unknown => ({ round: { name }, maps: slots }),
      (name: string) => ({ info: { round: name }, maps: slots }),
      (name: string) => ({ division: name, NM: [129_891] }),
    )
    fc.assert(
      fc.property(inRound, anyName, (write, name) => {
        const { rounds } = read([write(name), write(`${name}b`)])
        expect(rounds.map((round) => round.name)).toEqual([name, `${name}b`])
      }),
    )
  })

  it('leave out or ask about slots with a date at which they went, or a word of another language for it', () => {
    const out = fc.constantFrom(
      { deletedAt: '2026-01-01' },
      { removed_on: '2026-01-01' },
      { eliminado: true },
      { gelöscht: true },
      { 삭제됨: true },
    )
    fc.assert(
      fc.property(out, (gone) => {
        const [key = ''] = Object.keys(gone)
        const rows = [{ slot: 'NM1', id: 129_891, ...gone }]
        const { rounds, questions } = read([...rows, { slot: 'HD1', id: 129_892, [key]: null }])
        expect(questions.length).toBe(1)
        expect(rounds[0]!.slots).toEqual(['HD1 129892'])
      }),
    )
  })
})
