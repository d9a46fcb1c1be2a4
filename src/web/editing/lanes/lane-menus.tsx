import * as texts from '#texts/editing'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { isCustom, slotLabel } from '../../../pool/slots.ts'
import { BucketChip } from '../../pool/slot-parts.tsx'
import { focusLater } from '../focus.ts'
import type { Board, BoardProps, MenuItem } from './board.ts'
import { hasGaps, placeOfStep, slotOf } from './lanes.ts'

/** The menu of a slot, or of a bucket, while one is open: a popover at the button that opened it. */
export function LaneMenus({ board }: BoardProps) {
  const open = board.actions.menu.value
  const content =
    typeof open?.of === 'number' ? slotMenu(board, open.of) : bucketMenu(board, open?.of)
  return open && content && <Menu board={board} anchor={open.anchor} {...content} />
}

const hidden = (children: ComponentChildren) => <span class="sr-only">{children}</span>

function slotMenu({ actions, store, rounds }: Board, key: number) {
  const slot = slotOf(store, key)
  if (slot === undefined) return null
  const others = store.buckets.filter(({ code }) => code !== slot.mod)
  const places = [...others, ...(slot.mod === null ? [] : [null])]
  return {
    label: texts.moveThisSlot({ slot: slotLabel(slot) }),
    items: [
      { text: texts.moveUp, keys: texts.upKeys, onPick: () => actions.step(key, -1) },
      { text: texts.moveDown, keys: texts.downKeys, onPick: () => actions.step(key, 1) },
      places.map((bucket) => ({
        text:
          bucket === null
            ? texts.moveToNone({ hidden })
            : texts.moveTo({ hidden, bucket: <BucketChip bucket={bucket} /> }),
        onPick: () => actions.place(key, { mod: bucket?.code ?? null, at: store.slots.length }),
      })),
      ...(rounds?.items(slot) ?? []),
      { text: texts.removeItem, keys: texts.deleteKey, onPick: () => actions.remove(key) },
    ],
  }
}

function bucketMenu({ actions, store }: Board, mod: string | undefined) {
  const lane = actions.lanes.value.find((each) => each.mod === mod)
  if (mod === undefined || !lane?.bucket) return null
  const { bucket } = lane
  const move = (text: string, keys: string, by: -1 | 1): MenuItem => {
    const isDisabled = placeOfStep(store, mod, by) === null
    return { text, keys, isDisabled, onPick: () => actions.moveBucket(mod, by) }
  }
  const items = [
    move(texts.moveBucketUp, texts.upKeys, -1),
    move(texts.moveBucketDown, texts.downKeys, 1),
    {
      text: texts.numberFromOne,
      isDisabled: !hasGaps(lane),
      onPick: () => actions.numberFromOne(mod),
    },
  ]
  const label = texts.bucket({ bucket: mod })
  if (!isCustom(bucket)) return { label, items }
  const settings = { text: texts.bucketSettings, onPick: () => actions.openSettings(mod) }
  const removal = { text: texts.removeThisBucket, onPick: () => actions.askToRemoveBucket(mod) }
  return { label, items: [settings, ...items, removal] }
}

type MenuProps = BoardProps & {
  readonly anchor: HTMLElement
  readonly label: string
  /** Those of a list are shown in a row: other buckets. */
  readonly items: readonly (MenuItem | readonly MenuItem[])[]
}

function Menu({ board: { actions }, anchor, label, items }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null)
  const close = () => (actions.menu.value = null)
  const enabled = (): HTMLElement[] => {
    const selector = '[role=menuitem]:not([aria-disabled=true])'
    return [...(menu.current?.querySelectorAll<HTMLElement>(selector) ?? [])]
  }
  useLayoutEffect(() => {
    menu.current?.showPopover({ source: anchor })
    enabled()[0]?.focus()
  }, [anchor])

  const step = (event: KeyboardEvent): void => {
    const all = enabled()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const next = {
      ArrowDown: at + 1,
      ArrowRight: at + 1,
      ArrowUp: at - 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: all.length - 1,
    }[event.key]
    if (event.key === 'Tab') close()
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    all.at(next % all.length)?.focus()
  }

  const itemOf = ({ text, keys, isDisabled = false, onPick }: MenuItem, key: number) => (
    <button
      key={key}
      type="button"
      class="edit-menu-item"
      role="menuitem"
      tabIndex={-1}
      aria-disabled={isDisabled}
      onClick={() => {
        if (isDisabled) return
        close()
        // Unless the item moves the focus elsewhere.
        focusLater(anchor.id)
        onPick()
      }}
    >
      {text}
      {keys && <kbd aria-hidden="true">{keys}</kbd>}
    </button>
  )

  return (
    <div
      ref={menu}
      class="edit-menu"
      popover="auto"
      role="menu"
      aria-label={label}
      onKeyDown={step}
      onToggle={({ newState }) => newState === 'closed' && close()}
    >
      {items.map((item, at) =>
        'onPick' in item ? (
          itemOf(item, at)
        ) : (
          <div key={at} class="edit-menu-chips" role="group" aria-label={texts.moveToAnother}>
            {item.map(itemOf)}
          </div>
        ),
      )}
    </div>
  )
}
