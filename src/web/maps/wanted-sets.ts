import type { RoundSlot } from '../../contract/rounds.ts'
import { slotLabel } from '../../pool/slots.ts'
import { fileStem } from '../../pool/text.ts'
import { formatList } from '../format.ts'
import { plannedText } from '../pool/round-extras.tsx'
import type { SlotView } from '../pool/slots.ts'

/** A set of beatmaps that a pool needs. */
export type WantedSet = {
  readonly id: number
  /** Its slots: `NM1 and DT2`. */
  readonly label: string
  /** `Nine Rivers – Harbour`. */
  readonly title: string
  /** In the archive: names sort as the pool does, and every file system takes them. */
  readonly name: string
  /** Where the host says that it can be had. */
  readonly links: readonly string[]
}

/** A slot whose beatmap is on no mirror, because it has no beatmap yet. */
type LinkedSlot = { readonly label: string; readonly title: string; readonly link: string }

/** In UTF-16 units, as Windows counts. */
const LONGEST_NAME = 100
/** As Linux counts; names may have 255. */
const LONGEST_NAME_BYTES = 200

/**
 * The sets of a pool, each once, where its first slot is; slots whose beatmap is not known, or in no set, have none.
 *
 * @param round the slots of the round that the pool was released for.
 */
export function wantedSets(
  slots: readonly SlotView[],
  round: readonly RoundSlot[] = [],
): readonly WantedSet[] {
  const links = Map.groupBy(round, ({ beatmapId }) => beatmapId)
  const known = slots.flatMap(({ label, slot, beatmap }) =>
    beatmap.state === 'known' && beatmap.details.setId > 0
      ? [{ label, slot, ...beatmap.details }]
      : [],
  )
  const digits = String(slots.length).length
  return [...Map.groupBy(known, ({ setId }) => setId)].map(([id, all], at) => {
    const { label, artist, title } = all[0]!
    const place = String(at + 1).padStart(digits, '0')
    const linked = all.flatMap(({ slot }) => links.get(slot.beatmapId) ?? [])
    return {
      id,
      label: formatList([...new Set(all.map((each) => each.label))]),
      title: `${artist} – ${title}`,
      name: `${shortened(fileStem(`${place} ${label} ${id} ${artist} - ${title}`))}.osz`,
      links: [...new Set(linked.flatMap(({ link }) => link ?? []))],
    }
  })
}

export function linkedSlots(round: readonly RoundSlot[]): readonly LinkedSlot[] {
  return round.flatMap((slot) => {
    const { beatmapId, link } = slot
    if (beatmapId !== undefined || link === undefined) return []
    return [{ label: slotLabel(slot), title: plannedText(slot), link }]
  })
}

/** As much of a name as fits, cut between characters as readers see them. */
function shortened(name: string): string {
  let short = ''
  let bytes = 0
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(
    name,
  )) {
    bytes += new TextEncoder().encode(segment).length
    if (short.length + segment.length > LONGEST_NAME || bytes > LONGEST_NAME_BYTES) break
    short += segment
  }
  return short.replace(/[.\s]+$/, '')
}
