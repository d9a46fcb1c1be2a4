import type { FastifyRequest } from 'fastify'
import type { ServiceName } from '../contract/services.ts'
import { isSecure, type ServiceParts } from './context.ts'

/** A cookie that scripts cannot read and other sites' forms do not send. */
type NewCookie = {
  readonly name: string
  readonly value: string
  /** 0 removes it. */
  readonly maxAgeSeconds: number
  readonly isSecure: boolean
}

/** The value of a `Set-Cookie` header. */
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
 * A cookie's name: over TLS with the prefix that keeps it to this host and away from plain HTTP,
 * so that no neighbour can plant one.
 */
export function cookieName(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name
}

/** The value of a cookie in a `Cookie` header; null when it is missing or stands there twice. */
export function readCookie(header: string | undefined, name: string): string | null {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
  return values.length === 1 ? (values[0]?.slice(name.length + 1) ?? null) : null
}

/** Whose cookie it is: those of two services on one host would replace each other. */
export type CookieOwner = Pick<ServiceParts, 'service' | 'settings'>

/** A cookie's name on one service. */
export const serviceCookie = (service: ServiceName, name: string): string =>
  service === 'packs' ? name : `${service}-${name}`

/** The token of the session that the browser holds; null when it holds none. */
export const readSessionToken = (
  { headers }: Pick<FastifyRequest, 'headers'>,
  owner: CookieOwner,
): string | null => readCookie(headers.cookie, sessionCookie(owner))

/** A cookie that lasts as long as the session can. */
export const keepSession = (owner: CookieOwner, value: string, maxAgeSeconds: number): string =>
  cookieText({
    name: sessionCookie(owner),
    value,
    maxAgeSeconds,
    isSecure: isSecure(owner.settings),
  })

/** A cookie that takes the one before away. */
export const dropSession = (owner: CookieOwner): string => keepSession(owner, '', 0)

function sessionCookie({ service, settings }: CookieOwner): string {
  return cookieName(serviceCookie(service, 'session'), isSecure(settings))
}
