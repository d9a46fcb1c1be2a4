import {
  type Static,
  type TInteger,
  type TNumber,
  type TProperties,
  type TSchema,
  type TString,
  Type,
} from 'typebox'
import { CODE_PATTERN, HTTPS_LINK_PATTERN, MAX_SAFE_INTEGER, SLUG_PATTERN } from './bounds.ts'

export function text(description: string, minLength: number, maxLength: number, pattern?: string) {
  return Type.String({
    description,
    ...(pattern !== undefined && { pattern }),
    ...(minLength > 0 && { minLength }),
    maxLength,
  })
}

export function integer(description: string, minimum: number, maximum: number) {
  return Type.Integer({ description, minimum, maximum })
}

export function list<S extends TSchema>(items: S, description: string, maxItems: number) {
  return Type.Array(items, { description, maxItems })
}

/** A point in time as people and programs read it: ISO 8601, UTC, milliseconds. */
export const Timestamp = Type.String({
  description: 'ISO 8601 in UTC with milliseconds.',
  format: 'date-time',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$',
  minLength: 24,
  maxLength: 24,
  examples: ['2026-10-03T18:30:00.000Z'],
})

/** A point in time as any program writes it (D-88): RFC 3339, with any offset and any fraction of a second. */
export const AnyTime = Type.String({
  description: 'A time of RFC 3339, with any offset and any fraction of a second.',
  format: 'date-time',
  pattern:
    '^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]{1,32})?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})$',
  minLength: 20,
  maxLength: 64,
  examples: ['2026-10-03T18:30:00Z'],
})

/** A pack's identifier in paths (spec 2.2). */
export const Slug = Type.String({
  ...text("The pack's identifier in paths.", 10, 10, SLUG_PATTERN),
  examples: ['q7Jm2_xT0a'],
})

/** A bucket's code, `NM` for example. */
export const Code = Type.String({
  ...text('Letters and digits of any script.', 1, 12, CODE_PATTERN),
  examples: ['NM'],
})

/**
 * An address that people may follow: https, the name of a host, and no user information, in which
 * `https://good.example@evil.example/` hides where it leads. `isHttpsLink`
 * says the same of a text.
 */
export function httpsLink(description: string, maxLength: number) {
  return Type.String({
    ...text(description, 9, maxLength, HTTPS_LINK_PATTERN),
    examples: ['https://cup.example/rules'],
  })
}

/** A count, or a length in seconds, or BPM. */
export const Whole = Type.Integer({ minimum: 0, maximum: MAX_SAFE_INTEGER })

type Scalar = TString | TNumber | TInteger

export function orNull<S extends Scalar>(schema: S) {
  const { type, description, ...rest }: Scalar & { readonly description?: string } = schema
  return Type.Unsafe<Static<S> | null>({ description, type: [type, 'null'], ...rest })
}

/** The fields of every page of a list except its items (spec 2.7). */
export const pageFields = (ofTotal: string) => ({
  page: integer('The page that was asked for.', 1, MAX_SAFE_INTEGER),
  pageCount: integer('At least 1.', 1, MAX_SAFE_INTEGER),
  total: Type.Integer({ ...Whole, description: ofTotal }),
})

type About = { readonly description: string; readonly examples?: readonly object[] }

/** What a schema describes, with examples. */
export function about(description: string, ...examples: readonly object[]): About {
  return { description, examples }
}

/** An object that has these fields and no others. */
export function closed<F extends TProperties>(what: string | About, fields: F) {
  return Type.Object(fields, { additionalProperties: false, ...asOptions(what) })
}

/** An object that has these fields; others are ignored (D-17). */
export function open<F extends TProperties>(what: string | About, fields: F) {
  return Type.Object(fields, asOptions(what))
}

function asOptions(what: string | About): About {
  return typeof what === 'string' ? { description: what } : what
}
