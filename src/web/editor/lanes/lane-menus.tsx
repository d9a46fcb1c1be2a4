import type { JSX } from 'preact'
import { slotLabel } from '../../../pool/slots.ts'
import { count } from '../../format.ts'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import type { Edit, EditSlot } from '../edit.ts'
import { focusLater } from '../focus-later.ts'
import { spotId } from '../problems.ts'
import { LaneMenu } from './lane-menu.tsx'
import { hasBucket, type Lane, slotOf } from './lanes.ts'
import type { PoolActions } from './pool-actions.ts'
import { SlotMenu } from './slot-menu.tsx'

/** The one menu that is open, and what it hangs from. */
export type OpenMenu =
  | { readonly kind: 'slot'; readonly key: number; readonly anchor: HTMLElement }
  | { readonly kind: 'lane'; readonly mod: string; readonly anchor: HTMLElement }

type Props = {
  readonly menu: OpenMenu
  readonly edit: Edit
  readonly lanes: readonly Lane[]
  readonly actions: PoolActions
  readonly onClose: () => void
  readonly onRemoveSlot: (slot: EditSlot) => void
  readonly onRemoveBucket: (code: string) => void
  readonly onSettings: (code: string) => void
}

/** What one can do with a slot, or with a bucket. */
export const LaneMenus = ({ menu, ...props }: Props): JSX.Element | null =>
  menu.kind === 'slot' ? (
    <MenuOfSlot {...props} slotKey={menu.key} anchor={menu.anchor} />
  ) : (
    <MenuOfLane {...props} mod={menu.mod} anchor={menu.anchor} />
  )

type SlotProps = Omit<Props, 'menu'> & { readonly slotKey: number; readonly anchor: HTMLElement }

const MenuOfSlot = (props: SlotProps): JSX.Element | null => {
  const { edit, actions, slotKey, anchor, onClose, onRemoveSlot } = props
  const slot = slotOf(edit, slotKey)
  if (slot === undefined) return null
  const then = (work: () => void): void => {
    onClose()
    work()
    focusLater(spotId({ kind: 'slot', key: slotKey }))
  }
  return (
    <SlotMenu
      slot={slot}
      label={slotLabel(slot)}
      buckets={edit.buckets}
      anchor={anchor}
      onClose={onClose}
      onStep={(by) => then(() => actions.step(slotKey, by))}
      onMove={(mod) => then(() => actions.place(slotKey, mod, edit.slots.length))}
      onRemove={() => {
        onClose()
        onRemoveSlot(slot)
      }}
    />
  )
}

type LaneProps = Omit<Props, 'menu'> & { readonly mod: string; readonly anchor: HTMLElement }

const MenuOfLane = (props: LaneProps): JSX.Element | null => {
  const { edit, lanes, actions, mod, anchor, onClose, onRemoveBucket, onSettings } = props
  const lane = lanes.find((each) => each.mod === mod)
  if (lane === undefined || !hasBucket(lane)) return null
  const then = (work: () => void): void => {
    onClose()
    work()
    focusLater(spotId({ kind: 'bucket', code: mod }))
  }
  return (
    <LaneMenu
      lane={lane}
      anchor={anchor}
      isFirst={edit.buckets[0] === lane.bucket}
      isLast={edit.buckets.at(-1) === lane.bucket}
      onClose={onClose}
      onMove={(by) => then(() => actions.moveBucket(mod, by))}
      onNumber={() => then(() => actions.numberFromOne(mod))}
      onSettings={() => then(() => onSettings(mod))}
      onRemove={() => {
        onClose()
        onRemoveBucket(mod)
      }}
    />
  )
}

type RemovalProps = {
  /** null while nobody asks. */
  readonly code: string | null
  readonly slots: number
  readonly onConfirm: (code: string) => void
  readonly onCancel: () => void
}

/** Says before a bucket goes what becomes of its slots. */
export const BucketRemoval = ({ code, slots, onConfirm, onCancel }: RemovalProps): JSX.Element => (
  <ConfirmDialog
    title={`Remove bucket ${code ?? ''}?`}
    isOpen={code !== null}
    action="Remove bucket"
    onConfirm={() => code !== null && onConfirm(code)}
    onCancel={onCancel}
  >
    <p>Its {count(slots, 'slot')} will be kept without a bucket, at the top of the list.</p>
  </ConfirmDialog>
)
