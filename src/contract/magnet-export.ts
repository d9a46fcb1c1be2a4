import { type Static, Type } from 'typebox'
import { EXPORT_URL_LENGTH } from './bounds.ts'
import { Timestamp } from './primitives.ts'

/** A magnet link that the owner recorded on the site (spec 2.5). */
export const MagnetExport = Type.Object(
  {
    kind: Type.Literal('magnet'),
    url: Type.String({ maxLength: EXPORT_URL_LENGTH }),
    createdAt: Timestamp,
  },
  {
    additionalProperties: false,
    description: 'A magnet link that the owner recorded on the site.',
    examples: [
      {
        kind: 'magnet',
        url: 'magnet:?xt=urn:btih:0123456789abcdef0123456789abcdef01234567',
        createdAt: '2026-10-03T18:30:00.000Z',
      },
    ],
  },
)
export type MagnetExport = Static<typeof MagnetExport>
