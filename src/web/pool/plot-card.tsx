import type { JSX } from 'preact'
import { formatBpm, formatLength } from '../format.ts'
import { Cover } from './cover.tsx'
import { SlotStars } from './slot-stars.tsx'
import { SlotLabel } from './slot-label.tsx'
import { playedBpm, playedLength } from '../../pool/played-values.ts'
import type { SlotView } from './slot-view.ts'
import { PersonText, shownText } from '../parts/person-text.tsx'

const WIDTH = 264
/** Between the dot and the card. */
const DISTANCE = 16

type Props = {
  readonly slot: SlotView
  /** Of the dot in the plot. */
  readonly x: number
  readonly y: number
  /** Of the plot. */
  readonly width: number
  readonly height: number
}

/** What stands beside the dot that one points at. The dot itself says it to screen readers. */
export const PlotCard = ({ slot, x, y, width, height }: Props): JSX.Element => {
  const isAbove = y > height / 2
  const left = Math.max(0, Math.min(x - WIDTH / 2, width - WIDTH))
  return (
    <div
      class="plot-card"
      aria-hidden="true"
      style={{
        left: `${left}px`,
        width: `${Math.min(WIDTH, width)}px`,
        top: `${isAbove ? y - DISTANCE : y + DISTANCE}px`,
        transform: isAbove ? 'translateY(-100%)' : 'none',
      }}
    >
      <Cover beatmap={slot.beatmap} />
      <div class="plot-card-words">
        <p>
          <SlotLabel slot={slot} /> <SlotStars slot={slot} />
        </p>
        <CardText slot={slot} />
      </div>
    </div>
  )
}

const CardText = ({
  slot: { slot, beatmap, forced },
}: {
  readonly slot: SlotView
}): JSX.Element => {
  if (beatmap.state !== 'known') {
    return (
      <p>
        Beatmap {slot.beatmapId} {beatmap.state === 'gone' ? 'not found' : 'is loading'}
      </p>
    )
  }
  const { details } = beatmap
  const bpm = playedBpm(details, forced)
  return (
    <>
      <p class="plot-card-title" dir="auto">
        {shownText(details.title)}
      </p>
      <p class="plot-card-more">
        [<PersonText text={details.difficulty} />]
      </p>
      <p class="plot-card-more">
        {formatLength(playedLength(details, forced))}
        {bpm !== null && `, ${formatBpm(bpm)} BPM`}
      </p>
    </>
  )
}
