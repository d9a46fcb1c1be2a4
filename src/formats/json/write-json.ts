import type { JsonLayout } from './json-layout.ts'

/** JSON that is written as it is. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type JsonValue =
  | JsonText
  | string
  | number
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

/** As a `flatDepth`: everything takes as many lines as it has parts. */
export const NEVER_FLAT = Number.POSITIVE_INFINITY

/**
 * Writes a value in the layout.
 *
 * @param indent what the line begins with on which the value begins.
 * @param flatDepth how deep inside the value things stand on one line; 0 is the value itself.
 */
export function writeJson(
  value: JsonValue,
  layout: JsonLayout,
  indent: string,
  flatDepth: number,
): string {
  if (value instanceof JsonText) return value.text
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = indent + layout.unit
  const write = (part: JsonValue): string => writeJson(part, layout, inner, flatDepth - 1)
  const [open, parts, close] = isList(value)
    ? ['[', value.map(write), ']']
    : ['{', Object.entries(value).map(([key, part]) => writeKey(key, layout) + write(part)), '}']
  if (parts.length === 0) return open + close
  if (flatDepth <= 0) return open + parts.join(layout.colon.endsWith(':') ? ',' : ', ') + close
  const lead = layout.newline + inner
  return open + lead + parts.join(`,${lead}`) + layout.newline + indent + close
}

/** A key and what stands between it and its value. */
export function writeKey(key: string, layout: JsonLayout): string {
  return JSON.stringify(key) + layout.colon
}

function isList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value)
}
