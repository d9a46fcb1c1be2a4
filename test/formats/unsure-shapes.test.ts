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
const word = fc.stringMatching(/^Q[a-z]{3,7}w$/)

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
