import type { FastifyRequest } from 'fastify'
import type { ServiceName } from '../contract/services.ts'
import { isSecure, type ServiceParts } from './context.ts'

type NewCookie = {
  readonly name: string
  readonly value: string
  /** 0 removes it. */
  readonly maxAgeSeconds: number
  readonly isSecure: boolean
}

/** A `Set-Cookie` value that scripts cannot read and other sites' forms do not send. */
export function cookieText({ name, value, maxAgeSeconds, isSecure }: NewCookie): string {
  return [
    `${name}=${value}`,
    'Path=/',
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
  ].join('; ')
}

/**
 * A cookie's name: over TLS with the prefix that binds it to this host and to TLS, so that no
 * neighbouring host can set it.
 */
export function cookieName(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name
}

/** The value of a cookie in a `Cookie` header; null if it is missing or sent twice. */
export function readCookie(header: string | undefined, name: string): string | null {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
  return values.length === 1 ? (values[0]?.slice(name.length + 1) ?? null) : null
}

/** The service of a cookie: two services on one host share their cookies. */
export type CookieOwner = Pick<ServiceParts, 'service' | 'settings'>

/** A cookie's name on one service. */
export const serviceCookie = (service: ServiceName, name: string): string =>
  service === 'packs' ? name : `${service}-${name}`

/** The browser's session token; null if it has none. */
export const readSessionToken = (
  { headers }: Pick<FastifyRequest, 'headers'>,
  owner: CookieOwner,
): string | null => readCookie(headers.cookie, sessionCookie(owner))

export const keepSession = (owner: CookieOwner, value: string, maxAgeSeconds: number): string =>
  cookieText({
    name: sessionCookie(owner),
    value,
    maxAgeSeconds,
    isSecure: isSecure(owner.settings),
  })

/** A `Set-Cookie` value that removes the session cookie. */
export const dropSession = (owner: CookieOwner): string => keepSession(owner, '', 0)

function sessionCookie({ service, settings }: CookieOwner): string {
  return cookieName(serviceCookie(service, 'session'), isSecure(settings))
}
