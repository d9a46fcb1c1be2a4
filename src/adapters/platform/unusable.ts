import { PlatformTrouble } from '../../domain/platform.ts'
import { TOKEN_PATH } from './token-calls.ts'
import { nameOf, type WireAnswer, type WireCall } from './wire-call.ts'

const explain = ({ path }: WireCall, { status, flaw }: WireAnswer): string => {
  if (status === 401) {
    return path === TOKEN_PATH
      ? '401: check PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET'
      : '401: the token is not taken'
  }
  if (status === 403) {
    return '403: a scope is missing; check the platform application (PLATFORM_CLIENT_ID)'
  }
  if (status >= 300 && status < 400) return `${status}: a redirect; check PLATFORM_URL`
  if (flaw !== null) return `${status}, ${flaw}`
  return status === 200 ? '200, whose body is not what it should be' : `${status}`
}

/** An answer that nothing can be learned from: unknown for now, whatever it says. */
export const unusable = (call: WireCall, answer: WireAnswer): PlatformTrouble =>
  new PlatformTrouble(`${nameOf(call)} answered ${explain(call, answer)}`)

/** JSON of an object: what all the platform's own answers are, its errors included. */
export const isOwnAnswer = ({ json }: WireAnswer): boolean =>
  typeof json === 'object' && json !== null && !Array.isArray(json)
