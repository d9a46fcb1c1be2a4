import type { JSX } from 'preact'
import type { Bucket } from '../../../contract/bucket.ts'
import { BucketChip } from '../../parts/chip.tsx'
import { Menu, MenuItem } from './menu.tsx'
import type { EditSlot } from '../edit.ts'

type Props = {
  readonly slot: EditSlot
  readonly label: string
  readonly buckets: readonly Bucket[]
  readonly anchor: HTMLElement
  readonly onStep: (by: -1 | 1) => void
  readonly onMove: (mod: string | null) => void
  readonly onRemove: () => void
  readonly onClose: () => void
}

/** Where a slot can go. */
export const SlotMenu = ({
  slot,
  label,
  buckets,
  anchor,
  onStep,
  onMove,
  onRemove,
  onClose,
}: Props): JSX.Element => {
  const places = [
    ...buckets.filter(({ code }) => code !== slot.mod),
    ...(slot.mod === null ? [] : [null]),
  ]
  return (
    <Menu label={`Move ${label}`} anchor={anchor} onClose={onClose}>
      <MenuItem keys="Alt ↑" onPick={() => onStep(-1)}>
        Move up
      </MenuItem>
      <MenuItem keys="Alt ↓" onPick={() => onStep(1)}>
        Move down
      </MenuItem>
      <div class="edit-menu-chips" role="group" aria-label="Move to another bucket">
        {places.map((bucket) => (
          <MenuItem key={bucket?.code ?? ''} onPick={() => onMove(bucket?.code ?? null)}>
            <span class="sr-only">Move to </span>
            {bucket === null ? 'no bucket' : <BucketChip bucket={bucket} />}
          </MenuItem>
        ))}
      </div>
      <MenuItem keys="Del" onPick={onRemove}>
        Remove
      </MenuItem>
    </Menu>
  )
}
