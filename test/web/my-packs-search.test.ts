import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Pack } from '../../src/contract/packs.ts'
import examples from '../../src/contract/examples.json' with { type: 'json' }
import { contentOf, firstSave } from '../../src/domain/packs.ts'
import { packWords, type PackWords, type Term } from '../../src/domain/search.ts'
import { parseQuery, tiersOf } from '../../src/domain/search-query.ts'
import { readView, showPacks } from '../../src/web/my-packs/view.ts'
import { aPack } from '../support/samples.ts'

const isShown = (query: string, name: string, description: string): boolean => {
  const pack: Pack = { ...(examples.newPack as Pack), name, description }
  return showPacks([pack], { ...readView(''), query }).packs.length === 1
}

/** As a store matches a term. */
const has = (pack: PackWords, term: Term): boolean => {
  if ('id' in term) return false
  const words = term.kind === 'pair' ? pack.pairs : pack[term.kind]
  return words.some((each) => (term.isPrefix ? each.startsWith(term.word) : each === term.word))
}

/** Whether the search of all packs finds one by its name and description, the words as they are. */
const isFound = (query: string, name: string, description: string): boolean => {
  const saved = firstSave(contentOf(aPack()), {
    slug: 'q7Jm2_xT0a',
    ownerId: 'a'.repeat(22),
    now: 0,
  })
  const words = packWords({ ...saved, name, description, ownerUsername: '' }, '', new Map())
  const tiers = tiersOf(parseQuery(query), null)
  return (
    tiers.length === 0 ||
    tiers.some(({ match }) => match.every((terms) => terms.some((term) => has(words, term))))
  )
}

const pieces = [
  '1',
  '16',
  '2023',
  'cup',
  'Cu',
  'Élan',
  'e',
  'ß',
  "don't",
  'dont',
  'R.I.P',
  '決勝戦',
  '決',
  'カ',
  'か',
]
const between = [' ', '', '-', ': ', '!']
const text = fc
  .array(fc.tuple(fc.constantFrom(...pieces), fc.constantFrom(...between)), { maxLength: 4 })
  .map((all) => all.flat().join(''))

describe('the search of My packs', () => {
  it('finds what the search of all packs finds by name and description', () => {
    fc.assert(
      fc.property(text, text, text, (query, name, description) => {
        expect(isShown(query, name, description)).toBe(isFound(query, name, description))
      }),
      { numRuns: 3_000 },
    )
  })

  it.each([
    ['1', 'Round of 16', false],
    ['16', 'Round of 16', true],
    ['rou', 'Round of 16', true],
    ['rou ', 'Round of 16', false],
    ['ound', 'Round of 16', false],
    ['fruhj', 'Frühjahr', true],
    ['!', 'Round of 16', true],
  ])('by %j, %s: %s', (query, name, shown) => {
    expect(isShown(query, name, '')).toBe(shown)
  })
})

describe('what is typed key by key', () => {
  it('is looked for in what a pack was found by before: none is read again', () => {
    let reads = 0
    const packs = Array.from({ length: 20 }, (_, at): Pack => ({
      ...(examples.newPack as Pack),
      slug: String(at).padStart(10, '0'),
      get description() {
        reads += 1
        return 'Two on two.'
      },
    }))
    for (const query of ['z', 'zz', 'zzz', 'zz', ''])
      showPacks(packs, { ...readView(''), query: `${query}zz` })
    expect(reads).toBe(packs.length)
  })
})
