import { API_PREFIX } from '../contract/endpoint.ts'

/**
 * Where a service's calls begin: `https://packs.example/api/v1`, whether or not that path was given.
 *
 * @throws TypeError when the text is no plain http or https address.
 */
export const serviceAddress = (baseUrl: string): string => {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  const isPlain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === ''
  if (!isPlain) {
    throw new TypeError('baseUrl must be the address of the service, as https://packs.example')
  }
  const path = url.pathname.replace(/\/+$/, '')
  return url.origin + (path.endsWith(API_PREFIX) ? path : path + API_PREFIX)
}
