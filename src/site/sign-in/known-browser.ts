import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { keepKnownBrowser, knownBrowserCookie, readCookie } from '../../door/cookies.ts'
import { isSameSecret } from '../../door/sessions.ts'
import type { SiteContext } from '../site-context.ts'

/**
 * The `Set-Cookie` header that lets this browser show later that somebody has signed in with it (D-56): while codes of
 * many networks are refused, such browsers come first. It says who only to this service, and signs nobody in. Both sites
 * have it in common where their host is the same.
 */
export function keepKnown(context: SiteContext, accountId: string): string {
  const known = sign(context, `account ${accountId}`)
  return keepKnownBrowser(context, `${known}.${sign(context, `known ${known}`)}`)
}

/** Who has signed in with this browser before, by a name of their own; null: nobody, as far as it shows. */
export function readKnown(context: SiteContext, { cookie }: IncomingHttpHeaders): string | null {
  const [known = '', signature = ''] =
    readCookie(cookie, knownBrowserCookie(context.settings))?.split('.') ?? []
  return isSameSecret(signature, sign(context, `known ${known}`)) ? known : null
}

/** 128 bits; with the secret that all processes have in common. */
function sign({ settings }: SiteContext, text: string): string {
  return createHmac('sha256', settings.cookieSecret).update(text).digest('base64url').slice(0, 22)
}
