import { isIPv6 } from 'node:net'
import type { Config } from './config.ts'

const everywhere: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** How this machine reaches one of its own ports. */
export const localUrl = ({ host, tls }: Pick<Config, 'host' | 'tls'>, port: number): string => {
  const scheme = tls === null ? 'http' : 'https'
  const name = everywhere.has(host) ? 'localhost' : host
  return `${scheme}://${isIPv6(name) ? `[${name}]` : name}:${port}`
}
