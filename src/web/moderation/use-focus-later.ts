import { useLayoutEffect, useRef } from 'preact/hooks'

/** The id of a pack's row. */
export const rowId = (slug: string): string => `pack-${slug}`

/** What has the focus where no row is left. */
export const SEARCH_ID = 'moderation-search'

/**
 * Keeps the focus on a row when the page has shown what has changed: on what has it, or had it, where
 * that is still there, else on the link of the row; null: on the search.
 */
export const useFocusLater = (): ((slug: string | null) => void) => {
  const wanted = useRef<{ readonly slug: string | null; readonly had: Element | null } | null>(null)
  useLayoutEffect(() => {
    if (wanted.current === null) return
    const { slug, had } = wanted.current
    wanted.current = null
    const row = slug === null ? null : document.getElementById(rowId(slug))
    if (row?.contains(document.activeElement)) return
    const target = row?.contains(had) ? had : row?.querySelector('a')
    const fallback = document.getElementById(SEARCH_ID)
    ;((target ?? fallback) as HTMLElement | null)?.focus()
  })
  return (slug) => {
    wanted.current = { slug, had: document.activeElement }
  }
}
