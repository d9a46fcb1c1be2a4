// The drawings of docs/into-the-game.md: what happens in the game, of which no pictures can be taken here.
import { readFileSync } from 'node:fs'

type Theme = 'light' | 'dark'
type Colour = 'ground' | 'panel' | 'line' | 'edge' | 'ink' | 'quiet-ink' | 'accent' | 'on-accent'

const tokens = readFileSync(new URL('../src/web/style/tokens.css', import.meta.url), 'utf8')

/** A colour of the site in a theme, as the style sheet has it. */
function colourOf(name: string, theme: Theme): string {
  const [, light, dark] =
    new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(tokens) ?? []
  const colour = theme === 'light' ? light : dark
  if (colour === undefined) throw new Error(`tokens.css has no ${name} for both themes`)
  return colour
}

const [WIDTH, HEIGHT] = [720, 264]
/** Of buckets, by their codes. */
const chips = { NM: '#60a5fa', HD: '#facc15', HR: '#f87171', DT: '#c084fc' } as const
const slots = [
  ['NM1', 'Slow Comet'],
  ['NM2', 'Salt on Copper'],
  ['HD1', 'Eleven Doors'],
  ['HR1', 'Glass Harbour'],
] as const

/** Draws with the colours of one theme. */
class Pen {
  readonly #theme: Theme

  constructor(theme: Theme) {
    this.#theme = theme
  }

  box(x: number, y: number, width: number, height: number, fill: Colour, stroke: Colour): string {
    return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" fill="${this.#of(fill)}" stroke="${this.#of(stroke)}"/>`
  }

  text(x: number, y: number, text: string, colour: Colour = 'ink', more = ''): string {
    return `<text x="${x}" y="${y}" fill="${this.#of(colour)}"${more}>${text}</text>`
  }

  /** A window with its title. */
  window(x: number, y: number, width: number, height: number, title: string): string {
    return [
      this.box(x, y, width, height, 'panel', 'edge'),
      `<path d="M${x} ${y + 32}h${width}" stroke="${this.#of('line')}"/>`,
      this.text(x + 14, y + 21, title, 'quiet-ink'),
    ].join('')
  }

  arrow(from: number, to: number, y: number): string {
    return `<path d="M${from} ${y}H${to}m-10 -8l10 8l-10 8" fill="none" stroke="${this.#of('accent')}" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" stroke-dasharray="${to - from > 60 ? '8 7' : 'none'}"/>`
  }

  triangle(path: string): string {
    return `<path d="${path}" fill="none" stroke="${this.#of('accent')}" stroke-width="2" stroke-linejoin="round"/>`
  }

  button(x: number, y: number, width: number, label: string): string {
    const middle = ' text-anchor="middle" font-weight="600"'
    return (
      this.box(x, y, width, 32, 'accent', 'accent') +
      this.text(x + width / 2, y + 21, label, 'on-accent', middle)
    )
  }

  /** A slot's code, and beside it words. */
  slot(x: number, y: number, label: string, words: string): string {
    const chip = chips[label.slice(0, 2) as keyof typeof chips]
    return [
      `<rect x="${x}" y="${y}" width="40" height="22" rx="6" fill="${chip}" fill-opacity="${this.#theme === 'light' ? 0.45 : 0.35}"/>`,
      this.text(x + 20, y + 16, label, 'ink', ' text-anchor="middle" font-weight="600"'),
      this.text(x + 50, y + 16, words),
    ].join('')
  }

  #of(name: Colour): string {
    return colourOf(name, this.#theme)
  }
}

const drawings: Readonly<Record<string, (pen: Pen) => readonly string[]>> = {
  'drag-maps': (pen) => [
    pen.window(24, 24, 300, 216, 'Harbour Cup, unpacked'),
    ...slots.flatMap(([label, title], at) => [
      pen.box(36, 66 + 42 * at, 276, 34, 'ground', 'accent'),
      pen.text(50, 88 + 42 * at, `${at + 1} ${label} ${title}.osz`),
    ]),
    pen.arrow(338, 414, 144),
    pen.window(432, 24, 264, 216, 'The game'),
    `<circle cx="564" cy="136" r="46" fill="none" stroke="#f472b6" stroke-width="8"/>`,
    pen.text(564, 216, '4 sets imported', 'ink', ' text-anchor="middle"'),
  ],
  'open-in-game': (pen) => [
    pen.window(24, 24, 236, 216, 'The page of the pack'),
    ...slots.slice(0, 3).map(([label, title], at) => pen.slot(38, 76 + 44 * at, label, title)),
    `<circle cx="240" cy="131" r="15" fill="none" stroke="#f472b6" stroke-width="2"/>`,
    pen.triangle('M236 124v14l10 -7z'),
    pen.arrow(266, 288, 131),
    pen.window(294, 72, 176, 118, 'The browser asks'),
    pen.text(308, 128, 'Open the game?'),
    pen.button(372, 146, 84, 'Open'),
    pen.arrow(476, 498, 131),
    pen.window(504, 24, 192, 216, 'The game'),
    pen.box(516, 68, 168, 76, 'ground', 'line'),
    pen.text(528, 100, 'Salt on Copper', 'ink', ' font-weight="600"'),
    pen.text(528, 124, 'by quillfoot', 'quiet-ink'),
    pen.button(516, 160, 168, 'Play or download'),
  ],
  collection: (pen) => [
    pen.window(24, 24, 268, 216, 'collection.db, yours'),
    ...['Streams', 'Favourites'].flatMap((name, at) => [
      pen.box(38, 68 + 46 * at, 240, 38, 'ground', 'line'),
      pen.text(52, 92 + 46 * at, name),
    ]),
    pen.box(38, 160, 240, 38, 'ground', 'accent'),
    pen.text(52, 184, '+ Harbour Cup', 'accent', ' font-weight="600"'),
    pen.arrow(306, 382, 132),
    pen.window(400, 24, 296, 216, 'The game, song select'),
    pen.box(414, 66, 268, 34, 'ground', 'edge'),
    pen.text(428, 88, 'Collection: Harbour Cup'),
    pen.triangle('M658 79h12l-6 8z'),
    ...slots.map(([label, title], at) => pen.slot(418, 112 + 31 * at, label, title)),
  ],
}

/** Every drawing in both themes, by the name of its file. */
export const drawGuide = (): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(drawings).flatMap(([name, draw]) =>
      (['light', 'dark'] as const).map((theme) => {
        const ground = `<rect width="${WIDTH}" height="${HEIGHT}" fill="${colourOf('ground', theme)}"/>`
        const parts = [ground, ...draw(new Pen(theme))].join('\n')
        return [
          `${name}-${theme}.svg`,
          `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="14">\n${parts}\n</svg>\n`,
        ]
      }),
    ),
  )
