import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ImportedPool, readImport } from '../../src/formats/import/read-import.ts'
import { writePoolsJson } from '../../src/formats/whole-pools.ts'
import { completePool } from '../../src/pool/checks.ts'
import { filledSlots, roundFields } from '../../src/pool/round-fields.ts'
import { bucketTable } from '../../src/pool/slots.ts'
import { textOf } from '../../src/web/editing/changes.ts'
import { anyRound, type WholeRound } from '../support/any-round.ts'

const times = { createdAt: '2026-11-01T10:00:00.000Z', updatedAt: '2026-11-01T10:00:00.000Z' }
const saved = (round: WholeRound) => ({ id: 'b3JkZXIgbX', ...round, ...times })

/** As `mapcrate tournament export --as json` writes them. */
const writeRounds = (rounds: readonly WholeRound[]): string =>
  writePoolsJson({
    rounds: rounds.map((round) => ({
      name: round.name,
      pool: completePool({ ...round, slots: filledSlots(round.slots) }, 0),
      details: new Map(),
      saved: saved(round),
    })),
  })

const inOrder = (slots: WholeRound['slots']): string[] =>
  slots.map((slot) => textOf(slot)).toSorted()
const wholeOf = ({ name, slots, buckets, ...fields }: WholeRound) => ({
  name,
  slots: inOrder(slots),
  buckets: bucketTable(buckets),
  fields: roundFields.stored(fields),
})
const readWhole = ({ round, roundFields: fields }: ImportedPool) =>
  wholeOf({ ...round, ...fields, slots: [...round.slots] } as WholeRound)

describe('rounds of the JSON that is exported', () => {
  /** Some fields are set, by the table of them; a round may have no slots. */
  const anySaved = fc
    .tuple(anyRound, fc.subarray([...roundFields.names]), fc.boolean())
    .map(([round, left, isEmpty]): WholeRound => {
      const out = new Set<string>(left)
      const set = Object.entries(round).filter(([name]) => !out.has(name))
      return { ...(Object.fromEntries(set) as WholeRound), ...(isEmpty && { slots: [] }) }
    })

  it('come back whole, with every field', () => {
    const property = fc.property(fc.array(anySaved, { minLength: 1, maxLength: 3 }), (rounds) => {
      const { pools, notes, questions } = readImport(writeRounds(rounds))
      expect(pools.map(readWhole)).toEqual(rounds.map(wholeOf))
      expect(pools.map(({ isApiRound }) => isApiRound)).toEqual(rounds.map(() => true))
      expect(questions).toEqual([])
      expect(notes.filter((note) => note.includes('left out'))).toEqual([])
    })
    fc.assert(property)
  })

  it('keep buckets that are called as seats of groups are', () => {
    const slots = ['H', 'A'].map((mod) => ({ mod, index: 1, beatmapId: 129_891 }))
    const { pools, questions } = readImport(
      JSON.stringify({ rounds: [{ name: 'Finals', bestOf: 9, slots }] }),
    )
    expect([questions, pools[0]?.round.slots]).toEqual([[], slots])
  })

  it('come back whole one by one, as the API answers them', () => {
    const property = fc.property(anySaved, (round) => {
      const { pools } = readImport(JSON.stringify({ round: saved(round) }))
      expect(pools.map(readWhole)).toEqual([wholeOf(round)])
    })
    fc.assert(property)
  })

  it('have what is not as ours left out, with a note, and all else', () => {
    const slots = [{ mod: 'NM', index: 1, beatmapId: 129_891 }]
    const others = { bestOf: 9, bans: ['HD'], mapPackUrl: 'http://files.example/1', packName: null }
    const { pools, notes } = readImport(
      JSON.stringify({ rounds: [{ name: 'Finals', slots, ...others }] }),
    )
    expect(pools.map(readWhole)).toEqual([wholeOf({ name: 'Finals', slots, bestOf: 9 })])
    expect(notes).toEqual([
      expect.stringMatching(/left out: rounds\[0\]\.bans must be a number\.$/),
      expect.stringMatching(/left out: rounds\[0\]\.mapPackUrl must/),
    ])
  })
})
