import { describe, expect, it } from 'vitest'
import { chooseCoding } from '../../src/domain/reading/requests.ts'
import { indexCodings } from '../../src/operations/search-index.ts'

describe('D-38: Accept-Encoding, as RFC 9110 (12.5.3) reads it', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip,br', 'br'],
    ['deflate, zstd', 'identity'],
    ['identity', 'identity'],
    ['*', 'br'],
    // Weights
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.5', 'br'],
    ['br; q = 0.2 , gzip;Q=0.9', 'gzip'],
    ['gzip;q=0.001', 'gzip'],
    ['gzip;q=0.5, identity', 'identity'],
    ['gzip;q=0.5, identity;q=0.5', 'gzip'],
    ['gzip;q=0.5, *;q=0.1', 'gzip'],
    ['br;q=1.000, gzip;q=0.999', 'br'],
    // Refusals
    ['br;q=0', 'identity'],
    ['br;q=0.0, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['gzip;q=0, br;q=0, *', 'identity'],
    ['*;q=0', 'identity'],
    ['*;q=0, gzip', 'gzip'],
    ['identity;q=0', 'identity'],
    ['identity;q=0, *;q=0', 'identity'],
    ['identity;q=0, gzip', 'gzip'],
    ['identity;q=0, *', 'br'],
    // What makes no sense is not an offer.
    ['br;q=2', 'identity'],
    ['br;q=high, gzip', 'gzip'],
    ['br;q=-1', 'identity'],
    ['brotli, gzipped', 'identity'],
    [';;,,=,', 'identity'],
  ])('%j: %s', (header, coding) => {
    expect(chooseCoding(header, indexCodings)).toBe(coding)
  })
})
