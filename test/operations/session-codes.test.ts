import { describe, expect, onTestFinished, test } from 'vitest'
import { lookAtCodes, returnCode, takeCode } from '../../src/operations/sessions.ts'
import { openHouse } from '../support/house.ts'

const MINUTE = 60_000

const house = async () => {
  const { ports, clock, close } = await openHouse()
  onTestFinished(close)
  const take = (address: string, known: string | null = null, times = 1) => {
    for (let n = 0; n < times; n += 1) takeCode(ports, address, known)
  }
  const look = (address: string, known: string | null = null) => lookAtCodes(ports, address, known)
  const back = (address: string, known: string | null = null) => returnCode(ports, address, known)
  return { clock, take, look, back }
}

const free = (failed: number, known: string | null = null) => ({ retryAfter: null, failed, known })

describe('codes of sign-ins that fail (D-91)', () => {
  test('are counted for an address before they are tried, and taken back when they have not failed', async () => {
    const { take, look, back } = await house()
    expect(look('192.0.2.1')).toEqual(free(0))
    take('192.0.2.1', null, 3)
    back('192.0.2.1')
    expect(look('192.0.2.1')).toEqual(free(2))
    expect(look('192.0.2.2')).toEqual(free(0))
  })

  test('are 20 of an address in ten minutes; what is over is not counted', async () => {
    const { take, look, back, clock } = await house()
    clock.set('2026-11-20T12:08:30.000Z')
    take('192.0.2.1', null, 19)
    expect(look('192.0.2.1')).toEqual(free(19))
    take('192.0.2.1', null, 5)
    expect(look('192.0.2.1')).toEqual({ retryAfter: 90 })
    back('192.0.2.1')
    expect(look('192.0.2.1')).toEqual(free(19))
    take('192.0.2.1', null, 1)
    clock.advance(90_000)
    expect(look('192.0.2.1')).toEqual(free(0))
  })

  test('are 60 of a /48 of IPv6, of which each /64 has its 20', async () => {
    const { take, look, back } = await house()
    const network = (at: number) => `2001:db8:7:${at}`
    for (const at of [1, 2]) take(network(at), null, 20)
    expect(look(network(1))).toMatchObject({ retryAfter: expect.any(Number) })
    expect(look(network(3))).toEqual(free(40))
    take(network(3), null, 19)
    expect(look(network(4))).toEqual(free(59))
    take(network(4))
    expect(look(network(5))).toMatchObject({ retryAfter: expect.any(Number) })
    expect(look('2001:db8:8:1')).toEqual(free(0))
    back(network(4))
    expect(look(network(5))).toEqual(free(59))
  })

  test('make a browser that is known a stranger, while one is tried or has failed in it', async () => {
    const { take, look, back, clock } = await house()
    expect(look('192.0.2.1', 'ada')).toEqual(free(0, 'ada'))
    take('192.0.2.1', 'ada')
    // Wherever it is: the address may be one of many.
    expect(look('192.0.2.1', 'ada')).toEqual(free(1))
    expect(look('192.0.2.2', 'ada')).toEqual(free(0))
    expect(look('192.0.2.1', 'eve')).toEqual(free(1, 'eve'))
    back('192.0.2.1', 'ada')
    expect(look('192.0.2.1', 'ada')).toEqual(free(0, 'ada'))
    take('192.0.2.1', 'ada')
    clock.advance(10 * MINUTE)
    expect(look('192.0.2.1', 'ada')).toEqual(free(0, 'ada'))
  })
})
