import type { JSX } from 'preact'
import { formatBpm, formatLength } from '../format.ts'
import { BeatmapWords } from './beatmap-words.tsx'
import { Cover } from './cover.tsx'
import { slotRefereeLines } from './referee-lines.ts'
import { SlotLabel } from './slot-label.tsx'
import { SlotStars } from './slot-stars.tsx'
import { playedBpm, playedLength } from './slot-play.ts'
import { type SlotView, slotRowId } from './slot-view.ts'
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

const Numbers = ({ slot: { beatmap, forced } }: { readonly slot: SlotView }): JSX.Element => {
  const details = beatmap.state === 'known' ? beatmap.details : null
  const bpm = details && playedBpm(details, forced)
  const cells = [
    ['length', '', details && formatLength(playedLength(details, forced))],
    ['bpm', 'BPM', bpm === null ? null : formatBpm(bpm)],
    ['cs', 'CS', details && formatDifficulty(details.circleSize)],
    ['ar', 'AR', details && formatDifficulty(details.approachRate)],
    ['od', 'OD', details && formatDifficulty(details.overallDifficulty)],
  ] as const
  return (
    <>
      {cells.map(([name, unit, text]) => (
        <td key={name} class={`slot-number slot-${name}`} role="cell">
          {text === null ? (
            beatmap.state === 'pending' && <span class="blank" />
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
}
