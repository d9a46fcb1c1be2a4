import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accentCss, paletteOf, surfaces, UnreadableAccent } from '../../src/domain/accent.ts'
import { contrast } from '../support/contrast.ts'

const themes = ['light', 'dark'] as const
const tokens = readFileSync(new URL('../../src/web/style/tokens.css', import.meta.url), 'utf8')
const tints = readFileSync(new URL('../../src/web/style/my-packs.css', import.meta.url), 'utf8')
/** Percent of the accent in the ground of what is chosen. */
const tint = Number(
  /color-mix\(in srgb, var\(--accent\) (\d+)%, var\(--ground\)\)/.exec(tints)?.[1],
)

const tokenOf = (name: string, theme: 'light' | 'dark'): string => {
  const found = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens) ?? []
  return found[theme === 'light' ? 1 : 2] ?? ''
}

const tinted = (ground: string, color: string, share: number): string =>
  [1, 3, 5].reduce((text, at) => {
    const [from, to] = [ground, color].map((each) => Number.parseInt(each.slice(at, at + 2), 16))
    const part = Math.round(from! + (to! - from!) * share)
    return text + part.toString(16).padStart(2, '0')
  }, '#')

/** The lowest contrast of a colour with what the style sheets put it on. */
const worstOf = (color: string, theme: 'light' | 'dark'): number => {
  const grounds = ['ground', 'panel', 'sunken', 'hover'].map((name) => tokenOf(name, theme))
  const all = [...grounds, tinted(grounds[0]!, color, tint / 100)]
  return Math.min(...all.map((ground) => contrast(color, ground)))
}

const refusalOf = (accent: string): string => {
  try {
    paletteOf(accent)
  } catch (error) {
    if (error instanceof UnreadableAccent) return error.message
    throw error
  }
  throw new Error(`${accent} can be read`)
}

const anyColor = fc
  .integer({ min: 0, max: 0xff_ff_ff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`)

describe('D-103: the accent of an installation', () => {
  it('is checked on the surfaces that the style sheets have', () => {
    for (const theme of themes) {
      expect(Object.keys(surfaces[theme])).toEqual(['ground', 'panel', 'sunken', 'hover'])
      for (const [name, color] of Object.entries(surfaces[theme])) {
        expect(color, `${name} of ${theme}`).toBe(tokenOf(name, theme))
      }
    }
    expect(tint).toBe(9)
  })

  it('is refused, or every pair of both themes can be read, and one theme has it as it is', () => {
    fc.assert(
      fc.property(anyColor, (accent) => {
        let palette
        try {
          palette = paletteOf(accent)
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableAccent)
          expect(themes.map((theme) => worstOf(accent, theme) < 4.5)).toEqual([true, true])
          return
        }
        expect(themes.map((theme) => palette[theme].accent)).toContain(accent)
        for (const theme of themes) {
          const { accent: shown, hover, onAccent } = palette[theme]
          expect(worstOf(shown, theme)).toBeGreaterThanOrEqual(4.5)
          expect(worstOf(hover, theme)).toBeGreaterThanOrEqual(4.5)
          expect(contrast(onAccent, shown)).toBeGreaterThanOrEqual(4.5)
          expect(contrast(onAccent, hover)).toBeGreaterThanOrEqual(4.5)
          expect(hover).not.toBe(shown)
          // No farther from the accent than it has to be.
          if (shown !== accent) expect(worstOf(shown, theme)).toBeLessThan(4.65)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('that is refused comes with the nearest two that are not, which look alike', () => {
    fc.assert(
      fc.property(anyColor, (accent) => {
        fc.pre(themes.every((theme) => worstOf(accent, theme) < 4.5))
        const [near = '', far = ''] = refusalOf(accent).match(/#[0-9a-f]{6}(?=, or|$)/g) ?? []
        for (const named of [near, far]) {
          const palette = paletteOf(named)
          expect(themes.map((theme) => palette[theme].accent)).toContain(named)
        }
        expect(Math.abs(contrast(near, accent))).toBeLessThan(1.7)
      }),
      { numRuns: 300 },
    )
  })

  it('is refused with its pairs, what they have and what is needed', () => {
    expect(refusalOf('#e5267a')).toBe(
      'cannot be read: its contrast is 3.51 : 1 on "chosen" (#f4e4ee) of the light theme and 3.52 : 1 on "hover" (#202633) of the dark theme; in one of them it needs 4.5 : 1 on each surface. The nearest that can be read is #fc418c, or #c90267',
    )
  })

  it('comes after the rules of the style sheets, and not in print', () => {
    expect(accentCss(paletteOf('#7a1fa2'))).toBe(
      '@media not print{:root:root{--accent:light-dark(#7a1fa2,#bc67e9);--accent-hover:light-dark(#600383,#d385fe);--on-accent:light-dark(#ffffff,#1b1220)}}\n',
    )
  })
})
