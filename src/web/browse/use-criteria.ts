import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { readAddress, writeAddress } from './address-state.ts'
import type { Criteria } from './criteria.ts'
import type { Found } from './find-packs.ts'

/** Browsers allow an address to change only so often. */
const PAUSE_MS = 200

/** Changes some of what is looked for. */
export type Change = (changes: Partial<Criteria>) => void

/** What is looked for, how to change it, and what was found. */
export type Looking = {
  readonly criteria: Criteria
  readonly change: Change
  readonly found: Found
}

/** What is looked for. It stands in the address, so that it can be shared and come back to. */
export const useCriteria = (): readonly [Criteria, Change] => {
  const [criteria, setCriteria] = useState(() => readAddress(location.search))
  const latest = useRef(criteria)
  latest.current = criteria

  useEffect(() => {
    const write = (): void => {
      const address = location.pathname + writeAddress(latest.current) + location.hash
      if (address !== location.pathname + location.search + location.hash) {
        history.replaceState(history.state, '', address)
      }
    }
    const timer = setTimeout(write, PAUSE_MS)
    addEventListener('pagehide', write)
    return () => {
      clearTimeout(timer)
      removeEventListener('pagehide', write)
    }
  }, [criteria])

  useEffect(() => {
    const read = (): void => setCriteria(readAddress(location.search))
    addEventListener('popstate', read)
    return () => removeEventListener('popstate', read)
  }, [])

  const change: Change = useCallback(
    (changes) => setCriteria((before) => ({ ...before, ...changes })),
    [],
  )
  return [criteria, change]
}
