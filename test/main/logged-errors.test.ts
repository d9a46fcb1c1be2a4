import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { StoreUnavailable } from '../../src/ports/store.ts'
import { loggedError } from '../../src/main/server.ts'

/** A chain of errors, the first of which is logged; each may say its cause itself. */
const chains = fc.array(fc.tuple(fc.stringMatching(/^[a-z]{3,8}$/), fc.boolean()), {
  minLength: 1,
  maxLength: 5,
})

test('every error of a chain is said once, in order, whether or not the one above it says it', () => {
  fc.assert(
    fc.property(chains, (chain) => {
      const words = chain.map(([word], at) => `${word}${at}`)
      const error = chain.reduceRight<Error | undefined>((cause, [, saysIt], at) => {
        const own = words[at]!
        const message = saysIt && cause !== undefined ? `${own}: ${cause.message}` : own
        return new Error(message, { cause })
      }, undefined)
      const { message, stack } = loggedError(error!)
      expect(message).toBe(words.join(': '))
      expect(stack.split('\ncaused by: ')).toHaveLength(words.length)
    }),
  )
})

test('an unavailable store, an error of several, one that caused itself, and what is no error', () => {
  const full = Object.assign(new Error('database or disk is full'), { errcode: 13 })
  const away = new StoreUnavailable('the disk is full', { cause: full, place: '/data/a.db' })
  const { stack: _, ...rest } = loggedError(away)
  expect(rest).toEqual({
    type: 'StoreUnavailable',
    message: 'the disk is full (/data/a.db): database or disk is full',
    reason: 'the disk is full',
  })
  const several = new AggregateError([full, 'x'], 'no address answers')
  expect(loggedError(several)).toMatchObject({
    type: 'AggregateError',
    message: 'no address answers',
    aggregateErrors: [{ message: 'database or disk is full', errcode: 13 }, 'x'],
  })
  const round: Error & { cause?: unknown } = new Error('round')
  round.cause = round
  expect(loggedError(round).message).toBe('round')
  expect(loggedError('a text' as never)).toBe('a text')
  const [one, other] = [new Error('one'), new Error('other')]
  Object.assign(one, { other, code: 'ONE' })
  Object.assign(other, { one, code: 'OTHER' })
  expect(loggedError(one)).toMatchObject({
    code: 'ONE',
    other: { message: 'other', code: 'OTHER' },
  })
})
