import type { IncomingMessage } from 'node:http'

export type WireFault = {
  /** For people. */
  readonly message: string
  /** Another reader of these bytes may see other requests in them: nothing more is read. */
  readonly closes: boolean
}

const faults = {
  version: { message: 'speak HTTP/1.1 or HTTP/1.0', closes: true },
  twoHosts: { message: 'send one Host header', closes: true },
  noHost: { message: 'send a Host header', closes: true },
  encoding: { message: 'of Transfer-Encoding only chunked is supported', closes: true },
  twoKeys: { message: 'send one Authorization header', closes: false },
} satisfies Record<string, WireFault>

/** What the HTTP parser lets pass and we do not; null when all is well. */
export const findWireFault = (message: IncomingMessage): WireFault | null => {
  const { httpVersion, rawHeaders, headers } = message
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return faults.version
  let hosts = 0
  let keys = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === HOST.length && name.toLowerCase() === HOST) hosts++
    else if (name?.length === KEY.length && name.toLowerCase() === KEY) keys++
  }
  if (hosts > 1) return faults.twoHosts
  if (hosts === 0 && httpVersion === '1.1') return faults.noHost
  if (!/^chunked$/i.test(headers['transfer-encoding'] ?? 'chunked')) return faults.encoding
  return keys > 1 ? faults.twoKeys : null
}

const HOST = 'host'
const KEY = 'authorization'
