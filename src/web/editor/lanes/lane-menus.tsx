import type { ComponentChildren, JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { isCustom } from '../../../pool/buckets.ts'
import { slotLabel } from '../../../pool/slots.ts'
import { BucketChip } from '../../pool/slot-parts.tsx'
import type { EditorStore } from '../history.ts'
import { bucketId, focusLater, slotId } from '../spots.ts'
import type { LaneActions } from './lane-actions.ts'
import { hasGaps, slotOf } from './lanes.ts'

type Props = { readonly store: EditorStore; readonly actions: LaneActions }
type MenuProps = Props & { readonly anchor: HTMLElement; readonly onClose: () => void }

/** The menu of a slot, or of a bucket, while one is open. */
export function LaneMenus({ store, actions }: Props): JSX.Element | null {
  const menu = actions.menu.value
  if (menu === null) return null
  const { anchor } = menu
  const onClose = (): void => {
    actions.menu.value = null
  }
  const props = { store, actions, anchor, onClose }
  return menu.kind === 'slot' ? (
    <SlotMenu {...props} slotKey={menu.key} />
  ) : (
    <LaneMenu {...props} mod={menu.mod} />
  )
}

type SlotProps = MenuProps & { readonly slotKey: number }

/** Where a slot can go. */
function SlotMenu({ store, actions, slotKey, anchor, onClose }: SlotProps): JSX.Element | null {
  const slot = slotOf(store, slotKey)
  if (slot === undefined) return null
  const then = (work: () => void): void => {
    onClose()
    work()
    focusLater(slotId(slotKey))
  }
  const places = [
    ...store.buckets.filter(({ code }) => code !== slot.mod),
    ...(slot.mod === null ? [] : [null]),
  ]
  return (
    <Menu label={`Move ${slotLabel(slot)}`} anchor={anchor} onClose={onClose}>
      <MenuItem keys="Alt ↑" onPick={() => then(() => actions.step(slotKey, -1))}>
        Move up
      </MenuItem>
      <MenuItem keys="Alt ↓" onPick={() => then(() => actions.step(slotKey, 1))}>
        Move down
      </MenuItem>
      <div class="edit-menu-chips" role="group" aria-label="Move to another bucket">
        {places.map((bucket) => {
          const code = bucket?.code ?? null
          return (
            <MenuItem
              key={code ?? ''}
              onPick={() => then(() => actions.place(slotKey, code, store.slots.length))}
            >
              <span class="sr-only">Move to </span>
              {bucket === null ? 'no bucket' : <BucketChip bucket={bucket} />}
            </MenuItem>
          )
        })}
      </div>
      <MenuItem
        keys="Del"
        onPick={() => {
          onClose()
          actions.remove(slotKey)
        }}
      >
        Remove
      </MenuItem>
    </Menu>
  )
}

type LaneProps = MenuProps & { readonly mod: string }

/** What one can do with a bucket. */
function LaneMenu({ store, actions, mod, anchor, onClose }: LaneProps): JSX.Element | null {
  const lane = actions.lanes.value.find((each) => each.mod === mod)
  if (lane === undefined || lane.bucket === null) return null
  const { bucket } = lane
  const { buckets } = store
  const then = (work: () => void): void => {
    onClose()
    work()
    focusLater(bucketId(mod))
  }
  const openSettings = (): void => {
    actions.settingsOf.value = mod
  }
  return (
    <Menu label={`Bucket ${mod}`} anchor={anchor} onClose={onClose}>
      {isCustom(bucket) && (
        <MenuItem onPick={() => then(openSettings)}>Code, color and mods</MenuItem>
      )}
      <MenuItem
        keys="Alt ↑"
        isDisabled={buckets[0] === bucket}
        onPick={() => then(() => actions.moveBucket(mod, -1))}
      >
        Move bucket up
      </MenuItem>
      <MenuItem
        keys="Alt ↓"
        isDisabled={buckets.at(-1) === bucket}
        onPick={() => then(() => actions.moveBucket(mod, 1))}
      >
        Move bucket down
      </MenuItem>
      <MenuItem isDisabled={!hasGaps(lane)} onPick={() => then(() => actions.numberFromOne(mod))}>
        Number slots from 1
      </MenuItem>
      {isCustom(bucket) && (
        <MenuItem
          onPick={() => {
            onClose()
            actions.askToRemoveBucket(mod)
          }}
        >
          Remove bucket
        </MenuItem>
      )}
    </Menu>
  )
}

type PopupProps = {
  readonly label: string
  /** What it belongs to; the focus goes back there. */
  readonly anchor: HTMLElement
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** Goes away by Escape, by a press elsewhere, and when one has chosen. */
function Menu({ label, anchor, onClose, children }: PopupProps): JSX.Element {
  const menu = useRef<HTMLDivElement>(null)
  const items = (): HTMLElement[] => [
    ...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]:not([aria-disabled=true])') ??
      []),
  ]
  useLayoutEffect(() => {
    const { current } = menu
    if (current === null) return undefined
    current.showPopover()
    placeMenu(current, anchor)
    items()[0]?.focus()
    const stop = new AbortController()
    const follow = (): void => placeMenu(current, anchor)
    addEventListener('scroll', follow, { signal: stop.signal, capture: true })
    addEventListener('resize', follow, { signal: stop.signal })
    return () => stop.abort()
  }, [anchor])

  const step = (event: KeyboardEvent): void => {
    const all = items()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const next = {
      ArrowDown: at + 1,
      ArrowRight: at + 1,
      ArrowUp: at - 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: all.length - 1,
    }[event.key]
    if (event.key === 'Tab') onClose()
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    all.at(next % all.length)?.focus()
  }

  return (
    <div
      ref={menu}
      class="edit-menu"
      popover="auto"
      role="menu"
      aria-label={label}
      onKeyDown={step}
      onToggle={({ newState }) => newState === 'closed' && onClose()}
    >
      {children}
    </div>
  )
}

const GAP = 4

/** Under its anchor, or above where there is more room, and never over the edge of the window. */
function placeMenu(menu: HTMLElement, anchor: HTMLElement): void {
  const from = anchor.getBoundingClientRect()
  const { width, height } = menu.getBoundingClientRect()
  const below = innerHeight - from.bottom
  const top =
    below >= height + GAP || below >= from.top ? from.bottom + GAP : from.top - height - GAP
  menu.style.left = `${Math.max(GAP, Math.min(from.left, innerWidth - width - GAP))}px`
  menu.style.top = `${Math.max(GAP, Math.min(top, innerHeight - height - GAP))}px`
}

type ItemProps = {
  readonly onPick: () => void
  /** The keys that do the same. */
  readonly keys?: string
  readonly isDisabled?: boolean
  readonly children: ComponentChildren
}

function MenuItem({ onPick, keys, isDisabled = false, children }: ItemProps): JSX.Element {
  return (
    <button
      type="button"
      class="edit-menu-item"
      role="menuitem"
      tabIndex={-1}
      aria-disabled={isDisabled}
      onClick={() => !isDisabled && onPick()}
    >
      {children}
      {keys !== undefined && <kbd aria-hidden="true">{keys}</kbd>}
    </button>
  )
}
