import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sharedDomain } from '../../src/contract/visitor.ts'

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,6}$/)
const labels = (least: number) => fc.array(label, { minLength: least, maxLength: 3 })
const origin = (parts: readonly string[], port: number) => `https://${parts.join('.')}:${port}`
const port = fc.integer({ min: 1, max: 65_535 })

/** A browser takes a cookie of a domain from a host, and sends it to a host, that is the domain or below it. */
const isBelow = (host: string, domain: string): boolean =>
  host === domain || host.endsWith(`.${domain}`)

describe('the domain of the cookies that both sites share', () => {
  test('is none of its own on one host, whatever the ports', () => {
    fc.assert(
      fc.property(labels(1), port, port, (host, one, other) => {
        expect(sharedDomain(origin(host, one), origin(host, other))).toBe('')
      }),
    )
  })

  test('is above both hosts, never a single label, and the longest such one', () => {
    fc.assert(
      fc.property(labels(0), labels(0), labels(1), port, (one, other, common, at) => {
        const hosts = [
          [...one, ...common],
          [...other, ...common],
        ].map((parts) => parts.join('.'))
        const [first = '', second = ''] = hosts
        const domain = sharedDomain(`https://${first}`, `https://${second}:${at}`)
        expect(sharedDomain(`https://${second}`, `https://${first}`)).toBe(domain)
        const parts = first.split('.')
        const candidates = parts.map((_, from) => parts.slice(from))
        const shared = candidates.filter(
          (all) => all.length > 1 && hosts.every((host) => isBelow(host, all.join('.'))),
        )
        const longest = shared[0]?.join('.') ?? null
        expect(domain).toBe(first === second ? '' : longest)
      }),
    )
  })

  test.each([
    ['http://127.0.0.1:8080', 'http://127.0.0.2:8080'],
    ['http://10.0.0.1', 'http://11.0.0.1'],
    ['http://[::1]:80', 'http://[::2]:80'],
    ['http://127.0.0.1', 'http://localhost'],
  ])('is none of %s and %s: a part of an address is no domain', (one, other) => {
    expect(sharedDomain(one, other)).toBeNull()
  })

  test('is none of its own on one address', () => {
    expect(sharedDomain('http://[::1]:80', 'http://[::1]:81')).toBe('')
    expect(sharedDomain('http://127.0.0.1:80', 'http://127.0.0.1:81')).toBe('')
  })
})
