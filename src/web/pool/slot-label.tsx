import type { JSX } from 'preact'
import { bucketColor } from './bucket-color.ts'
import type { SlotView } from './slot-view.ts'

/** `NM1` in its bucket's colour. */
export const SlotLabel = ({ slot }: { readonly slot: SlotView }): JSX.Element => (
  <span class="chip" {...bucketColor(slot.bucket)}>
    {slot.label}
  </span>
)
