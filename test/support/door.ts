import { expect } from 'vitest'
import type { ApiErrorCode } from '../../src/contract/error-codes.ts'
import { reasonsOf } from '../../src/contract/error-reasons.ts'
import { codesOf, poolsErrorCodes } from '../../src/contract/errors.ts'
import type { ServiceName } from '../../src/contract/services.ts'
import { operationOf } from '../../scripts/conform/document.ts'
import { documents } from '../contract/documents.ts'
import { type Answer, ask } from './http.ts'

/** What came back. `json` is undefined where there is no body. */
export type Reply = Answer & {
  /** Which service it is of, where that is known. */
  readonly service?: ServiceName | undefined
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
  readonly service: ServiceName | undefined

  constructor(url: string, service?: ServiceName) {
    this.url = url
    this.service = service
  }

  /** `body` goes out as it is when it is a string or bytes, as JSON otherwise. */
  async ask(method: string, path: string, { key, body, headers = {} }: Ask = {}): Promise<Reply> {
    const all = { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers }
    const reply = await sendJson(method, `${this.url}/api/v1${path}`, all, body)
    if (this.service !== undefined) expectListed(this.service, method, path, reply)
    return { ...reply, service: this.service }
  }
}

/** Whatever a test tries, the document lists status and headers for its operation, and the code of a refusal. */
const expectListed = (service: ServiceName, method: string, path: string, reply: Reply) => {
  const { status, json } = reply
  const code: string | undefined = json?.error?.code
  if (code !== undefined && !(code in codesOf[service])) {
    expect.fail(`the document of ${service} does not list the code ${code}`)
  }
  const operation = operationOf(documents[service], method, path)
  if (operation?.isListed(status) === false) {
    expect.fail(`the document of ${service} does not list ${status} for ${operation.name}`)
  }
  const unlisted = operation?.unlisted(status, reply.headers.keys()) ?? []
  if (unlisted.length > 0) {
    expect.fail(`the document does not list ${unlisted.join()} for ${status} of ${operation?.name}`)
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

/**
 * Holds an answer to spec 2.9 and 7: the code's own status, closed shape, a message for people; and of the
 * tournament-pools service, a reason of the code (D-87).
 */
export const expectError = (reply: Reply, code: ApiErrorCode, message?: string | RegExp): void => {
  const reason: unknown = reply.json?.error?.reason
  const hasReason = reply.service === undefined ? reason !== undefined : reply.service === 'pools'
  expect(reply.json).toEqual({
    error: { code, message: expect.any(String), ...(hasReason && { reason: expect.any(String) }) },
  })
  if (hasReason) expect(reasonsOf(code)).toContain(reason)
  expect(reply.status).toBe(poolsErrorCodes[code].status)
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
  if (message instanceof RegExp) expect(reply.json.error.message).toMatch(message)
  else if (message !== undefined) expect(reply.json.error.message).toEqual(message)
}

/** What the RateLimit headers say, as numbers. */
export const quotaOf = (reply: Reply) => ({
  limit: Number(reply.headers.get('ratelimit-limit')),
  remaining: Number(reply.headers.get('ratelimit-remaining')),
  reset: Number(reply.headers.get('ratelimit-reset')),
})
