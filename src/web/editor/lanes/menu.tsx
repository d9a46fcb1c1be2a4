import type { ComponentChildren, JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

type Props = {
  readonly label: string
  /** What it belongs to; the focus goes back there. */
  readonly anchor: HTMLElement
  readonly onClose: () => void
  readonly children: ComponentChildren
}

const GAP = 4

/** Under its anchor, or above where there is more room, and never over the edge of the window. */
const place = (menu: HTMLElement, anchor: HTMLElement): void => {
  const from = anchor.getBoundingClientRect()
  const { width, height } = menu.getBoundingClientRect()
  const below = innerHeight - from.bottom
  const top =
    below >= height + GAP || below >= from.top ? from.bottom + GAP : from.top - height - GAP
  menu.style.left = `${Math.max(GAP, Math.min(from.left, innerWidth - width - GAP))}px`
  menu.style.top = `${Math.max(GAP, Math.min(top, innerHeight - height - GAP))}px`
}

/** What one can do with something: goes away by Escape, by a press elsewhere, and when one has chosen. */
export const Menu = ({ label, anchor, onClose, children }: Props): JSX.Element => {
  const menu = useRef<HTMLDivElement>(null)
  const items = (): HTMLElement[] => [
    ...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]:not([aria-disabled=true])') ??
      []),
  ]
  useLayoutEffect(() => {
    const { current } = menu
    if (current === null) return undefined
    current.showPopover()
    place(current, anchor)
    items()[0]?.focus()
    const follow = (): void => place(current, anchor)
    addEventListener('scroll', follow, true)
    addEventListener('resize', follow)
    return () => {
      removeEventListener('scroll', follow, true)
      removeEventListener('resize', follow)
    }
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

type ItemProps = {
  readonly onPick: () => void
  /** The keys that do the same. */
  readonly keys?: string
  readonly isDisabled?: boolean
  readonly children: ComponentChildren
}

export const MenuItem = ({ onPick, keys, isDisabled = false, children }: ItemProps) => (
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
