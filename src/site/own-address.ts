import type { IncomingHttpHeaders } from 'node:http'

/** What one's own machine is called. */
const loopback = ['127.0.0.1', 'localhost', '[::1]'] as const

/**
 * Every origin that a site is reached at: its public address, and for a site on one's own machine
 * the other names of that machine, because people type any of them.
 */
export const originsOf = (ownUrl: string): readonly string[] => {
  const { origin, protocol, hostname, port } = new URL(ownUrl)
  if (!loopback.some((name) => name === hostname)) return [origin]
  const colonPort = port === '' ? '' : `:${port}`
  return [
    origin,
    ...loopback
      .filter((name) => name !== hostname)
      .map((name) => `${protocol}//${name}${colonPort}`),
  ]
}

/** The origin that a request reached the site at; the public address when it names none of them. */
export const originOf = ({ host }: IncomingHttpHeaders, ownUrl: string): string => {
  const origins = originsOf(ownUrl)
  const scheme = new URL(ownUrl).protocol
  return origins.find((origin) => origin === `${scheme}//${host}`) ?? origins[0]!
}
