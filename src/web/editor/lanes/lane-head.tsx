import type { JSX } from 'preact'
import { count } from '../../format.ts'
import { BucketChip } from '../../parts/chip.tsx'
import { Icon } from '../../parts/icon.tsx'
import { bucketMeaning } from '../../pool/bucket-color.ts'
import type { Lane } from './lanes.ts'
import { spotId } from '../problems.ts'

type Props = {
  readonly lane: Lane
  readonly problem: string | undefined
  readonly openMenu: (button: HTMLElement) => void
}

/** What a lane is: its bucket, which opens what one can do with it. */
export const LaneHead = ({ lane: { bucket, slots }, problem, openMenu }: Props): JSX.Element => {
  const number = slots.length === 0 ? '' : count(slots.length, 'slot')
  if (bucket === null) {
    return (
      <div class="lane-head">
        <h3>No bucket</h3>
        <span class="lane-meaning">{number}</span>
      </div>
    )
  }
  const { code } = bucket
  const id = spotId({ kind: 'bucket', code })
  return (
    <div class="lane-head">
      <h3>
        <button
          type="button"
          id={id}
          class="lane-button"
          data-bucket={code}
          aria-haspopup="menu"
          aria-label={`Bucket ${code}`}
          title={code}
          aria-describedby={problem === undefined ? undefined : `${id}-problem`}
          onClick={({ currentTarget }) => openMenu(currentTarget)}
        >
          <BucketChip bucket={bucket} />
          <Icon name="down" />
        </button>
      </h3>
      <span class="lane-meaning">
        {bucketMeaning(bucket)}
        {number !== '' && <span class="lane-count">{number}</span>}
      </span>
      {problem !== undefined && (
        <span id={`${id}-problem`} class="lane-problem">
          {problem}
        </span>
      )}
    </div>
  )
}
