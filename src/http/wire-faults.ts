import type { IncomingMessage } from 'node:http'

/** What the HTTP parser lets pass and we do not: said for people, or null when all is well. */
export const findWireFault = (message: IncomingMessage): string | null => {
  const { httpVersion, rawHeaders, headers } = message
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'speak HTTP/1.1 or HTTP/1.0'
  const hosts = headers.host === undefined ? 0 : countHeader(rawHeaders, 'host')
  if (hosts > 1) return 'send one Host header'
  if (hosts === 0 && httpVersion === '1.1') return 'send a Host header'
  if (!/^chunked$/i.test(headers['transfer-encoding'] ?? 'chunked')) {
    return 'of Transfer-Encoding only chunked is supported'
  }
  return null
}

const countHeader = (rawHeaders: readonly string[], name: string): number => {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at]
    if (header?.length === name.length && header.toLowerCase() === name) count++
  }
  return count
}
