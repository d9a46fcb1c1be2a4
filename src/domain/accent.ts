type Theme = 'light' | 'dark'

/** Colours of one theme, as `#rrggbb`. */
type ThemeColors = {
  readonly accent: string
  readonly hover: string
  /** Of text on the other two. */
  readonly onAccent: string
}

/** What is made from the accent of an installation (D-103). */
export type AccentPalette = Readonly<Record<Theme, ThemeColors>>

/** What is behind the accent, as `web/style/tokens.css` has it. */
export const surfaces: Readonly<Record<Theme, Readonly<Record<string, string>>>> = {
  light: { ground: '#f6f7f9', panel: '#ffffff', sunken: '#eceff3', hover: '#eef1f5' },
  dark: { ground: '#12151c', panel: '#191e28', sunken: '#0d1016', hover: '#202633' },
}

/** The ground of what is chosen has so much of the accent in it (`web/style/my-packs.css`). */
const TINT = 0.09

/** Of text and what is behind it (WCAG 2.2, 1.4.3). Graphics need 3. */
const LEAST = 4.5

/** Lightness in OKLCH, from 0 to 1. */
const LIGHTNESS_STEP = 0.002
const HOVER_STEP = 0.08
const ON_ACCENT = { lightness: 0.2, chroma: 0.03 }

/** A colour that cannot be read in either theme. Its message follows the colour in a sentence. */
export class UnreadableAccent extends Error {}

/**
 * The colours of both themes. Where the accent can be read, it is used as it is; the other theme has its hue and chroma at
 * the nearest lightness that can be read (D-103).
 *
 * @param accent `#rrggbb`. Throws `UnreadableAccent`.
 */
export function paletteOf(accent: string): AccentPalette {
  const [light, dark] = [nearest(accent, 'light'), nearest(accent, 'dark')]
  if (light !== accent && dark !== accent)
    throw new UnreadableAccent(failureOf(accent, light, dark))
  return { light: colorsOf(light, 'light'), dark: colorsOf(dark, 'dark') }
}

/** The rules that give all pages these colours, printed ones aside. They come after those of `tokens.css`. */
export function accentCss({ light, dark }: AccentPalette): string {
  const rule = (name: string, color: keyof ThemeColors): string =>
    `--${name}:light-dark(${light[color]},${dark[color]})`
  const rules = [
    rule('accent', 'accent'),
    rule('accent-hover', 'hover'),
    rule('on-accent', 'onAccent'),
  ]
  return `@media not print{:root:root{${rules.join(';')}}}\n`
}

type Pair = { readonly name: string; readonly surface: string; readonly ratio: number }

/** The surface of a theme on which a colour is the hardest to read. */
function worstPair(color: string, theme: Theme): Pair {
  const ground = surfaces[theme]['ground']!
  const all = { ...surfaces[theme], chosen: mix(color, ground, TINT) }
  const pairs = Object.entries(all).map(([name, surface]) => ({
    name,
    surface,
    ratio: contrast(color, surface),
  }))
  return pairs.reduce((worst, pair) => (pair.ratio < worst.ratio ? pair : worst))
}

const canRead = (color: string, theme: Theme): boolean => worstPair(color, theme).ratio >= LEAST

/** The colour itself where it can be read; otherwise the darker or lighter one of its hue that can. */
function nearest(color: string, theme: Theme): string {
  const { lightness, chroma, hue } = toOklch(color)
  const step = theme === 'light' ? -LIGHTNESS_STEP : LIGHTNESS_STEP
  let shown = color
  // Black, or white, can be read.
  for (let at = lightness + step; !canRead(shown, theme); at += step) {
    shown = fromOklch({ lightness: at, chroma, hue })
  }
  return shown
}

function colorsOf(accent: string, theme: Theme): ThemeColors {
  const { lightness, chroma, hue } = toOklch(accent)
  const onAccent = theme === 'light' ? '#ffffff' : fromOklch({ ...ON_ACCENT, hue })
  const away = theme === 'light' ? -HOVER_STEP : HOVER_STEP
  // Nothing is darker than black, nor lighter than white.
  const hasRoom = lightness + away > 0 && lightness + away < 1
  const by = hasRoom ? away : -3 * away
  return { accent, hover: fromOklch({ lightness: lightness + by, chroma, hue }), onAccent }
}

