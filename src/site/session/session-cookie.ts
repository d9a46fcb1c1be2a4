import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceName } from '../../contract/services.ts'
import { cookieName, cookieText, readCookie } from '../cookies.ts'
import type { SiteContext } from '../site-context.ts'
import { isSecure } from '../site-headers.ts'

/** Whose cookie it is: those of two services on one host would replace each other. */
export type CookieOwner = Pick<SiteContext, 'service' | 'settings'>

/** A cookie's name on one service. */
export const serviceCookie = (service: ServiceName, name: string): string =>
  service === 'packs' ? name : `${service}-${name}`

const nameOf = ({ service, settings }: CookieOwner): string =>
  cookieName(serviceCookie(service, 'session'), isSecure(settings))

/** The token that the browser holds; null when it holds none. */
export const readSessionToken = (
  { headers }: Pick<FastifyRequest, 'headers'>,
  owner: CookieOwner,
): string | null => readCookie(headers.cookie, nameOf(owner))

/** A cookie that lasts as long as the session can. */
export const keepSession = (owner: CookieOwner, value: string, maxAgeSeconds: number): string =>
  cookieText({ name: nameOf(owner), value, maxAgeSeconds, isSecure: isSecure(owner.settings) })

/** A cookie that takes the one before away. */
export const dropSession = (owner: CookieOwner): string => keepSession(owner, '', 0)

/** Sets these cookies and no others: one answer never says two things about a cookie. */
export const setCookies = (reply: FastifyReply, cookies: readonly string[]): void => {
  void reply.removeHeader('set-cookie').header('set-cookie', cookies)
}
