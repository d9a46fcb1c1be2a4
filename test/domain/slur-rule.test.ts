import { describe, expect, test } from 'vitest'
import { AppError } from '../../src/contract/errors.ts'
import { refuseSlurs, slurs } from '../../src/domain/slurs/slurs.ts'
import { aPack } from '../support/samples.ts'

describe('D-24: the refusal names the field and never the word', () => {
  const word = slurs[0]?.stem.replaceAll('*', '') ?? ''
  const refusalOf = (changes: Parameters<typeof aPack>[0]): AppError => {
    try {
      refuseSlurs(aPack(changes))
    } catch (error) {
      return error as AppError
    }
    throw new Error('nothing was refused')
  }

  test.each([
    ['name', { name: `The ${word} Cup` }],
    ['description', { description: `line one\nline ${word}` }],
    ['buckets[1].code', { buckets: [{ code: 'NM' as const }, { code: word, color: 1 }] }],
    ['slots[0].mod', { slots: [{ mod: word, index: 1, beatmapId: 1 }] }],
  ])('%s', (place, changes) => {
    const failure = refusalOf(changes)
    expect(failure).toBeInstanceOf(AppError)
    expect(failure.code).toBe('bad_request')
    expect(failure.message).toBe(`${place} must not contain a slur`)
  })
})
