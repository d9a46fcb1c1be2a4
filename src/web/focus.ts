import { useLayoutEffect, useRef } from 'preact/hooks'

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey' | 'shiftKey'>

/** Spelled out: Preact's own type would bring the browser's types to whoever imports this. */
type Pressed = Omit<KeyboardEvent, 'currentTarget'> & { readonly currentTarget: HTMLElement }

/** Which row a key leads to from the one at `from`; null where it leads nowhere. */
export const rowAfter = (
  { key, ctrlKey, altKey, metaKey, shiftKey }: Key,
  from: number,
  rows: number,
): number | null => {
  if (ctrlKey || altKey || metaKey || shiftKey || from < 0) return null
  if (key === 'ArrowDown') return from + 1 < rows ? from + 1 : null
  if (key === 'ArrowUp') return from > 0 ? from - 1 : null
  if (key === 'Home') return 0
  return key === 'End' ? rows - 1 : null
}

/**
 * Moves the focus between rows by arrow keys, Home and End: from whatever in a row has it to the
 * first `target` in another. Fields keep their keys.
 */
export const stepRows =
  (row: string, target: string) =>
  (event: Pressed): void => {
    if ((event.target as Element).matches('input, textarea, select')) return
    const rows = [...event.currentTarget.querySelectorAll(row)]
    const from = rows.findIndex((each) => each.contains(event.target as Node))
    const to = rowAfter(event, from, rows.length)
    const next = to === null ? null : rows[to]?.querySelector<HTMLElement>(target)
    if (!next) return
    event.preventDefault()
    next.focus()
  }

/**
 * Keeps the focus on a part of the page when it has shown what has changed: on what in it has the focus,
 * or had it and is still there, else on its first link, else on the part itself.
 *
 * @param fallback the id of what gets the focus where the part is gone.
 * @returns takes the id of the part; null: it is gone.
 */
export function useFocusLater(fallback: string): (id: string | null) => void {
  const wanted = useRef<{ readonly id: string | null; readonly had: Element | null } | null>(null)
  useLayoutEffect(() => {
    if (wanted.current === null) return
    const { id, had } = wanted.current
    wanted.current = null
    const part = document.getElementById(id ?? fallback) ?? document.getElementById(fallback)
    if (part?.contains(document.activeElement)) return
    const target = part?.contains(had) ? had : (part?.querySelector('a') ?? part)
    ;(target as HTMLElement | null)?.focus()
  })
  return (id) => {
    wanted.current = { id, had: document.activeElement }
  }
}
