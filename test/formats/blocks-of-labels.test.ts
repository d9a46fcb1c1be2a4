import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'
import { slotLabel } from '../../src/pool/slots.ts'

const read = (text: string) => {
  const { pools, questions, notes } = readImport(text)
  const slots = pools.flatMap(({ draft }) =>
    draft.slots.map((slot) => `${slotLabel(slot)} ${slot.beatmapId}`),
  )
  const lines = pools.flatMap((pool) => pool.lines)
  const isRefused = lines.some(({ outcome }) => outcome === 'refused')
  return { slots, notes, isAsked: questions.length > 0, isRefused }
}

describe('words that are also the names of difficulties', () => {
  const vague = ['cut', 'old', 'dropped', 'out', 'inactive', 'obsolete']
  const word = fc.constantFrom(...vague, ...vague.map((each) => each.toUpperCase()))

  it('are asked about right behind the beatmap alone', () => {
    fc.assert(
      fc.property(word, fc.constantFrom('129892', 'https://osu.ppy.sh/b/129892'), (own, id) => {
        expect(read(`NM1 129891\nNM2 ${id} (${own})`).isAsked).toBe(true)
        for (const end of [`(${own})`, `[${own}]`, '[Removed]', '[Deleted]'])
          expect(read(`NM1 129891\nNM2 ${id} Artist - Title ${end}`)).toMatchObject({
            slots: ['NM1 129891', 'NM2 129892'],
            isAsked: false,
          })
      }),
    )
  })
})

describe('the same slot with the same beatmap again', () => {
  it('is no conflict, and noted', () => {
    fc.assert(
      fc.property(fc.constantFrom('NM', 'HD', 'XY'), fc.integer({ min: 1, max: 20 }), (code, n) => {
        const { slots, notes, isRefused } = read(`${code}${n} 129891\n${code}${n} 129891`)
        expect(slots).toEqual([`${code}${n} 129891`])
        expect(notes).toHaveLength(1)
        expect(isRefused).toBe(false)
        expect(read(`${code}${n} 129891\n${code}${n} 129892`).isRefused).toBe(true)
      }),
    )
  })
})
