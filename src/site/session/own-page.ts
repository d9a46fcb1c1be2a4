import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { CSRF_HEADER } from '../../contract/endpoint.ts'
import { Failure } from '../../contract/errors.ts'
import type { Session } from '../../domain/sessions.ts'
import { originOf } from '../own-address.ts'

/** Where browsers say a request comes from that another site's page makes. */
const foreign: ReadonlySet<string> = new Set(['cross-site', 'same-site'])

const isOwn = (headers: IncomingHttpHeaders, ownUrl: string): boolean => {
  const from = headers['sec-fetch-site']?.toString()
  if (from !== undefined && foreign.has(from)) return false
  if (headers.origin === undefined) return from === 'same-origin'
  return headers.origin === originOf(headers, ownUrl)
}

/**
 * Refuses what does not come from a page of this very site: by `Origin`, where the browser sends
 * it, else by `Sec-Fetch-Site`; what carries neither comes from no page.
 */
export const refuseOtherPages = (headers: IncomingHttpHeaders, ownUrl: string): void => {
  if (isOwn(headers, ownUrl)) return
  throw new Failure('forbidden', `this request must come from a page of this site; open ${ownUrl}`)
}

/** Are the two the same? How long that takes does not tell where they differ. */
export const isSameSecret = (given: string, held: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(held)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Refuses what lacks the session's token: a page that could not read it did not ask. */
export const refuseWithoutToken = (headers: IncomingHttpHeaders, { csrf }: Session): void => {
  const given = headers[CSRF_HEADER]
  if (typeof given === 'string' && isSameSecret(given, csrf)) return
  throw new Failure('forbidden', 'this page is out of date; reload it and try again')
}
