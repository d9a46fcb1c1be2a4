import { createHash } from 'node:crypto'
import type { Difference } from '../../contract/history.ts'
import type { Pack } from '../../contract/packs.ts'
import type { Slot } from '../../contract/pools.ts'
import type { DifferenceWords } from '../../pool/difference-words.ts'
import { englishLine, englishWords } from '../../pool/english-differences.ts'
import { type PackField, sentFields, storedFields } from '../../pool/pack-fields.ts'
import { encodePackKey } from '../../pool/pack-key/pack-key.ts'
import type { Pool, PoolDraft } from '../../pool/pool.ts'
import { slotLabel, slotsInPoolOrder } from '../../pool/slots.ts'
import { type Paint, plain, table } from './screen.ts'

export type PackToSave = Pool & Pick<Pack, PackField>

export function poolOf({
  name,
  slots,
  buckets,
}: Omit<Pool, 'buckets'> & Pick<PoolDraft, 'buckets'>): Pool {
  return { name, slots, buckets: buckets ?? null }
}

/** The part of a pack that its owner decides. */
export const contentOf = (
  pack: Pick<Pack, 'name' | 'slots' | 'buckets' | PackField>,
): PackToSave => ({ ...poolOf(pack), ...sentFields(storedFields(pack)) })

/** A pack as the JSON that the API takes, a line for each slot and each bucket. */
export function packJson(pack: PackToSave): string {
  const { visibility, ...fields } = sentFields(pack)
  const { name, slots, buckets } = pack
  return linesJson({ name, visibility, ...fields, slots, buckets: buckets ?? undefined })
}

/** An object as JSON, with a line for each field and for each item of a list; undefined is left out. */
export function linesJson(fields: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(fields).flatMap(([field, value]) => {
    if (value === undefined) return []
    return [`  ${JSON.stringify(field)}: ${Array.isArray(value) ? inLines(value) : spaced(value)}`]
  })
  return `{\n${lines.join(',\n')}\n}\n`
}

function inLines(values: readonly unknown[]): string {
  if (values.length === 0) return '[]'
  return `[\n${values.map((value) => `    ${spaced(value)}`).join(',\n')}\n  ]`
}

/** JSON on one line, as people write it. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).flatMap(([name, of]) =>
    of === undefined ? [] : [`${JSON.stringify(name)}: ${spaced(of)}`],
  )
  return `{ ${fields.join(', ')} }`
}

export const bytesPrint = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('base64url')

/** A fingerprint of what the owner decides; packs with the same slots in another order are equal (D-27). */
export function contentPrint(pack: PackToSave): string {
  const { visibility, description, ...others } = storedFields(pack)
  const further = Object.values(others).some((value) => value !== null) ? [others] : []
  // In an order that stays: folders keep prints between calls.
  const parts = [encodePackKey(poolOf(pack)), visibility, description ?? '', ...further]
  return bytesPrint(Buffer.from(JSON.stringify(parts)))
}

export const packPrint = (pack: Pack): string => contentPrint(contentOf(pack))

export const count = (many: number, noun: string): string =>
  `${many} ${noun}${many === 1 ? '' : 's'}`

const MAX_LISTED = 10

export function firstOf(texts: readonly string[]): string {
  const more = texts.length - MAX_LISTED
  return texts.slice(0, MAX_LISTED).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

export const pageOf = (site: string, { slug }: Pick<Pack, 'slug'>): string => `${site}/p/${slug}`

export function savedLine(site: string, pack: Pack): string {
  const beatmaps = count(pack.slots.length, 'beatmap')
  return `${pack.slug}  ${plain(pack.name)}, ${beatmaps}, ${pack.visibility}: ${pageOf(site, pack)}\n`
}

export function slotTable(pool: PoolDraft, paint: Paint): string {
  const rows = slotsInPoolOrder(pool).map((slot) => {
    return [slotLabel(slot), slot.beatmapId, `https://osu.ppy.sh/b/${slot.beatmapId}`]
  })
  return table(['SLOT', 'BEATMAP', 'LINK'], rows, paint)
}

/** The stats in one line; empty if there are none. */
export function statsLine({ stats }: Pick<Pack, 'stats'>): string {
  if (stats === undefined) return ''
  const { srMin, srMax, srAvg, lenMin, lenMax, bpmMin, bpmMax, complete } = stats
  const parts = [
    srMin !== null && srMax !== null && `★ ${range(srMin, srMax, (sr) => sr.toFixed(2))}`,
    srAvg !== null && `average ${srAvg.toFixed(2)}`,
    lenMin !== null && lenMax !== null && range(lenMin, lenMax, duration),
    bpmMin !== null && bpmMax !== null && `${range(bpmMin, bpmMax, String)} BPM`,
    !complete && 'not all of it known yet',
  ]
  return parts.filter((part) => part !== false).join(', ')
}

function range(from: number, to: number, write: (value: number) => string): string {
  return from === to ? write(from) : `${write(from)}–${write(to)}`
}

function duration(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** The differences as lines, moved beatmaps with their ids if the slots before are given. */
export function differenceLines(
  found: readonly Difference[],
  paint: Paint,
  before: readonly Slot[] = [],
): string {
  return wordLines(
    found.map((each) => englishWords(each, { before })),
    paint,
  )
}

/** What has changed, a line each. */
export function wordLines(words: readonly DifferenceWords[], { removed, added }: Paint): string {
  const lines = words.map(({ what, from, to }) => {
    return englishLine({
      what: plain(what),
      from: from && removed(plain(from)),
      to: to && added(plain(to)),
    })
  })
  return lines.map((line) => `${line}\n`).join('')
}
