// What the server renders pages with, in place of Preact: the same HTML in a fraction of the time, since nothing is
// rendered twice. `vite.config.ts` puts this file where the pages import Preact.
import type { VNode } from 'preact'

type Props = Readonly<Record<string, unknown>>
type Text = string | number | boolean
type Component = (props: Props) => unknown
type Node = { readonly type: string | Component; readonly props: Props }

/** What JSX becomes. */
export const jsx = (type: Node['type'], props: Props): Node => ({ type, props })
export { jsx as jsxs }
export const Fragment: Component = ({ children }) => children

/** Of `dangerouslySetInnerHTML`. */
const HTML = '__html'
type Given = { readonly [HTML]: string }

/** What was written so far, and how many ids were given. */
let html = ''
let ids = 0

/** As `preact-render-to-string` writes it, but never `style`, which the content security policy blocks. */
export function renderToString(content: VNode): string {
  const [outer, outerIds] = [html, ids]
  html = ''
  ids = 0
  try {
    write(content, false)
    return html
  } finally {
    html = outer
    ids = outerIds
  }
}

/** @param chosen the value of the `<select>` that it is in. */
function write(content: unknown, isSvg: boolean, chosen?: unknown): void {
  if (typeof content === 'string') html += escape(content)
  else if (typeof content === 'number') html += content
  else if (Array.isArray(content)) for (const each of content) write(each, isSvg, chosen)
  else if (typeof content === 'object' && content !== null) {
    const { type, props } = content as Node
    if (typeof type === 'string') writeElement(type, props, isSvg, chosen)
    else write(type(props), isSvg, chosen)
  }
}

function writeElement(tag: string, props: Props, isSvg: boolean, chosen: unknown): void {
  const attributes = isSvg ? svgAttributes : htmlAttributes
  let { children } = props
  let own = chosen
  let given: string | undefined
  html += `<${tag}`
  for (const prop in props) {
    const value = props[prop]
    if (value === undefined || value === null || typeof value === 'function') continue
    const { name, isText } = attributes.get(prop) ?? learn(attributes, prop, isSvg)
    if (name === '') {
      if (prop === 'dangerouslySetInnerHTML') given = (value as Given)[HTML]
      continue
    }
    if (name === 'value') {
      if (tag === 'textarea') children = value
      else if (tag === 'select') own = value
      if (tag === 'textarea' || tag === 'select') continue
      if (tag === 'option' && chosen === value) html += ' selected'
    }
    if (value === '' || (value === true && !isText)) html += ` ${name}`
    else if (value !== false || isText) html += ` ${name}="${escape(`${value as Text}`)}"`
  }
  if (voidElements.has(tag)) {
    html += '/>'
    return
  }
  html += '>'
  if (given === undefined) write(children, tag === 'svg' || (isSvg && tag !== 'foreignObject'), own)
  else html += given
  html += `</${tag}>`
}

/** How a property is written: by which name, if at all; `isText`: `true` and `false` are words. */
type Attribute = { readonly name: string; readonly isText: boolean }

const htmlAttributes = new Map<string, Attribute>()
const svgAttributes = new Map<string, Attribute>()

const names: Readonly<Record<string, string>> = {
  children: '',
  key: '',
  ref: '',
  style: '',
  dangerouslySetInnerHTML: '',
  htmlFor: 'for',
  defaultChecked: 'checked',
  defaultValue: 'value',
  viewBox: 'viewBox',
  preserveAspectRatio: 'preserveAspectRatio',
}

function learn(attributes: Map<string, Attribute>, prop: string, isSvg: boolean): Attribute {
  const isText = /^(?:aria|data)-/.test(prop) || prop === 'draggable' || prop === 'spellcheck'
  // Of SVG, pages use no others with capitals.
  const attribute = { name: names[prop] ?? (isSvg ? prop : prop.toLowerCase()), isText }
  attributes.set(prop, attribute)
  return attribute
}

const voidElements = new Set(['br', 'col', 'hr', 'img', 'input', 'source', 'wbr'])

const entities: Readonly<Record<string, string>> = { '"': '&quot;', '&': '&amp;', '<': '&lt;' }
const escape = (text: string): string =>
  /["&<]/.test(text) ? text.replaceAll(/["&<]/g, (sign) => entities[sign]!) : text

// The hooks, for what is rendered once and then gone.

const nothing = (): void => {}
const startOf = <T>(start: T | (() => T)): T =>
  typeof start === 'function' ? (start as () => T)() : start

export const useState = <T>(start?: T | (() => T)) => [startOf(start), nothing] as const
export const useMemo = <T>(make: () => T): T => make()
export const useCallback = <T>(callback: T): T => callback
export const useRef = <T>(current: T): { current: T } => ({ current })
export const useId = (): string => `P0-${ids++}`
export const useErrorBoundary = () => [undefined, nothing] as const
export { nothing as useEffect, nothing as useLayoutEffect }

// What only a browser calls, but both import.
export { nothing as hydrate, nothing as render }
export const options = {}
