import type { JSX } from 'preact'
import { bucketColor } from './bucket-color.ts'
import type { SlotView } from './slot-view.ts'
import '../style/slot-table.css'

/** `NM1` in its bucket's colour. Of a long code the end is cut, never the number. */
export const SlotLabel = ({ slot: { label, slot, bucket } }: { readonly slot: SlotView }) => {
  const code = slot.mod ?? ''
  return (
    <span class="chip slot-chip" title={label} {...bucketColor(bucket)}>
      <span>{code}</span>
      <span>{label.slice(code.length)}</span>
    </span>
  ) satisfies JSX.Element
}
