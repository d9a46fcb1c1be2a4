import type { ServiceName } from './services.ts'

// What both sites know of a browser. Cookies ignore ports, so sites on one host share them; a cookie of a domain that is
// above both hosts is shared, too. None of these is a secret.

/** The cookie with the theme that was chosen, `light` or `dark`, on both sites; without it, the system's. */
export const THEME_COOKIE = 'theme'

/** The cookie with the language that was chosen, on both sites; without it, what the browser asks for. */
export const LANGUAGE_COOKIE = 'language'

/** What an address asks for a language by. */
export const LANGUAGE_PARAMETER = 'lang'

/** The cookie that says that this browser was signed in on a service, for the other one to ask there. */
export const signedInCookie = (service: ServiceName): string => `signed-in-${service}`

export const otherService = (service: ServiceName): ServiceName =>
  service === 'packs' ? 'pools' : 'packs'

/**
 * The value of `Domain` of the cookies that both sites share: empty if they have one host, null if browsers can share
 * nothing between their addresses. A domain that belongs to no single owner, such as `co.uk`, is refused by browsers.
 */
export function sharedDomain(siteUrl: string, poolsUrl: string): string | null {
  const [one, other] = [hostOf(siteUrl), hostOf(poolsUrl)]
  if (one === other) return ''
  if (isAddress(one) || isAddress(other)) return null
  const [labels, others] = [one.split('.').toReversed(), other.split('.').toReversed()]
  const differs = labels.findIndex((label, at) => label !== others[at])
  const common = differs === -1 ? labels : labels.slice(0, differs)
  return common.length < 2 ? null : common.toReversed().join('.')
}

/** Of an origin, in lower case. */
const hostOf = (url: string): string => /^https?:\/\/(\[.*\]|[^:/]+)/.exec(url)?.[1] ?? ''

/** Of an IP address, no part is a domain. */
const isAddress = (host: string): boolean => /^[\d.]+$|^\[/.test(host)
