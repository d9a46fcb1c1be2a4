import { type Static, Type } from 'typebox'
import { EXPORT_URL_LENGTH } from './bounds.ts'
import { magnetExample } from './examples.ts'
import { Timestamp } from './primitives.ts'

/** A magnet link that the owner recorded on the site (spec 2.5). */
export const MagnetExport = Type.Object(
  {
    kind: Type.Literal('magnet'),
    url: Type.String({
      description: 'The magnet link.',
      pattern: '^magnet:\\?',
      minLength: 8,
      maxLength: EXPORT_URL_LENGTH,
    }),
    createdAt: Timestamp,
  },
  {
    additionalProperties: false,
    description: 'A magnet link that the owner recorded on the site.',
    examples: [magnetExample],
  },
)
export type MagnetExport = Static<typeof MagnetExport>
