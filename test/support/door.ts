import { expect } from 'vitest'
import { type ApiErrorCode, poolsErrorCodes } from '../../src/contract/errors.ts'

/** What came back. `json` is undefined where there is no body. */
export type Reply = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
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
    const isRaw = typeof body === 'string' || body instanceof Uint8Array
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isRaw ? (body as string) : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson && text !== '' ? JSON.parse(text) : undefined,
    }
  }
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
