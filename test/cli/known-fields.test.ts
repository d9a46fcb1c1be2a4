import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  fieldsOfPack,
  fieldsOfRound,
  type KnownFields,
  refuseUnknown,
  refuseUnknownIn,
  wrapped,
} from '../../src/cli/user/known-fields.ts'
import { Pack, PackInput } from '../../src/contract/packs.ts'
import { Round, RoundInput } from '../../src/contract/rounds.ts'
import { anyOf } from '../support/any-of-schema.ts'

type Json = { [name: string]: unknown }

/** Each field of a value, at any depth: where it is, and how to call it otherwise. */
function* fieldsIn(
  value: unknown,
  place = '',
): Generator<{ place: string; rename: (name: string) => void }> {
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) yield* fieldsIn(item, `${place}[${at}]`)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      const at = place === '' ? name : `${place}.${name}`
      yield* fieldsIn(inner, at)
      const holder = value as Json
      const rename = (other: string): void => {
        delete holder[name]
        holder[other] = inner
      }
      yield { place: at, rename }
    }
  }
}

describe.each([
  ['a pack', PackInput, Pack, fieldsOfPack],
  ['a round', RoundInput, Round, fieldsOfRound],
] as const)('%s in a file that replaces a whole', (_, input, answer, known: KnownFields) => {
  it('is taken as it is sent, and as it is answered', () => {
    const any = fc.oneof(anyOf(input), anyOf(answer))
    const property = fc.property(any, (value) => {
      refuseUnknown(value, known)
      refuseUnknownIn(`\ufeff${JSON.stringify({ round: value })}`, wrapped('round', known))
    })
    fc.assert(property)
  })

  it('is refused with any field of it misspelt, by the place and by what was meant', () => {
    const property = fc.property(anyOf(input), fc.nat(), fc.nat(), (value, nth, letter) => {
      const copy = structuredClone(value)
      const all = [...fieldsIn(copy)]
      const { place, rename } = all[nth % all.length]!
      const name = /\w+$/.exec(place)![0]
      const at = letter % name.length
      const misspelt = `${name.slice(0, at)}_${name.slice(at)}`
      rename(misspelt)
      const wrong = `${place.slice(0, place.length - name.length)}${misspelt}`
      expect(() => refuseUnknown(copy, known)).toThrow(`no field ${wrong}; is it ${name}?`)
    })
    fc.assert(property)
  })

  it('is refused with each of its own fields misspelt, also where that is another name of one', () => {
    for (const name of Object.keys(known)) {
      const value = { [`_${name}`]: null }
      expect(() => refuseUnknown(value, known)).toThrow(`no field _${name}; is it ${name}?`)
    }
  })
})
