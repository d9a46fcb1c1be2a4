import type { JSX } from 'preact'
import { bucketColor } from './bucket-color.ts'
import type { SlotView } from './slot-view.ts'
import '../style/slot-table.css'

/** Codes up to here fit wherever a label stands. */
const SHORT = 4

/** `NM1` in its bucket's colour. Of a long code the end is cut, never the number. */
export const SlotLabel = ({ slot }: { readonly slot: SlotView }): JSX.Element => {
  const code = slot.slot.mod ?? ''
  return (
    <span class="chip slot-chip" title={slot.label} {...bucketColor(slot.bucket)}>
      {code.length <= SHORT ? (
        slot.label
      ) : (
        <>
          <span>{code}</span>
          <span>{slot.label.slice(code.length)}</span>
        </>
      )}
    </span>
  )
}
