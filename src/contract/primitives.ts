import { type TProperties, Type } from 'typebox'
import { CODE_PATTERN, MAX_SAFE_INTEGER, SLUG_PATTERN } from './bounds.ts'

/** A point in time as people and programs read it: ISO 8601, UTC, milliseconds. */
export const Timestamp = Type.String({
  description: 'ISO 8601 in UTC with milliseconds.',
  format: 'date-time',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$',
  minLength: 24,
  maxLength: 24,
  examples: ['2026-10-03T18:30:00.000Z'],
})

/** A pack's identifier in paths (spec 2.2). */
export const Slug = Type.String({
  description: "The pack's identifier in paths.",
  pattern: SLUG_PATTERN,
  minLength: 10,
  maxLength: 10,
  examples: ['q7Jm2_xT0a'],
})

/** A bucket's code, `NM` for example. */
export const Code = Type.String({
  description: 'Letters and digits of any script.',
  pattern: CODE_PATTERN,
  minLength: 1,
  maxLength: 12,
  examples: ['NM'],
})

/** A count, or a length in seconds, or BPM. */
export const Whole = Type.Integer({ minimum: 0, maximum: MAX_SAFE_INTEGER })

/** A value that may be null. */
export const orNull = <T>(
  type: 'number' | 'integer' | 'string',
  { description, ...rest }: { readonly description?: string; readonly [keyword: string]: unknown },
) => Type.Unsafe<T | null>({ description, type: [type, 'null'], ...rest })

/** What every page of a list says of itself (spec 2.7). */
export const pageFields = (ofTotal: string) => ({
  page: Type.Integer({
    description: 'The page that was asked for.',
    minimum: 1,
    maximum: MAX_SAFE_INTEGER,
  }),
  pageCount: Type.Integer({ description: 'At least 1.', minimum: 1, maximum: MAX_SAFE_INTEGER }),
  total: Type.Integer({ ...Whole, description: ofTotal }),
})

/** An object that has these fields and no others. */
export const closed = <F extends TProperties>(
  fields: F,
  description: string,
  ...examples: readonly object[]
) =>
  Type.Object(fields, {
    additionalProperties: false,
    description,
    ...(examples.length > 0 && { examples }),
  })
