import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { preconditionOf } from '../../src/domain/reading/requests.ts'
import { thrown } from './a-tournament.ts'

const anyTag = fc.constantFrom('"a"', '"b"', '"c"')
const codeOf = (check: () => unknown): unknown =>
  (thrown(check) as { code: string } | undefined)?.code

test('a write passes if any tag of If-Match names the current state (D-48)', () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyTag, { minLength: 1 }), anyTag, (tags, state) => {
      const check = preconditionOf<string>(tags, (tag, current) => tag === current)!
      expect(codeOf(() => check(state))).toBe(
        tags.includes(state) ? undefined : 'precondition_failed',
      )
      // Its own 404 says more.
      expect(codeOf(() => check(null))).toBeUndefined()
    }),
  )
})

test('“*” names any state, and none that is not there', () => {
  const check = preconditionOf<string>('*', () => false)!
  expect(codeOf(() => check('"a"'))).toBeUndefined()
  expect(codeOf(() => check(null))).toBe('precondition_failed')
})

test('without the header nothing is checked', () => {
  expect(preconditionOf(null, () => false)).toBeUndefined()
})
