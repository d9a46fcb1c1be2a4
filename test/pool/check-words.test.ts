import { describe, expect, test } from 'vitest'
import { type Check, checkKinds } from '../../src/contract/checks.ts'
import { countChecks, groupChecks, isGrave } from '../../src/pool/check-words.ts'

const round = { id: 'round-0001', name: 'Finals' }
const finding = (kind: Check['kind'], index = 1): Check => ({
  kind,
  round,
  mod: 'NM',
  index,
  message: `NM${index} is ${kind}`,
})

describe('findings by kind', () => {
  test('stand in the way of a release where a beatmap is missing or gone, and there alone', () => {
    expect(checkKinds.filter(isGrave)).toEqual(['empty', 'placeholder', 'gone'])
  })

  test('stand in the order of the kinds, and keep theirs within a kind', () => {
    const all = [finding('pooled'), finding('stars', 2), finding('empty'), finding('stars')]
    const groups = groupChecks(all)
    expect(groups.map(({ kind, checks }) => [kind, checks.map(({ index }) => index)])).toEqual([
      ['empty', [1]],
      ['stars', [2, 1]],
      ['pooled', [1]],
    ])
    const every = groupChecks(checkKinds.toReversed().map((kind) => finding(kind)))
    expect(every.map(({ kind }) => kind)).toEqual([...checkKinds])
    expect(new Set(every.map(({ heading }) => heading)).size).toBe(checkKinds.length)
  })

  test('are counted, of kinds that occur alone', () => {
    expect(countChecks([])).toEqual({})
    const counts = countChecks([finding('pooled'), finding('gone'), finding('pooled', 2)])
    expect(Object.entries(counts)).toEqual([
      ['gone', 1],
      ['pooled', 2],
    ])
  })
})
