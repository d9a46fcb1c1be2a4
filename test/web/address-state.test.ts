import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { statsMods } from '../../src/contract/mods.ts'
import {
  anything,
  type Criteria,
  modsInWords,
  readAddress,
  writeAddress,
} from '../../src/web/browse/search-state.ts'

const everything: Criteria = {
  query: 'cup & "finals" ü',
  stars: [5, 6.5],
  length: [null, 300],
  bpm: [180, null],
  beatmaps: [8, 24],
  mods: ['NM', 'DT'],
  rulesets: ['base', 'mania'],
  sort: 'stars',
  isReversed: true,
  showsUnrated: true,
}

describe('the address of Browse', () => {
  it('is bare when nothing is asked for', () => {
    expect(writeAddress(anything)).toBe('')
    expect(readAddress('')).toEqual(anything)
  })

  it('holds everything that can be asked for', () => {
    expect(readAddress(writeAddress(everything))).toEqual(everything)
  })

  it('can be read by people', () => {
    expect(writeAddress({ ...everything, query: 'cup' })).toBe(
      '?q=cup&stars=5-6.5&length=-300&bpm=180-&beatmaps=8-24&mods=NM,DT&rulesets=base,mania&sort=stars&reversed=1&unrated=1',
    )
  })

  it.each([
    ['?stars=7-5', 'the wrong way round'],
    ['?stars=a-b', 'no number'],
    ['?stars=-1--2', 'below zero'],
    ['?stars=1e9-', 'another way to write numbers'],
    ['?stars=5', 'one number'],
    ['?stars=', 'nothing'],
    ['?mods=XX,nm', 'mods that there are not'],
    ['?sort=random', 'an order that there is not'],
    ['?reversed=yes&unrated=true', 'other words for yes'],
    ['?page=3&utm=x', 'names that it does not know'],
  ])('leaves out %s: %s', (search) => {
    expect(readAddress(search)).toEqual(anything)
  })

  it('keeps a pasted query short', () => {
    expect(readAddress(`?q=${'x'.repeat(5_000)}`).query).toHaveLength(200)
  })
})

describe('mods among words', () => {
  const word = fc.stringMatching(/^[a-z]{4,8}$/)
  const mod = fc.constantFrom(...statsMods)

  it('become the filter, and the other words stay', () => {
    fc.assert(
      fc.property(
        fc.array(word),
        fc.array(mod, { minLength: 1 }),
        fc.uniqueArray(mod),
        fc.boolean(),
        (before, named, mods, isLower) => {
          const codes = named.map((code) => (isLower ? code.toLowerCase() : code))
          const query = ` ${[...codes.slice(1), ...before, codes[0]].join('  ')} `
          const found = modsInWords({ ...anything, query, mods })
          expect(found?.query).toBe(before.join(' '))
          expect(new Set(found?.mods)).toEqual(new Set([...mods, ...named]))
        },
      ),
    )
  })

  it('are offered only where there are some', () => {
    fc.assert(
      fc.property(fc.array(word), fc.uniqueArray(mod), (words, mods) => {
        expect(modsInWords({ ...anything, query: words.join(' '), mods })).toBeNull()
      }),
    )
  })
})
