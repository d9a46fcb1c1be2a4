import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressReader } from '../../src/door/wire.ts'

const direct = addressReader([])
const group = fc.integer({ min: 0, max: 0xff_ff })
const groups = fc.array(group, { minLength: 8, maxLength: 8 })
const ipv6 = (parts: readonly number[]): string => parts.map((each) => each.toString(16)).join(':')
const ipv4 = fc
  .array(fc.integer({ min: 0, max: 255 }), { minLength: 4, maxLength: 4 })
  .map((parts) => parts.join('.'))

describe('the address that requests are counted by (D-6)', () => {
  it('is the network of 64 bits of an IPv6 address: the same for its own, another one for others', () => {
    fc.assert(
      fc.property(groups, groups, fc.nat({ max: 3 }), group, (one, host, place, changed) => {
        fc.pre(one.slice(0, 6).some((each) => each !== 0) && one[place] !== changed)
        const [network, within] = [one.slice(0, 4), host.slice(4)]
        expect(direct(ipv6([...network, ...within]))).toBe(direct(ipv6(one)))
        const other = network.with(place, changed)
        expect(direct(ipv6([...other, ...within]))).not.toBe(direct(ipv6(one)))
      }),
    )
    expect(direct('1:23::1')).not.toBe(direct('12:3::1'))
  })

  it('is an IPv4 address, also where it is written as IPv6', () => {
    fc.assert(
      fc.property(ipv4, (address) => {
        expect(direct(address)).toBe(address)
        expect(direct(`::ffff:${address}`)).toBe(address)
      }),
    )
  })

  it('is the right-most of a forwarded request that no trusted proxy has, however it is written', () => {
    const behind = addressReader(['10.0.0.0/8', '192.0.2.7', 'fd00::/8'])
    const proxies = fc.array(fc.constantFrom('10.1.2.3', '192.0.2.7', 'fd00::1', '[fd00::2]:443'))
    const claims = fc.array(fc.oneof(ipv4, fc.constant('nonsense')))
    const written = fc.constantFrom('A', ' A ', 'A:443')
    fc.assert(
      fc.property(ipv4, claims, proxies, written, (address, left, right, form) => {
        fc.pre(!/^10\.|^192\.0\.2\.7$/.test(address))
        const forwarded = [...left, form.replace('A', address), ...right].join(',')
        expect(behind('10.9.9.9', forwarded)).toBe(address)
        expect(direct('10.9.9.9', forwarded)).toBe('10.9.9.9')
      }),
    )
  })

  it('is that of the last proxy known where the next entry is none', () => {
    const behind = addressReader(['10.0.0.0/8'])
    for (const forwarded of [
      '',
      'nonsense',
      '1.2.3.4,nonsense',
      '1.2.3.4,',
      '300.1.1.1',
      '1.2.3',
    ]) {
      expect(behind('10.9.9.9', forwarded)).toBe('10.9.9.9')
      expect(behind('10.9.9.9', `${forwarded},10.8.8.8`)).toBe('10.8.8.8')
    }
  })

  it('is “unknown” without one', () => {
    for (const none of ['', 'nonsense', '1.2.3']) expect(direct(none)).toBe('unknown')
  })
})
