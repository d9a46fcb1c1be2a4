import { aPack } from '../support/samples.ts'
import { badBody, type BadCase } from './case.ts'

const slot = { mod: 'NM', index: 1, beatmapId: 75 }
const points = [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069]
const breaks = [0x2028, 0x2029]

const refused = (point: number, place: string, body: unknown): BadCase => {
  const shown = `U+${point.toString(16).toUpperCase()}`
  return badBody(
    `${shown} in ${place} (D-47)`,
    body,
    new RegExp(
      `^${place.replace(/[[\].]/g, '\\$&')} must not contain ${shown.replace('+', '\\+')}: `,
    ),
  )
}

/** A name that shows nothing, in one way each. */
const unseen = [
  '\u200b',
  '\u00ad\u2060',
  '\u3164',
  '\u115f \u1160',
  '\uffa0',
  '\u2800',
  '\ufe0f\u0301',
]

/** Texts that would turn the text around them, or show nothing (D-47). */
export const badDirections: readonly BadCase[] = [
  ...[...points, ...breaks].flatMap((point) => {
    const text = String.fromCodePoint(point)
    const buckets = [{ code: 'NM' as const }, { code: `R${text}C`, color: 0 }]
    return [
      refused(point, 'name', aPack({ name: `Cup${text}2026` })),
      refused(point, 'buckets[1].code', aPack({ buckets })),
      refused(point, 'slots[1].mod', aPack({ slots: [slot, { ...slot, mod: `R${text}C` }] })),
    ]
  }),
  ...points.map((point) =>
    refused(point, 'description', aPack({ description: `a${String.fromCodePoint(point)}\nb` })),
  ),
  ...unseen.map((name) =>
    badBody(
      `${JSON.stringify(name)} is no name to see (D-47)`,
      aPack({ name }),
      'name must have at least one visible character',
    ),
  ),
]
