import { describe, expect, it } from 'vitest'
import { plainDigits } from '../../src/pool/text.ts'
import { numberingSystems } from '../support/numbering-systems.ts'

describe('digits that are typed', () => {
  it.each(numberingSystems)('as %s has them are those of numbers', (system) => {
    const format = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false })
    for (const number of [1234567890, 2026, 0, 7]) {
      expect(plainDigits(`#${format.format(number)} x`)).toBe(`#${number} x`)
    }
  })
  it('are read of all scripts that Unicode has', () => {
    expect(numberingSystems.length).toBeGreaterThan(50)
    expect(plainDigits('x².五 ١٢-٣')).toBe('x².五 12-3')
  })
})
