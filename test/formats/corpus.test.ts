import { describe, expect, it } from 'vitest'
import { filesOf, readCorpus, textOf } from './corpus-cases.ts'

const shapes = readCorpus()

describe('the corpus of pools as hosts keep them', () => {
  it('has files enough, of each shape at least ten', () => {
    expect(shapes.length).toBeGreaterThanOrEqual(25)
    const counts = shapes.map(({ id, files }) => [id, files.size >= 10])
    expect(counts.filter(([, isEnough]) => !isEnough)).toEqual([])
    expect(shapes.flatMap(({ files }) => [...files]).length).toBeGreaterThanOrEqual(300)
  })

  it.each(shapes)('says of each file of $id what a person reads', ({ id, files, sample }) => {
    expect(filesOf(id).toSorted()).toEqual([...files.keys()].toSorted())
    if (sample !== null) expect(textOf(id, sample).split('\n').length).toBeLessThan(30)
    for (const [file, { pools = [], asked = [], refused = [], isRefused = false }] of files) {
      const slots = pools.flatMap((pool) => pool.slots)
      expect(slots.length + asked.length > 0, file).toBe(!isRefused)
      for (const slot of slots) {
        expect(slot).toMatch(/^(?:-|[\p{L}\p{N}]*\p{L}\p{N}*(?:\d| \d+)) [1-9]\d*$/u)
      }
      for (const line of [...refused, ...asked.map((each) => each.line)]) {
        expect(line, file).toBeGreaterThan(0)
      }
    }
  })
})
