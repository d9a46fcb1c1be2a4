import type { JSX } from 'preact'
import { count } from '../format.ts'
import { BucketChip } from '../parts/chip.tsx'
import { bucketMeaning } from './bucket-color.ts'
import { SlotRow } from './slot-row.tsx'
import { bucketId, type BucketView } from './slot-view.ts'
import '../style/slot-table.css'

const columns = [
  'Slot',
  'Cover',
  'Beatmap',
  'Stars',
  'Length',
  'BPM',
  'CS',
  'AR',
  'OD',
  'HP',
  'Copy',
]

/** A bucket and its slots. */
export const BucketSection = ({ bucket, slots }: BucketView): JSX.Element => {
  const titleId = bucketId(bucket)
  return (
    <section class="bucket" aria-labelledby={titleId}>
      <h3 id={titleId} class="bucket-title" tabIndex={-1}>
        {bucket && <BucketChip bucket={bucket} />}
        <span class="bucket-meaning">{bucketMeaning(bucket)}</span>
        <span class="bucket-count">{count(slots.length, 'map')}</span>
      </h3>
      <table class="slots" role="table" aria-labelledby={titleId}>
        <thead class="sr-only" role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column} scope="col" role="columnheader">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {slots.map((slot) => (
            <SlotRow key={slot.label} slot={slot} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** What stands in which column, once above all tables; each names its own to screen readers. */
export const SlotTableHead = (): JSX.Element => (
  <div class="slot-row slot-head" aria-hidden="true">
    <span class="slot-label">Slot</span>
    <span class="slot-words">Beatmap</span>
    <span class="slot-stars">Stars</span>
    <span class="slot-number slot-length">Length</span>
    <span class="slot-number slot-bpm">BPM</span>
    <span class="slot-number slot-cs">CS</span>
    <span class="slot-number slot-ar">AR</span>
    <span class="slot-number slot-od">OD</span>
    <span class="slot-number slot-hp">HP</span>
    <span class="slot-copies">Copy</span>
  </div>
)
