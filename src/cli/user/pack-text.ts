import { createHash } from 'node:crypto'
import type { Pack } from '../../contract/packs.ts'
import type { Bucket, Slot } from '../../contract/pools.ts'
import { bucketTable, isCustom } from '../../pool/buckets.ts'
import { encodePackKey } from '../../pool/pack-key/pack-key.ts'
import type { Pool, PoolDraft } from '../../pool/pool.ts'
import { slotLabel, slotsInPoolOrder } from '../../pool/slots.ts'
import type { PackToSave } from './pool-file.ts'
import { type Paint, plain, table } from './screen.ts'

/** What of a pack its owner decides. */
export const contentOf = (pack: Pack): PackToSave => ({
  ...poolOf(pack),
  visibility: pack.visibility,
  ...(pack.description !== undefined && { description: pack.description }),
})

const inLines = (values: readonly unknown[]): string =>
  `[\n${values.map((value) => `    ${spaced(value)}`).join(',\n')}\n  ]`

/** JSON on one line, as people write it. */
const spaced = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(([name, of]) => `${JSON.stringify(name)}: ${spaced(of)}`)
  return `{ ${fields.join(', ')} }`
}

/** A pack as the JSON that the API takes, a line for each slot and each bucket. */
export const packJson = ({ name, visibility, description, slots, buckets }: PackToSave): string => {
  const fields: [string, string][] = [
    ['name', JSON.stringify(name)],
    ['visibility', JSON.stringify(visibility)],
    ...(description === undefined
      ? []
      : ([['description', JSON.stringify(description)]] as [string, string][])),
    ['slots', inLines(slots)],
    ...(buckets === null
      ? []
      : ([['buckets', inLines(buckets satisfies readonly Bucket[])]] as [string, string][])),
  ]
  return `{\n${fields.map(([field, value]) => `  "${field}": ${value}`).join(',\n')}\n}\n`
}

/** The pool that a pack holds. */
export const poolOf = ({ name, slots, buckets }: Pack): Pool => ({
  name,
  slots,
  buckets: buckets ?? null,
})

/** Of bytes. */
export const bytesPrint = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('base64url')

/** Of what a pack's owner decides; the order in which slots were sent makes no other pack (D-27). */
export const packPrint = ({ visibility, description = '', ...pool }: PackToSave): string =>
  bytesPrint(Buffer.from(JSON.stringify([encodePackKey(pool), visibility, description])))

export const count = (many: number, noun: string): string =>
  `${many} ${noun}${many === 1 ? '' : 's'}`

/** A pack's page on the site. */
export const pageOf = (site: string, { slug }: Pick<Pack, 'slug'>): string => `${site}/p/${slug}`

/** A pack in one line, as it is told after a save. */
export const savedLine = (site: string, pack: Pack): string => {
  const beatmaps = count(pack.slots.length, 'beatmap')
  return `${pack.slug}  ${plain(pack.name)}, ${beatmaps}, ${pack.visibility}: ${pageOf(site, pack)}\n`
}

/** The slots in pool order. */
export const slotTable = (pool: PoolDraft, paint: Paint): string =>
  table(
    ['SLOT', 'BEATMAP', 'LINK'],
    slotsInPoolOrder(pool).map((slot) => [
      slotLabel(slot),
      slot.beatmapId,
      `https://osu.ppy.sh/b/${slot.beatmapId}`,
    ]),
    paint,
  )

const range = (from: number, to: number, write: (value: number) => string): string =>
  from === to ? write(from) : `${write(from)}–${write(to)}`

const duration = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/** The stats in one line; empty while there are none. */
export const statsLine = ({ stats }: Pick<Pack, 'stats'>): string => {
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

/** What was taken away and what came in its place; null for nothing. */
export type Difference = {
  /** `name`, `slot`. */
  readonly what: string
  readonly before: string | null
  readonly after: string | null
}

const bucketWords = ({ buckets }: PackToSave): string =>
  bucketTable(buckets)
    .map((bucket) => {
      if (!isCustom(bucket)) return bucket.code
      const { code, color, mods } = bucket
      const played =
        mods === undefined ? '' : mods.kind === 'free' ? ' free' : ` ${mods.set.join('')}`
      return `${code}(colour ${color}${played})`
    })
    .join(' ')

const textOf = (slot: Slot): string => `${slotLabel(slot)} ${slot.beatmapId}`

/** How two states of a pack differ; none when both are the same. */
export const differences = (before: PackToSave, after: PackToSave): Difference[] => {
  const texts = (pack: PackToSave): readonly (readonly [what: string, text: string])[] => [
    ['name', pack.name],
    ['visibility', pack.visibility],
    ['description', pack.description ?? ''],
    ['buckets', bucketWords(pack)],
  ]
  const others = texts(after)
  const fields = texts(before).flatMap(([what, text], at): Difference[] => {
    const other = others[at]?.[1] ?? ''
    return text === other ? [] : [{ what, before: text || null, after: other || null }]
  })
  return [...fields, ...slotDifferences(before, after)]
}

const slotDifferences = (before: PackToSave, after: PackToSave): Difference[] => {
  const [old, fresh] = [slotsInPoolOrder(before), slotsInPoolOrder(after)]
  const [olds, freshes] = [new Set(old.map(textOf)), new Set(fresh.map(textOf))]
  const gone = old.filter((slot) => !freshes.has(textOf(slot)))
  const come = fresh.filter((slot) => !olds.has(textOf(slot)))
  const changed = gone.map((slot): Difference => {
    const at = come.findIndex((other) => slotLabel(other) === slotLabel(slot))
    const [other] = at < 0 ? [] : come.splice(at, 1)
    return { what: 'slot', before: textOf(slot), after: other === undefined ? null : textOf(other) }
  })
  const added = come.map((slot) => ({ what: 'slot', before: null, after: textOf(slot) }))
  return [...changed, ...added]
}

/** The differences, a line for each side of each. */
export const differenceLines = (found: readonly Difference[], paint: Paint): string =>
  found
    .flatMap(({ what, before, after }) => {
      const words = what === 'slot' ? '' : `${what}: `
      return [
        before === null ? '' : `${paint.removed(`- ${words}${plain(before)}`)}\n`,
        after === null ? '' : `${paint.added(`+ ${words}${plain(after)}`)}\n`,
      ]
    })
    .join('')
