import { expect, it } from 'vitest'
import * as texts from '#texts/refusals'
import { apiErrorCodes } from '../../src/contract/error-codes.ts'
import { errorReasons } from '../../src/contract/error-reasons.ts'

const keyOf = (cause: string): string =>
  cause.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())

/** What no page can cause: it sends no API key, and who has no session is asked to sign in. */
const ofPrograms = new Set(['unauthorized', 'invalid_api_key'])

it('there is a text for every reason that a page can be refused for (D-87)', () => {
  const codes = apiErrorCodes.filter((code) => !ofPrograms.has(code))
  const reasons = Object.entries(errorReasons)
    .filter(([code]) => !ofPrograms.has(code))
    .flatMap(([, each]) => Object.keys(each))
  const missing = [...codes, ...reasons].filter((cause) => !(keyOf(cause) in texts))
  expect(missing).toEqual([])
})
