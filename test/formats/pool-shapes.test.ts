import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImportFile } from '../../src/formats/import/read-import-file.ts'
import type { Import } from '../../src/formats/import/read-import.ts'
import { anyRounds, type Round } from './made-rounds.ts'
import { encodings, poolShapes } from './pool-shapes.ts'

const encodingNames = Object.keys(encodings)

describe('a pool comes back from every shape that carries it, without a question', () => {
  it.each(poolShapes)('$id', async (shape) => {
    const property = fc.asyncProperty(
      anyRounds(shape),
      fc.nat(11),
      fc.constantFrom(...encodingNames),
      async (rounds, turn, encoding) => {
        const text = shape.write(rounds, turn)
        const result = await readImportFile(encodings[encoding]!(text))
        expect(readIn(result), text).toEqual(writtenIn(rounds))
      },
    )
    await fc.assert(property, { numRuns: 100, seed: 20_260_103 })
  })
})

function writtenIn(rounds: readonly Round[]) {
  const pools = rounds.map(({ name, picks }) => ({
    name,
    slots: picks.map(({ code, index, beatmapId }) => `${code} ${index} ${beatmapId}`).toSorted(),
  }))
  return { pools, questions: [], refused: [] }
}

function readIn({ pools, others, questions }: Import) {
  const read = pools.map(({ name, draft }) => ({
    name,
    slots: draft.slots
      .map(({ mod, index, beatmapId }) => `${mod} ${index} ${beatmapId}`)
      .toSorted(),
  }))
  const lines = [...pools.flatMap((pool) => pool.lines), ...others]
  const refused = lines.filter(({ outcome }) => outcome === 'refused')
  return { pools: read, questions: questions.map(({ text }) => text), refused }
}
