import { type ErrorCode, errorCodes } from '../contract/error-codes.ts'
import type { Incoming } from './attempt.ts'
import { type CallName, fits } from './calls.ts'
import { type ErrorDetails, MapcrateError } from './mapcrate-error.ts'
import { readCount } from './quota.ts'

const EXCERPT_LENGTH = 80

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isErrorCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && Object.hasOwn(errorCodes, code)

/** What is not an answer of the service: said so that one sees who answered instead. */
const unexpected = ({ status, headers, text }: Incoming, details: ErrorDetails): MapcrateError => {
  const place = headers.get('location')
  const excerpt = text.replace(/[\s\p{C}]+/gu, ' ').trim()
  const content =
    excerpt === '' ? 'an empty body' : `a body that begins “${excerpt.slice(0, EXCERPT_LENGTH)}”`
  const isRedirect = status === 0 || (status >= 300 && status < 400)
  const message = isRedirect
    ? `a redirect${place === null ? '' : ` to ${place}`} came in place of an answer; give the address that it leads to as baseUrl`
    : `${status} with ${content} is no answer of the service; check baseUrl and what stands between`
  return new MapcrateError('unexpected_answer', message, details)
}

/**
 * What an answer says: its body, or undefined where the call has none.
 *
 * @throws MapcrateError for anything but a success.
 */
export const readAnswer = (name: CallName, answer: Incoming): unknown => {
  const { status, headers, text } = answer
  if (status === 204 && name === 'deletePack') return undefined
  const body = parse(text)
  if (status >= 200 && status < 300 && fits(name, body)) return body
  const details = {
    status,
    requestId: headers.get('x-request-id'),
    retryAfter: readCount(headers, 'retry-after'),
  }
  const { code, message } = (body as { error?: { code?: unknown; message?: unknown } })?.error ?? {}
  throw status >= 400 && isErrorCode(code) && typeof message === 'string'
    ? new MapcrateError(code, message, details)
    : unexpected(answer, details)
}
