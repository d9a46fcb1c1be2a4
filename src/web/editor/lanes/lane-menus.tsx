import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { isCustom } from '../../../pool/buckets.ts'
import { slotLabel } from '../../../pool/slots.ts'
import { BucketChip } from '../../pool/slot-parts.tsx'
import { focusLater } from '../focus.ts'
import type { EditorModel, ModelProps } from '../model.ts'
import { hasGaps, slotOf } from './lanes.ts'

type Item = {
  readonly text: ComponentChildren
  /** The keys that do the same. */
  readonly keys?: string
  readonly isDisabled?: boolean
  readonly onPick: () => void
}

type Items = {
  readonly label: string
  readonly items: readonly Item[]
  /** Other buckets, in a row of their own before the last item. */
  readonly places?: readonly Item[]
}

/** The menu of a slot, or of a bucket, while one is open. */
export function LaneMenus({ model }: ModelProps) {
  const { menu } = model.actions
  if (menu.value === null) return null
  const { anchor, of } = menu.value
  const content = typeof of === 'number' ? slotMenu(model, of) : bucketMenu(model, of)
  const close = (): void => {
    menu.value = null
  }
  return content && <Menu {...content} anchor={anchor} onClose={close} />
}

function slotMenu({ actions, store }: EditorModel, key: number): Items | null {
  const slot = slotOf(store, key)
  if (slot === undefined) return null
  const others = store.buckets.filter(({ code }) => code !== slot.mod)
  const places = [...others, ...(slot.mod === null ? [] : [null])]
  return {
    label: `Move ${slotLabel(slot)}`,
    items: [
      { text: 'Move up', keys: 'Alt ↑', onPick: () => actions.step(key, -1) },
      { text: 'Move down', keys: 'Alt ↓', onPick: () => actions.step(key, 1) },
      { text: 'Remove', keys: 'Del', onPick: () => actions.remove(key) },
    ],
    places: places.map((bucket) => ({
      text: (
        <>
          <span class="sr-only">Move to </span>
          {bucket === null ? 'no bucket' : <BucketChip bucket={bucket} />}
        </>
      ),
      onPick: () => actions.place(key, { mod: bucket?.code ?? null, at: store.slots.length }),
    })),
  }
}

function bucketMenu({ actions, store }: EditorModel, mod: string): Items | null {
  const { buckets } = store
  const lane = actions.lanes.value.find((each) => each.mod === mod)
  if (!lane?.bucket) return null
  const { bucket } = lane
  const openSettings = (): void => {
    actions.settingsOf.value = mod
  }
  const own = (text: string, onPick: () => void): Item[] =>
    isCustom(bucket) ? [{ text, onPick }] : []
  return {
    label: `Bucket ${mod}`,
    items: [
      ...own('Code, color and mods', openSettings),
      {
        text: 'Move bucket up',
        keys: 'Alt ↑',
        isDisabled: buckets[0] === bucket,
        onPick: () => actions.moveBucket(mod, -1),
      },
      {
        text: 'Move bucket down',
        keys: 'Alt ↓',
        isDisabled: buckets.at(-1) === bucket,
        onPick: () => actions.moveBucket(mod, 1),
      },
      {
        text: 'Number slots from 1',
        isDisabled: !hasGaps(lane),
        onPick: () => actions.numberFromOne(mod),
      },
      ...own('Remove bucket', () => actions.askToRemoveBucket(mod)),
    ],
  }
}

type MenuProps = Items & { readonly anchor: HTMLElement; readonly onClose: () => void }

/** A popover at `anchor`, which gets the focus back unless the picked item moves it elsewhere. */
function Menu({ label, items, places, anchor, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null)
  const enabled = (): HTMLElement[] => [
    ...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]:not([aria-disabled=true])') ??
      []),
  ]
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
    if (event.key === 'Tab') onClose()
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    all.at(next % all.length)?.focus()
  }

  const itemOf = ({ text, keys, isDisabled = false, onPick }: Item, key: number) => (
    <button
      key={key}
      type="button"
      class="edit-menu-item"
      role="menuitem"
      tabIndex={-1}
      aria-disabled={isDisabled}
      onClick={() => {
        if (isDisabled) return
        onClose()
        focusLater(anchor.id)
        onPick()
      }}
    >
      {text}
      {keys !== undefined && <kbd aria-hidden="true">{keys}</kbd>}
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
      onToggle={({ newState }) => newState === 'closed' && onClose()}
    >
      {items.slice(0, -1).map(itemOf)}
      {places && (
        <div class="edit-menu-chips" role="group" aria-label="Move to another bucket">
          {places.map(itemOf)}
        </div>
      )}
      {items.slice(-1).map(itemOf)}
    </div>
  )
}
