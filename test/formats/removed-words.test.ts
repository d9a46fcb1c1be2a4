import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'
import { slotLabel } from '../../src/pool/slots.ts'

const read = (text: string) => {
  const { pools, questions } = readImport(text)
  const slots = pools.flatMap(({ draft }) =>
    draft.slots.map((slot) => `${slotLabel(slot)} ${slot.beatmapId}`),
  )
  return { slots, isAsked: questions.length > 0 }
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
