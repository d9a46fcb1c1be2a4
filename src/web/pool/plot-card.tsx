import * as texts from '#texts/plot'
import { playedBpm, playedLength } from '../../pool/played-values.ts'
import { formatBpm, formatLength } from '../format.ts'
import { PersonText, shownText } from '../parts/labels.tsx'
import { Cover, SlotLabel, SlotStars } from './slot-parts.tsx'
import type { SlotView } from './slots.ts'

type PlotCardProps = {
  readonly slot: SlotView
  /** Of the dot. */
  readonly x: number
  readonly y: number
  /** Whether the card is above the dot. */
  readonly isAbove: boolean
  /** Of the plot, where text has its usual size. */
  readonly width: number
  /** How much larger the plot is drawn. */
  readonly larger: number
}

const WIDTH = 264
const DISTANCE = 16

/** What is shown next to the active dot. The dot itself says it to screen readers. */
export function PlotCard({ slot, x, y, isAbove, width, larger }: PlotCardProps) {
  const left = Math.max(0, Math.min(x - WIDTH / 2, width - WIDTH))
  return (
    <div
      class="plot-card"
      aria-hidden="true"
      style={{
        left: `${left * larger}px`,
        width: `${Math.min(WIDTH, width) * larger}px`,
        top: `${(isAbove ? y - DISTANCE : y + DISTANCE) * larger}px`,
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

function CardText({ slot: { slot, beatmap, forced } }: { slot: SlotView }) {
  if (beatmap.state !== 'known') {
    const words = beatmap.state === 'gone' ? texts.beatmapNotFound : texts.beatmapLoading
    return <p>{words({ id: String(slot.beatmapId) })}</p>
  }
  const { details } = beatmap
  const [length, bpm] = [formatLength(playedLength(details, forced)), playedBpm(details, forced)]
  return (
    <>
      <p class="plot-card-title" dir="auto">
        {shownText(details.title)}
      </p>
      <p class="plot-card-more">
        [<PersonText text={details.difficulty} />]
      </p>
      <p class="plot-card-more">
        {bpm === null ? length : texts.lengthAndBpm({ length, bpm: formatBpm(bpm) })}
      </p>
    </>
  )
}
