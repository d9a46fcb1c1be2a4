import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { builtin, custom } from '../../src/site/preview/colors.ts'
import { starColor, starInk, starStops } from '../../src/web/parts/stars.tsx'
import { contrast } from '../support/contrast.ts'

const css = readFileSync(new URL('../../src/web/style/tokens.css', import.meta.url), 'utf8')
/** Name → its colour in the light and in the dark theme. */
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }],
  ),
)
const color = (name: string, theme: 'light' | 'dark'): string => {
  const token = tokens.get(name)
  if (token === undefined) throw new Error(`there is no --${name}`)
  return token[theme]
}

const grounds = ['ground', 'panel', 'sunken', 'hover']
const on = (inks: readonly string[], least: number) =>
  inks.flatMap((ink) => grounds.map((ground) => [ink, ground, least] as const))

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  it.each([
    ...on(['ink'], 12),
    ...on(['quiet-ink'], 6.2),
    ['quiet-ink', 'ground', 7],
    ['quiet-ink', 'panel', 7],
    ...on(['accent', 'accent-hover', 'danger', 'gold'], 4.5),
    ...on(['edge'], 3),
    ['on-accent', 'accent', 4.5],
    ['on-accent', 'accent-hover', 4.5],
    ['on-danger', 'danger', 4.5],
    ['ground', 'ink', 7],
  ] as const)('%s on %s is at least %d : 1', (ink, ground, least) => {
    expect(contrast(color(ink, theme), color(ground, theme))).toBeGreaterThanOrEqual(least)
  })
})

describe('the colours of buckets', () => {
  const fixed = new Map(
    [...css.matchAll(/--((?:custom-)?\w+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  )
  const names = ['nm', 'hd', 'hr', 'dt', 'fm']

  it('a custom colour is never that of a built-in bucket, and can be read in the dark', () => {
    const builtins = names.map((name) => fixed.get(name))
    for (let place = 0; place < 10; place += 1) {
      const value = fixed.get(`custom-${place}`) ?? ''
      expect(builtins).not.toContain(value)
      expect(contrast(value, color('panel', 'dark')), value).toBeGreaterThanOrEqual(4.5)
    }
  })

  it('the first custom colour is a green that differs from FM by more than half its light', () => {
    const [fm, green] = [fixed.get('fm') ?? '', fixed.get('custom-0') ?? '']
    expect(contrast(fm, green)).toBeGreaterThan(1.7)
    const [red, greenPart, blue] = [1, 3, 5].map((at) =>
      Number.parseInt(green.slice(at, at + 2), 16),
    )
    expect(greenPart).toBeGreaterThan(1.5 * Math.max(red ?? 0, blue ?? 0))
  })

  it('pictures have the colours of pages', () => {
    expect(custom).toEqual(Array.from({ length: 10 }, (_, place) => fixed.get(`custom-${place}`)))
    for (const name of names) {
      expect(builtin[name.toUpperCase() as keyof typeof builtin]).toBe(fixed.get(name))
    }
  })
})

describe('the star spectrum', () => {
  it('has the colours that players know at its stops', () => {
    for (const [stars, rgb] of starStops) {
      expect(starColor(stars)).toBe(`#${rgb.toString(16).padStart(6, '0')}`)
    }
  })

  it('ends where its stops end', () => {
    expect(starColor(0)).toBe(starColor(0.1))
    expect(starColor(15)).toBe('#000000')
  })

  it('mixes with gamma 2.2 between stops', () => {
    // Half way from #7cff4f to #f6f05c.
    expect(starColor(2.9)).toBe('#c5f856')
  })

  it('has text that can be read on it, dark below 6.5, then gold wherever gold can be read', () => {
    const styles = readFileSync(new URL('../../src/web/style/stars.css', import.meta.url), 'utf8')
    const inkOf = (stars: number): string => {
      const rule = new RegExp(`\\.${starInk(stars)} \\{\\s*color: #([0-9a-f]{3,6});`)
      const digits = rule.exec(styles)?.[1] ?? ''
      return `#${digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits}`
    }
    for (let hundredths = 0; hundredths <= 1_500; hundredths += 1) {
      const stars = hundredths / 100
      const least = contrast(starColor(stars), inkOf(stars))
      expect(least, `${stars}`).toBeGreaterThanOrEqual(4.5)
      expect(inkOf(stars) === '#000000').toBe(stars < 6.5)
      const isGold = stars >= 6.5 && contrast(starColor(stars), '#ffd966') >= 4.5
      expect(inkOf(stars) === '#ffd966', `${stars}`).toBe(isGold)
    }
  })
})
