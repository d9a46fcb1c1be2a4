import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import type { AccentPalette } from '../../src/domain/accent.ts'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What depends on colours: everything else is the same in both themes, which differ in nothing else. */
const OF_COLORS = ['color-contrast', 'link-in-text-block']

/** What axe leaves out unless it is asked: of WCAG 2.2, and rules that its makers still watch. */
const ASKED = [
  'target-size',
  'label-content-name-mismatch',
  'css-orientation-lock',
  'table-fake-caption',
  'td-has-header',
]
const asked = Object.fromEntries(ASKED.map((id) => [id, { enabled: true }]))
const withoutColors = Object.fromEntries(OF_COLORS.map((id) => [id, { enabled: false }]))

type Theme = 'light' | 'dark'
type Violation = { readonly id: string; readonly nodes: readonly { readonly html: string }[] }
type Finding = { readonly width: number; readonly violations: readonly Violation[] }

/**
 * What axe finds wrong with the page as it is now, in the theme that it has and in the other one, a line
 * each; empty when nothing. The theme is the system's, unless one was chosen.
 *
 * @param hasColors false: of a page whose colours are tried elsewhere, as that takes two thirds of the time.
 */
export const axeViolations = async (page: Page, { hasColors = true } = {}): Promise<string[]> => {
  const [isThere, theme] = (await page.evaluate(
    `['axe' in globalThis, matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light']`,
  )) as [boolean, Theme]
  if (!isThere) await page.evaluate(source)
  if (!hasColors) return linesOf(theme, await run(page, { rules: { ...asked, ...withoutColors } }))
  const other = theme === 'dark' ? 'light' : 'dark'
  const first = await run(page, { rules: asked })
  await page.emulateMedia({ colorScheme: other })
  const second = await run(page, { runOnly: OF_COLORS })
  await page.emulateMedia({ colorScheme: theme })
  return [
    ...linesOf(theme, first),
    ...linesOf(other, second),
    ...(first.width === second.width ? [] : [`${first.width} px wide, ${other} ${second.width}`]),
  ]
}

/**
 * What axe finds of the page's colours in both themes, with an accent in place of the installation's: of texts that have
 * another colour with it, and of those that lie on a box that has. All others are as `axeViolations` has found them.
 */
export const accentViolations = async (
  page: Page,
  { light, dark }: AccentPalette,
): Promise<string[]> => {
  const colors = { accent: 'accent', 'accent-hover': 'hover', 'on-accent': 'onAccent' } as const
  const values = Object.entries(colors).map(([name, key]) => [
    `--${name}`,
    `light-dark(${light[key]}, ${dark[key]})`,
  ])
  const found: string[] = []
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme })
    if (!(await page.evaluate(recolor, values))) continue
    const finding = await run(page, { runOnly: OF_COLORS }, `{ include: ['[data-recolored]'] }`)
    found.push(...linesOf(theme, finding))
  }
  await page.evaluate(`document.documentElement.removeAttribute('style')`)
  return found
}

/** Sets properties of the page, and marks the texts whose colour or ground that changes; false: there is none. */
const recolor = (values: readonly (readonly string[])[]): boolean => {
  const root = document.documentElement
  root.removeAttribute('style')
  const all = Array.from(document.body.querySelectorAll('*'))
  const colorsOf = (each: Element): readonly [text: string, ground: string] => {
    const { color, backgroundColor, backgroundImage } = getComputedStyle(each)
    return [color, backgroundColor + backgroundImage]
  }
  const before = all.map(colorsOf)
  for (const [name, value] of values) root.style.setProperty(name!, value!)
  const after = all.map(colorsOf)
  const grounds = all
    .filter((_, at) => before[at]![1] !== after[at]![1])
    .map((each) => each.getBoundingClientRect())
  const isOnOne = (each: Element): boolean => {
    const { left, right, top, bottom } = each.getBoundingClientRect()
    return grounds.some(
      (ground) =>
        left < ground.right && ground.left < right && top < ground.bottom && ground.top < bottom,
    )
  }
  let isAny = false
  for (const [at, each] of all.entries()) {
    const isText = Array.from(each.childNodes).some(({ nodeType }) => nodeType === Node.TEXT_NODE)
    const isMarked = isText && (before[at]![0] !== after[at]![0] || isOnOne(each))
    each.toggleAttribute('data-recolored', isMarked)
    isAny ||= isMarked
  }
  return isAny
}

const run = (page: Page, options: object, within = 'document'): Promise<Finding> => {
  // All that passes as well would be megabytes.
  const all = JSON.stringify({ resultTypes: ['violations'], ...options })
  return page.evaluate(
    `axe.run(${within}, ${all}).then(({ violations }) => ({
      violations: violations.map((each) => ({ ...each, nodes: each.nodes.filter((node) => ${IS_FAULT}) })),
      width: document.documentElement.scrollWidth,
    }))`,
  )
}

/** What a bar covers that stays where it is while one scrolls is no small target. */
const IS_FAULT = `(() => {
  if (each.id !== 'target-size') return true
  const { width, height } = document.querySelector(node.target[0]).getBoundingClientRect()
  return width < 24 || height < 24
})()`

const linesOf = (theme: Theme, { violations }: Finding): string[] =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${theme}: ${id}: ${html}`))
