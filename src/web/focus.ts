import { useLayoutEffect, useRef } from 'preact/hooks'

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey' | 'shiftKey'>

/** Spelled out: Preact's own type would bring the browser's types to all importers. */
type Pressed = Omit<KeyboardEvent, 'currentTarget'> & { readonly currentTarget: HTMLElement }

/** Which of so many rows a key leads to from the one at `from`; null where it leads to none. */
export function rowAfter(event: Key, from: number, rows: number): number | null {
  const { key, ctrlKey, altKey, metaKey, shiftKey } = event
  if (ctrlKey || altKey || metaKey || shiftKey || from < 0) return null
  if (key === 'ArrowDown') return from + 1 < rows ? from + 1 : null
  if (key === 'ArrowUp') return from > 0 ? from - 1 : null
  if (key === 'Home') return 0
  return key === 'End' ? rows - 1 : null
}

/** Moves the focus by arrow keys, Home and End to the first `target` in another item of the list. */
export function stepRows(target: string) {
  return (event: Pressed): void => {
    const from = event.target as Element
    if (from.matches('input, textarea, select')) return
    const rows = [...event.currentTarget.querySelectorAll('li')]
    const at = rows.findIndex((each) => each.contains(from))
    const next = rows[rowAfter(event, at, rows.length) ?? -1]?.querySelector<HTMLElement>(target)
    if (!next) return
    event.preventDefault()
    next.focus()
  }
}

/**
 * Keeps the focus on a part of the page after its next change: on the element that has the focus or
 * had it, else on its first link, else on itself, else on `fallback`, as where the id is null.
 */
export function useFocusLater(fallback: string): (id: string | null) => void {
  const wanted = useRef<{ id: string; had: Element | null } | null>(null)
  useLayoutEffect(() => {
    if (wanted.current === null) return
    const { id, had } = wanted.current
    wanted.current = null
    const part = document.getElementById(id) ?? document.getElementById(fallback)
    if (part?.contains(document.activeElement)) return
    const target = part?.contains(had) ? had : (part?.querySelector('a') ?? part)
    ;(target as HTMLElement | null)?.focus()
  })
  return (id) => {
    wanted.current = { id: id ?? fallback, had: document.activeElement }
  }
}
