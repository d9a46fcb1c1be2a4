import type { FastifyReply, FastifyRequest } from 'fastify'
import { SESSION_IDLE_MS } from '../../domain/session.ts'
import { cookieName, cookieText, readCookie } from '../cookies.ts'
import type { SiteSettings } from '../site-context.ts'
import { isSecure } from '../site-headers.ts'

const NAME = 'session'

/** The token that the browser holds; null when it holds none. */
export const readSessionToken = (
  { headers }: Pick<FastifyRequest, 'headers'>,
  settings: SiteSettings,
): string | null => readCookie(headers.cookie, cookieName(NAME, isSecure(settings)))

const sessionCookie = (settings: SiteSettings, value: string, maxAgeSeconds: number): string => {
  const secure = isSecure(settings)
  return cookieText({ name: cookieName(NAME, secure), value, maxAgeSeconds, isSecure: secure })
}

/** A cookie that lasts as long as an unused session does. */
export const keepSession = (settings: SiteSettings, token: string): string =>
  sessionCookie(settings, token, SESSION_IDLE_MS / 1000)

/** A cookie that takes the one before away. */
export const dropSession = (settings: SiteSettings): string => sessionCookie(settings, '', 0)

/** Sets these cookies and no others: one answer never says two things about a cookie. */
export const setCookies = (reply: FastifyReply, cookies: readonly string[]): void => {
  void reply.removeHeader('set-cookie').header('set-cookie', cookies)
}
