import { expect } from 'vitest'
import type { ApiErrorCode } from '../../src/contract/error-codes.ts'
import { poolsErrorCodes } from '../../src/contract/errors.ts'
import { type Answer, ask } from './http.ts'

/** What came back. `json` is undefined where there is no body. */
export type Reply = Answer & {
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly json: any
}

export type Ask = {
  readonly key?: string | undefined
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** One service as a client sees it: real HTTP, paths below `/api/v1`. */
export class Door {
  readonly url: string

  constructor(url: string) {
    this.url = url
  }

  /** `body` goes out as it is when it is a string or bytes, as JSON otherwise. */
  async ask(method: string, path: string, { key, body, headers = {} }: Ask = {}): Promise<Reply> {
    const all = { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers }
    return sendJson(method, `${this.url}/api/v1${path}`, all, body)
  }
}

/** Sends the body as `Door` does, without headers that are null, and reads JSON where the answer is JSON. */
export const sendJson = async (
  method: string,
  url: string,
  headers: Readonly<Record<string, string | null>>,
  body: unknown,
): Promise<Reply> => {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  const all = { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers }
  const answer = await ask(method, url, {
    headers: Object.fromEntries(
      Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null),
    ),
    body: isRaw || body === undefined ? body : JSON.stringify(body),
  })
  const isJson = answer.headers.get('content-type')?.startsWith('application/json')
  return { ...answer, json: isJson && answer.text !== '' ? JSON.parse(answer.text) : undefined }
}

/** Holds an answer to spec 2.9 and 7: the code's own status, closed shape, a message for people. */
export const expectError = (reply: Reply, code: ApiErrorCode, message?: string | RegExp): void => {
  expect(reply.json).toEqual({ error: { code, message: expect.any(String) } })
  expect(reply.status).toBe(poolsErrorCodes[code].status)
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
  if (typeof message === 'string') expect(reply.json.error.message).toBe(message)
  if (message instanceof RegExp) expect(reply.json.error.message).toMatch(message)
}

/** What the RateLimit headers say, as numbers. */
export const quotaOf = (reply: Reply) => ({
  limit: Number(reply.headers.get('ratelimit-limit')),
  remaining: Number(reply.headers.get('ratelimit-remaining')),
  reset: Number(reply.headers.get('ratelimit-reset')),
})
