import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isHttpsLink } from '../../src/contract/bounds.ts'
import { partsOf } from '../../src/web/parts/links.tsx'

const linksIn = (text: string): string[] => partsOf(text).filter(isHttpsLink)

describe('a text that may have links', () => {
  it.each([
    [
      'Try https://osu.example/b/75, or (https://a.example/x).',
      ['https://osu.example/b/75', 'https://a.example/x'],
    ],
    ['https://wiki.example/NM_(mod)', ['https://wiki.example/NM_(mod)']],
    ['“https://a.example/”', ['https://a.example/']],
    ['**https://a.example/b**', ['https://a.example/b']],
    ['http://a.example javascript:alert(1) //b.example', []],
    ['https:// https://user:password@a.example/', []],
  ])('%s: %j', (text, links) => {
    expect(linksIn(text)).toEqual(links)
  })

  it('loses no character', () => {
    const piece = fc.constantFrom(
      'https://',
      'a.example',
      '/x',
      ' ',
      '(',
      ')',
      '.',
      ',',
      '<b>',
      'é',
    )
    const property = fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('')
      expect(partsOf(text).join('')).toBe(text)
    })
    fc.assert(property)
  })
})
