import { readListPage } from '../parts/pager.tsx'

/** What the history page shows. */
export type HistoryView =
  | { readonly kind: 'list'; readonly page: number }
  /** Version `b` compared with `a`. */
  | { readonly kind: 'compare'; readonly a: number; readonly b: number }
  | { readonly kind: 'version'; readonly version: number }

/** What the query of an address asks for; the list where it is not understood. */
export function readHistoryAddress(search: string): HistoryView {
  const params = new URLSearchParams(search)
  const [a, b, version] = ['a', 'b', 'version'].map((name) => {
    const text = params.get(name) ?? ''
    return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null
  })
  if (a && b) return { kind: 'compare', a, b }
  if (version) return { kind: 'version', version }
  return { kind: 'list', page: readListPage(search) }
}

/** The address of a pack's history, of two versions compared, or of one. */
export function historyHref(
  slug: string,
  query: Readonly<Partial<Record<'a' | 'b' | 'version', number>>> = {},
): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`)
  return `/p/${slug}/history${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`
}
