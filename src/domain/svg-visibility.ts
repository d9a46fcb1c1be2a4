import { declarationsOf, shapes } from './svg-rules.ts'

/** An element of a picture, as far as it is read here. */
type SvgElement = {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly parent: SvgElement | null
}

/** What is in these is drawn only where something refers to it. */
const aside = new Set(['defs', 'clipPath', 'mask', 'linearGradient', 'radialGradient'])

/**
 * Whether an element draws anything, as far as that can be told without drawing it: a shape with a size and with paint that
 * is not transparent. Where it is, and what it is clipped to, is not looked at.
 */
export function isDrawn(element: SvgElement): boolean {
  if (!shapes.includes(element.name) || !hasSize(element)) return false
  for (let at: SvgElement | null = element; at !== null; at = at.parent) {
    if (aside.has(at.name) || own(at, 'display') === 'none' || isNothing(own(at, 'opacity'))) {
      return false
    }
    // Browsers show what is visible within it, which the library that draws icons does not.
    if (/^(?:hidden|collapse)$/.test(own(at, 'visibility') ?? '')) return false
  }
  return isPainted(element, 'fill', 'black') || isPainted(element, 'stroke', 'none')
}

function isPainted(element: SvgElement, kind: 'fill' | 'stroke', unless: string): boolean {
  const paint = (inherited(element, kind) ?? unless).toLowerCase()
  if (paint === 'none' || paint === 'transparent') return false
  if (kind === 'fill' && element.name === 'line') return false
  if (kind === 'stroke' && isNothing(inherited(element, 'stroke-width'))) return false
  return !isNothing(inherited(element, `${kind}-opacity`))
}

/** Without these, nothing is drawn of it. */
const needed: Readonly<Record<string, readonly string[]>> = {
  path: ['d'],
  rect: ['width', 'height'],
  circle: ['r'],
  polyline: ['points'],
  polygon: ['points'],
}

function hasSize({ name, attributes }: SvgElement): boolean {
  return (needed[name] ?? []).every((each) => {
    const value = attributes.get(each) ?? ''
    return value !== '' && (each === 'd' || each === 'points' || !isNothing(value))
  })
}

/** Numbers and percentages alike. */
const isNothing = (value: string | undefined): boolean =>
  value !== undefined && Number.parseFloat(value) <= 0

function own({ attributes }: SvgElement, property: string): string | undefined {
  const styled = declarationsOf(attributes.get('style') ?? '') ?? []
  const last = styled.findLast(([name]) => name === property)
  return last?.[1] ?? attributes.get(property)
}

function inherited(element: SvgElement, property: string): string | undefined {
  for (let at: SvgElement | null = element; at !== null; at = at.parent) {
    const value = own(at, property)
    if (value !== undefined && value !== 'inherit') return value
  }
  return undefined
}
