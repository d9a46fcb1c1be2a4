import { afterEach, expect, it, vi } from 'vitest'
import * as texts from '#texts/refusals'
import { apiErrorCodes } from '../../src/contract/error-codes.ts'
import { errorReasons, partsOfCause } from '../../src/contract/error-reasons.ts'
import { refusals, siteErrorCodes } from '../../src/contract/errors.ts'
import { request } from '../../src/web/site-failure.ts'

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

afterEach(() => vi.unstubAllGlobals())

it.each(Object.keys(errorReasons.bad_request))(
  'of a bad request for the reason %s, a page in English says what people can do',
  async (reason) => {
    const error = { code: 'bad_request', reason, message: 'at must be `now`; send it' }
    vi.stubGlobal('fetch', async () => Response.json({ error }, { status: 400 }))
    // What people have entered is told exactly, in the words of its problems where there are any.
    const expected =
      reason === 'invalid_field' || reason === 'slur'
        ? 'At must be `now`; send it.'
        : (texts as Readonly<Record<string, unknown>>)[keyOf(reason)]
    await expect(request('/', {})).rejects.toMatchObject({ message: expected })
  },
)

/** What a person who reads a page has not sent: headers, methods, bodies and parameters. */
const partsOfRequests = /\b[A-Z][a-z]+-[A-Z]|`|ETag|\bJSON\b|\b(?:body|query|header|cursor|ids)\b/

it.each(Object.entries(refusals))(
  'a page in English names no part of a request when it is refused: %s',
  async (_, [cause, message]) => {
    const error = { ...partsOfCause(cause), message }
    const { status } = siteErrorCodes[error.code]
    vi.stubGlobal('fetch', async () => Response.json({ error }, { status }))
    const told = (await request('/', {}).catch((failure: unknown) => failure)) as Error
    expect(told.message).not.toMatch(partsOfRequests)
  },
)
