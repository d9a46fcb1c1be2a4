import type { FastifyRequest } from 'fastify'
import { MINUTE_MS } from '../../contract/quotas.ts'
import { BoundedMap } from '../../domain/loading.ts'
import type { SiteContext } from '../site-context.ts'

type Warn = (request: FastifyRequest, cause: string, details: object, message: string) => void
export type SignInContext = SiteContext & { readonly warn: Warn }

/** Logs each cause once a minute at most, with how many others were left out: anybody can cause them. */
export function createWarn(clock: SiteContext['ports']['clock']): Warn {
  const lines = new BoundedMap<string, { readonly at: number; others: number }>({ maxEntries: 100 })

  return (request, cause, details, message) => {
    const now = clock.now()
    const last = lines.peek(cause)
    if (last !== undefined && Math.abs(now - last.at) < MINUTE_MS) {
      last.others += 1
      return
    }
    lines.set(cause, { at: now, others: 0 })
    const others = last?.others || undefined
    request.log.warn({ requestId: request.id, ...details, others }, message)
  }
}

/** Errors of OAuth that the same page will bring to everybody. */
const setUpErrors = ['invalid_scope', 'invalid_client', 'unauthorized_client']

/** Logs an error that the platform sent somebody back with, and returns which page reports it. */
export function noteRefusal(
  { warn }: SignInContext,
  request: FastifyRequest,
  error: string,
): 'set_up_wrongly' | 'platform_refused' {
  const isOfSetUp = setUpErrors.includes(error)
  const remedy = isOfSetUp
    ? 'check the scopes and redirect addresses of the application of PLATFORM_CLIENT_ID, unless the address was made up'
    : undefined
  const named = isErrorName.test(error) ? { error } : {}
  const message = 'the platform refused to sign somebody in'
  // Names of other errors may be anybody's, and as many as they like.
  warn(request, `${message} ${isOfSetUp ? error : ''}`, { ...named, remedy }, message)
  return isOfSetUp ? 'set_up_wrongly' : 'platform_refused'
}

/** An error of OAuth, such as `invalid_scope`, and nothing else that somebody may write into our log. */
const isErrorName = /^[a-z_]{1,40}$/
