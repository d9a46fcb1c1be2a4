import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** So much is seen of the entry before, which says that there is one. */
const BEFORE = 40

/** For a row of entries that may be wider than the window: shows the current one, unless it is seen whole already. */
export function useCurrentInView<E extends HTMLElement>(
  current: string | null,
): RefObject<E | null> {
  const row = useRef<E>(null)
  useLayoutEffect(() => {
    const here = row.current?.querySelector('[aria-current]')
    if (!row.current || !here) return
    const seen = row.current.getBoundingClientRect()
    const { left, right } = (here.closest('li') ?? here).getBoundingClientRect()
    if (left < seen.left || right > seen.right) {
      row.current.scrollBy({ left: left - seen.left - BEFORE })
    }
  }, [current])
  return row
}
