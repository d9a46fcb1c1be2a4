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

function writeElement(name: string, props: Props, isSvg: boolean, chosen: unknown): void {
  const tag = tags.get(name) ?? learnTag(name)
  const attributes = isSvg ? svgAttributes : htmlAttributes
  let { children } = props
  let own = chosen
  let given: string | undefined
  html += tag.start
  for (const prop in props) {
    const value = props[prop]
    if (value === undefined || value === null || typeof value === 'function') continue
    const attribute = attributes.get(prop) ?? learn(attributes, prop, isSvg)
    if (attribute.written !== null && typeof value === 'string') {
      html += attribute.written.get(value) ?? learnValue(attribute, value)
      continue
    }
    if (attribute.name === '') {
      if (prop === 'dangerouslySetInnerHTML') given = (value as Given)[HTML]
      continue
    }
    if (attribute.name === 'value') {
      if (name === 'textarea') children = value
      else if (name === 'select') own = value
      if (name === 'textarea' || name === 'select') continue
      if (name === 'option' && chosen === value) html += ' selected'
    }
    html += attributeText(attribute, value)
  }
  if (tag.end === null) {
    html += '/>'
    return
  }
  html += '>'
  if (given === undefined)
    write(children, name === 'svg' || (isSvg && name !== 'foreignObject'), own)
  else html += given
  html += tag.end
}

function attributeText({ name, isText }: Attribute, value: unknown): string {
  if (value === '' || (value === true && !isText)) return ` ${name}`
  return value !== false || isText ? ` ${name}="${escape(`${value as Text}`)}"` : ''
}

// What is the same on each page is put together once: most of what a page costs is the memory of its pieces.

/** `end`: null for an element without content. */
type Tag = { readonly start: string; readonly end: string | null }

const voidElements = new Set(['br', 'col', 'hr', 'img', 'input', 'source', 'wbr'])
const tags = new Map<string, Tag>()

function learnTag(name: string): Tag {
  const tag = { start: `<${name}`, end: voidElements.has(name) ? null : `</${name}>` }
  tags.set(name, tag)
  return tag
}

type Attribute = {
  /** By which name it is written, if at all. */
  readonly name: string
  /** `true` and `false` are words. */
  readonly isText: boolean
  /** By its value, as it is written; null where pages have many values. */
  readonly written: Map<string, string> | null
}

const htmlAttributes = new Map<string, Attribute>()
const svgAttributes = new Map<string, Attribute>()

/** Properties that have few values. */
const repeated = new Set(['class', 'role', 'scope', 'type', 'aria-hidden', 'data-mod', 'viewBox'])
const MOST_VALUES = 500

function learnValue(attribute: Attribute, value: string): string {
  const text = attributeText(attribute, value)
  if (attribute.written!.size < MOST_VALUES) attribute.written!.set(value, text)
  return text
}

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
  const name = names[prop] ?? (isSvg ? prop : prop.toLowerCase())
  const attribute = { name, isText, written: repeated.has(prop) ? new Map() : null }
  attributes.set(prop, attribute)
  return attribute
}

const entities: Readonly<Record<string, string>> = { '"': '&quot;', '&': '&amp;', '<': '&lt;' }
const [QUOTE, AMPERSAND, LESS] = [0x22, 0x26, 0x3c]

/** Most texts are short and have nothing to escape: looking at each letter takes less than starting an expression. */
function escape(text: string): string {
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at)
    if (letter === QUOTE || letter === AMPERSAND || letter === LESS) {
      return text.replaceAll(/["&<]/g, (sign) => entities[sign]!)
    }
  }
  return text
}

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
