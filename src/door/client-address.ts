import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

/** Reads an address as proxies write it: perhaps with a port, brackets or a zone; null for anything else. */
const parseAddress = (text: string): Address | null => {
  const bare = text
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '')
  const isWhole = ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare)
  return isWhole ? ipaddr.process(bare) : null
}

const parseRange = (text: string): Range =>
  text.includes('/')
    ? ipaddr.parseCIDR(text)
    : [ipaddr.process(text), ipaddr.process(text).kind() === 'ipv4' ? 32 : 128]

const inRange = (address: Address, [base, bits]: Range): boolean =>
  address.kind() === base.kind() && address.match(base, bits)

/** What attempts are counted by: an IPv4 address, or the /64 of an IPv6 one (spec 8). */
const countedAs = (address: Address): string =>
  address.kind() === 'ipv4'
    ? address.toString()
    : (address as ipaddr.IPv6).parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')

/**
 * Tells the client's address: the socket's, or behind trusted proxies the right-most entry of
 * `X-Forwarded-For` that is not trusted itself (D-6). What stands left of that entry was written
 * by whoever sent it and counts for nothing.
 */
export const addressReader = (trustedProxies: readonly string[]) => {
  const trusted = trustedProxies.map(parseRange)
  const isTrusted = (address: Address) => trusted.some((range) => inRange(address, range))

  return (socketAddress: string | undefined, forwardedFor: string | undefined): string => {
    let client = parseAddress(socketAddress ?? '')
    if (client === null) return 'unknown'
    const hops = forwardedFor?.split(',') ?? []
    while (isTrusted(client)) {
      const hop: Address | null = parseAddress(hops.pop() ?? '')
      if (hop === null) break
      client = hop
    }
    return countedAs(client)
  }
}