function failureOf(accent: string, light: string, dark: string): string {
  const [first, second] = (['light', 'dark'] as const).map((theme) => {
    const { name, surface, ratio } = worstPair(accent, theme)
    // Rounded down: what is too low must not look as if it were enough.
    const shown = (Math.floor(ratio * 100) / 100).toFixed(2)
    return `${shown} : 1 on "${name}" (${surface}) of the ${theme} theme`
  })
  const distance = (color: string) => Math.abs(toOklch(color).lightness - toOklch(accent).lightness)
  const [near, far] = distance(light) <= distance(dark) ? [light, dark] : [dark, light]
  return `cannot be read: its contrast is ${first} and ${second}; in one of them it needs ${LEAST} : 1 on each surface. The nearest that can be read is ${near}, or ${far}`
}

/** How far two colours are apart: 1 to 21 (WCAG 2.2). */
function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one) + 0.05, luminance(other) + 0.05]
  return Math.max(a, b) / Math.min(a, b)
}

type Triple = readonly [number, number, number]

function luminance(color: string): number {
  const [red, green, blue] = linearOf(color)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const partsOf = (color: string): Triple => {
  const part = (at: number): number => Number.parseInt(color.slice(at, at + 2), 16)
  return [part(1), part(3), part(5)]
}

const hexOf = (parts: Triple): string =>
  `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

/** `share` of the first colour in the second, as `color-mix(in srgb, …)` mixes them. */
function mix(one: string, other: string, share: number): string {
  const [from, to] = [partsOf(other), partsOf(one)]
  const part = (at: 0 | 1 | 2): number => from[at] + (to[at] - from[at]) * share
  return hexOf([part(0), part(1), part(2)])
}

function linearOf(color: string): Triple {
  const [red, green, blue] = partsOf(color).map((part) => {
    const value = part / 255
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return [red!, green!, blue!]
}

/** Hue in radians. */
type Oklch = { readonly lightness: number; readonly chroma: number; readonly hue: number }

/** https://www.w3.org/TR/css-color-4/#ok-lab */
function toOklch(color: string): Oklch {
  const [r, g, b] = linearOf(color)
  const l = Math.cbrt(0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b)
  const m = Math.cbrt(0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b)
  const s = Math.cbrt(0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b)
  const lightness = 0.210_454_255_3 * l + 0.793_617_785 * m - 0.004_072_046_8 * s
  const green = 1.977_998_495_1 * l - 2.428_592_205 * m + 0.450_593_709_9 * s
  const blue = 0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766 * s
  return { lightness, chroma: Math.hypot(green, blue), hue: Math.atan2(blue, green) }
}

/** The nearest colour of less chroma where screens have none that is so strong. */
function fromOklch({ lightness, chroma, hue }: Oklch): string {
  const within = Math.min(1, Math.max(0, lightness))
  for (let share = 1; share > 0; share -= 0.02) {
    const linear = linearOfOklch({ lightness: within, chroma: chroma * share, hue })
    if (linear.every((part) => part >= -1e-4 && part <= 1.0001)) return hexOf(encoded(linear))
  }
  return hexOf(encoded(linearOfOklch({ lightness: within, chroma: 0, hue })))
}

function linearOfOklch({ lightness, chroma, hue }: Oklch): Triple {
  const [green, blue] = [chroma * Math.cos(hue), chroma * Math.sin(hue)]
  const l = (lightness + 0.396_337_777_4 * green + 0.215_803_757_3 * blue) ** 3
  const m = (lightness - 0.105_561_345_8 * green - 0.063_854_172_8 * blue) ** 3
  const s = (lightness - 0.089_484_177_5 * green - 1.291_485_548 * blue) ** 3
  return [
    4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
    -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
    -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701 * s,
  ]
}

function encoded(linear: Triple): Triple {
  const [red, green, blue] = linear.map((part) => {
    const value = Math.min(1, Math.max(0, part))
    return 255 * (value <= 0.003_130_8 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055)
  })
  return [red!, green!, blue!]
}
