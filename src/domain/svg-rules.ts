// What an SVG picture may hold to be served and drawn (D-104).

export const SVG = 'http://www.w3.org/2000/svg'

const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`, 'i')
const reference = String.raw`url\(\s*#[A-Za-z_][\w.-]*\s*\)`

const length = whole(
  String.raw`[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d{1,3})?(?:px|pt|mm|cm|in|em|%)?`,
)
const numbers = /^[\d\s,.e+-]*$/i
const word = /^[A-Za-z][A-Za-z -]*$/
const paint = whole(
  String.raw`none|[a-z]+|#[0-9a-f]{3,8}|(?:rgb|hsl)a?\([\d\s.,%/+-]+\)|${reference}(?:\s+(?:none|[a-z]+|#[0-9a-f]{3,8}))?`,
)
const local = whole(`none|${reference}`)
const words = /^[^<>]*$/

/** What may be given as an attribute or in `style`. */
const presentation: Readonly<Record<string, RegExp>> = {
  ...each(paint, 'fill', 'stroke', 'stop-color', 'color'),
  ...each(length, 'opacity', 'fill-opacity', 'stroke-opacity', 'stop-opacity'),
  ...each(length, 'stroke-width', 'stroke-miterlimit', 'stroke-dashoffset'),
  ...each(word, 'fill-rule', 'clip-rule', 'stroke-linecap', 'stroke-linejoin', 'display'),
  ...each(word, 'visibility', 'shape-rendering', 'mask-type', 'paint-order', 'vector-effect'),
  'stroke-dasharray': /^(?:none|[\d\s,.e+%px-]+)$/i,
  ...each(local, 'clip-path', 'mask'),
}

const geometry: Readonly<Record<string, RegExp>> = {
  ...each(length, 'x', 'y', 'width', 'height', 'cx', 'cy', 'r', 'rx', 'ry', 'fx', 'fy', 'fr'),
  ...each(length, 'x1', 'y1', 'x2', 'y2', 'offset', 'pathLength'),
  ...each(numbers, 'points', 'viewBox'),
  d: /^[\d\s,.eE+MLHVCSQTAZmlhvcsqtaz-]*$/,
  ...each(
    whole(String.raw`(?:(?:matrix|translate|scale|rotate|skewX|skewY)\s*\([\d\s,.e+-]*\)[\s,]*)+`),
    'transform',
    'gradientTransform',
  ),
  ...each(word, 'gradientUnits', 'spreadMethod', 'clipPathUnits', 'maskUnits', 'maskContentUnits'),
}

const attributes: Readonly<Record<string, RegExp>> = {
  ...presentation,
  ...geometry,
  id: /^[A-Za-z_][\w.-]*$/,
  ...each(words, 'class', 'role', 'aria-label', 'aria-hidden', 'focusable', 'data-name'),
  ...each(/^[\w.]*$/, 'version', 'baseProfile'),
  'xml:space': /^(?:default|preserve)$/,
  xmlns: /^http:\/\/www\.w3\.org\/2000\/svg$/,
  'xmlns:xlink': /^http:\/\/www\.w3\.org\/1999\/xlink$/,
}

export const shapes: readonly string[] = [
  'path',
  'rect',
  'circle',
  'ellipse',
  'line',
  'polyline',
  'polygon',
]
export const gradients = ['linearGradient', 'radialGradient']
const contents = ['g', 'defs', ...shapes, ...gradients, 'clipPath', 'mask', 'title', 'desc']

/** Each element that there may be, and what it may hold. */
export const elements: Readonly<Record<string, readonly string[]>> = {
  svg: contents,
  g: contents,
  defs: contents,
  ...Object.fromEntries(shapes.map((name) => [name, ['title', 'desc']])),
  ...Object.fromEntries(gradients.map((name) => [name, ['stop', 'title', 'desc']])),
  stop: [],
  clipPath: [...shapes, 'title', 'desc'],
  mask: ['g', ...shapes, 'title', 'desc'],
  title: [],
  desc: [],
}

export const isHref = (name: string): boolean => name === 'href' || name === 'xlink:href'

/** Whether an element may have an attribute with this value. */
export function isAllowed(element: string, name: string, value: string): boolean {
  if (isHref(name)) return gradients.includes(element) && /^#[A-Za-z_][\w.-]*$/.test(value)
  if (name === 'style') return declarationsOf(value) !== null
  return Object.hasOwn(attributes, name) && attributes[name]!.test(value)
}

/** null where one of them is not allowed. */
export function declarationsOf(
  style: string,
): readonly (readonly [property: string, value: string])[] | null {
  const found = style.split(';').flatMap((each) => {
    if (each.trim() === '') return []
    const [, property = '', value = ''] = /^\s*([a-z-]+)\s*:([^:]*)$/.exec(each) ?? []
    return [[property, value.trim()] as const]
  })
  const isGood = found.every(
    ([property, value]) =>
      Object.hasOwn(presentation, property) && presentation[property]!.test(value),
  )
  return isGood ? found : null
}

function each(pattern: RegExp, ...names: readonly string[]): Record<string, RegExp> {
  return Object.fromEntries(names.map((name) => [name, pattern]))
}
