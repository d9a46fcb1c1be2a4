import { Type } from 'typebox'
import { CODE_PATTERN, MAX_SAFE_INTEGER } from './bounds.ts'

/** A point in time as people and programs read it: ISO 8601, UTC, milliseconds. */
export const Timestamp = Type.String({
  description: 'ISO 8601 in UTC with milliseconds.',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$',
  minLength: 24,
  maxLength: 24,
  examples: ['2026-10-03T18:30:00.000Z'],
})

/** A bucket's code, `NM` for example. */
export const Code = Type.String({
  description: 'Letters and digits of any script.',
  pattern: CODE_PATTERN,
  minLength: 1,
  maxLength: 12,
})

/** A count, or a length in seconds, or BPM. */
export const Whole = Type.Integer({ minimum: 0, maximum: MAX_SAFE_INTEGER })
