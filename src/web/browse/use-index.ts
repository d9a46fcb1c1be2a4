import { useCallback, useEffect, useState } from 'preact/hooks'
import type { SEARCH_INDEX_PATH, SearchIndex } from '../../contract/search-index.ts'
import { readFailure, unreachable } from '../site-failure.ts'
import { type Columns, readColumns } from './columns.ts'

// Named by its type alone, so that the schemas beside it are not loaded.
const path: typeof SEARCH_INDEX_PATH = '/packs/index.json'

export type IndexState =
  | { readonly phase: 'loading' }
  | { readonly phase: 'failed'; readonly error: unknown }
  | { readonly phase: 'ready'; readonly columns: Columns }

const load = async (): Promise<Columns> => {
  const response = await fetch(path).catch(() => {
    throw unreachable()
  })
  if (!response.ok) throw await readFailure(response)
  const { packs } = (await response.json()) as SearchIndex
  return readColumns(packs)
}

/** Loads the search index when the page opens, and again when asked to. */
export const useIndex = (): readonly [IndexState, retry: () => void] => {
  const [state, setState] = useState<IndexState>({ phase: 'loading' })
  const begin = useCallback(() => {
    setState({ phase: 'loading' })
    load().then(
      (columns) => setState({ phase: 'ready', columns }),
      (error: unknown) => setState({ phase: 'failed', error }),
    )
  }, [])
  useEffect(begin, [begin])
  return [state, begin]
}
