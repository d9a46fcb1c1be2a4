import type { Pack } from '../../contract/packs.ts'
import type { PoolDraft } from '../../pool/pool.ts'
import { slotLabel, slotsInPoolOrder } from '../../pool/slots.ts'
import type { Paint } from './paint.ts'
import { plain } from './plain.ts'
import { table } from './table.ts'

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
