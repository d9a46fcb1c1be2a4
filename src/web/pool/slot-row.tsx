import type { JSX } from 'preact'
import type { BeatmapDetails } from '../../contract/beatmaps.ts'
import { playedBpm, playedDifficulty, playedLength } from '../../pool/played-values.ts'
import { formatBpm, formatLength } from '../format.ts'
import { BeatmapWords } from './beatmap-words.tsx'
import { Cover } from './cover.tsx'
import { slotRefereeLines } from './referee-lines.ts'
import { SlotLabel } from './slot-label.tsx'
import { SlotStars } from './slot-stars.tsx'
import { slotRowId, type SlotView } from './slot-view.ts'
import { formatDifficulty } from './slot-words.ts'
import { SmallCopy } from './small-copy.tsx'

// The roles are spelt out: browsers forget them for tables that are laid out as grids.

/** A slot in its bucket's table: one line on a desk, a few short ones on a phone. */
export const SlotRow = ({ slot }: { readonly slot: SlotView }): JSX.Element => (
  <tr id={slotRowId(slot)} class={`slot-row ${slot.beatmap.state}`} role="row" tabIndex={-1}>
    <th class="slot-label" scope="row" role="rowheader">
      <SlotLabel slot={slot} />
    </th>
    <td class="slot-cover" role="cell" aria-hidden="true">
      <Cover beatmap={slot.beatmap} />
    </td>
    <td class="slot-words" role="cell">
      <BeatmapWords id={slot.slot.beatmapId} beatmap={slot.beatmap} />
    </td>
    <td class="slot-stars" role="cell">
      <SlotStars slot={slot} />
    </td>
    <Numbers slot={slot} />
    <td class="slot-copies" role="cell">
      <SmallCopy label="ID" what={`ID of ${slot.label}`} text={String(slot.slot.beatmapId)} />
      <SmallCopy label="!mp" what={`!mp lines of ${slot.label}`} text={slotRefereeLines(slot)} />
    </td>
  </tr>
)

const Numbers = ({ slot: { beatmap, forced } }: { readonly slot: SlotView }): JSX.Element => (
  <>
    {numbersOf(beatmap, forced).map(({ name, unit, text, plain }) => (
      <td
        key={name}
        class={`slot-number slot-${name}`}
        role="cell"
        title={plain === text ? undefined : `${plain} without mods`}
      >
        {text === null ? (
          <Missing what={unit === '' ? 'Length' : unit} state={beatmap.state} />
        ) : (
          <>
            {unit !== '' && <span class="slot-unit">{unit}</span>}
            {text}
          </>
        )}
      </td>
    ))}
  </>
)

/** Each number of a row with the slot's mods and without; null for what is not known. */
const numbersOf = (beatmap: SlotView['beatmap'], forced: SlotView['forced']) => {
  const details = beatmap.state === 'known' ? beatmap.details : null
  const played = textsOf(details, forced)
  const plain = textsOf(details, [])
  return columns.map(([name, unit]) => ({ name, unit, text: played[name], plain: plain[name] }))
}

const columns = [
  ['length', ''],
  ['bpm', 'BPM'],
  ['cs', 'CS'],
  ['ar', 'AR'],
  ['od', 'OD'],
  ['hp', 'HP'],
] as const

type Texts = Readonly<Record<(typeof columns)[number][0], string | null>>

const nothing: Texts = { length: null, bpm: null, cs: null, ar: null, od: null, hp: null }

const textsOf = (details: BeatmapDetails | null, mods: SlotView['forced']): Texts => {
  if (details === null) return nothing
  const bpm = playedBpm(details, mods)
  const difficulty = playedDifficulty(details, mods)
  return {
    length: formatLength(playedLength(details, mods)),
    bpm: bpm === null ? null : formatBpm(bpm),
    cs: formatDifficulty(difficulty.circleSize),
    ar: formatDifficulty(difficulty.approachRate),
    od: formatDifficulty(difficulty.overallDifficulty),
    hp: formatDifficulty(difficulty.healthDrain),
  }
}

type MissingProps = { readonly what: string; readonly state: SlotView['beatmap']['state'] }

/** A number that is on its way, that the platform does not have, or whose beatmap is gone. */
const Missing = ({ what, state }: MissingProps): JSX.Element => {
  if (state === 'pending') return <span class="blank" />
  const reason = state === 'gone' ? `${what}: beatmap not found` : `${what} unknown`
  return (
    <span class="slot-missing" title={reason}>
      <span aria-hidden="true">–</span>
      <span class="sr-only">{reason}</span>
    </span>
  )
}
