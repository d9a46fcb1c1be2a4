import type { JSX } from 'preact'
import type { Bucket } from '../../../contract/bucket.ts'
import { isCustom } from '../../../pool/buckets.ts'
import { hasGaps, type Lane } from './lanes.ts'
import { Menu, MenuItem } from './menu.tsx'

type Props = {
  readonly lane: Lane & { readonly bucket: Bucket }
  readonly anchor: HTMLElement
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onMove: (by: -1 | 1) => void
  readonly onNumber: () => void
  readonly onSettings: () => void
  readonly onRemove: () => void
  readonly onClose: () => void
}

/** What one can do with a bucket. */
export const LaneMenu = ({
  lane,
  anchor,
  isFirst,
  isLast,
  onMove,
  onNumber,
  onSettings,
  onRemove,
  onClose,
}: Props): JSX.Element => {
  const { bucket } = lane
  return (
    <Menu label={`Bucket ${bucket.code}`} anchor={anchor} onClose={onClose}>
      {isCustom(bucket) && <MenuItem onPick={onSettings}>Code, color and mods</MenuItem>}
      <MenuItem keys="Alt ↑" isDisabled={isFirst} onPick={() => onMove(-1)}>
        Move bucket up
      </MenuItem>
      <MenuItem keys="Alt ↓" isDisabled={isLast} onPick={() => onMove(1)}>
        Move bucket down
      </MenuItem>
      <MenuItem isDisabled={!hasGaps(lane)} onPick={onNumber}>
        Number slots from 1
      </MenuItem>
      {isCustom(bucket) && <MenuItem onPick={onRemove}>Remove bucket</MenuItem>}
    </Menu>
  )
}
