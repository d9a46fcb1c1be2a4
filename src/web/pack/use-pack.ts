import { useEffect, useState } from 'preact/hooks'
import type { SitePack } from '../../contract/packs.ts'
import { call } from '../api.ts'
import { whenSeen } from '../pool/when-seen.ts'
import { CallFailure } from '../site-failure.ts'

/** When to look whether stats have come, in seconds behind the look before; then one gives up. */
const FOR_STATS = [2, 3, 5, 8, 15, 30, 60] as const
/** What could not be looked up is tried again much later. */
const FOR_COMPLETE_STATS = [30, 120, 300] as const

const isGone = (error: unknown): boolean => error instanceof CallFailure && error.status === 404

/** Of a pack that has not been saved since, stats alone are news: the rest may be older than here. */
const withStatsOf = (before: SitePack, now: SitePack): SitePack => {
  if (before.updatedAt !== now.updatedAt) return now
  return now.stats === undefined ? before : { ...before, stats: now.stats }
}

/**
 * A pack as it is now. While its stats are absent or incomplete it is read again from time to time,
 * as long as somebody looks at the page.
 *
 * @returns the pack, what takes another state of it, and whether stats may still come.
 */
export const usePack = (
  first: SitePack,
): readonly [pack: SitePack, setPack: (pack: SitePack) => void, isWaiting: boolean] => {
  const [pack, setPack] = useState(first)
  const [tries, setTries] = useState(0)
  const { slug, updatedAt, stats } = pack
  const waits: readonly number[] = stats === undefined ? FOR_STATS : FOR_COMPLETE_STATS
  const isOpen = stats === undefined || !stats.complete
  const wait = isOpen ? waits[tries] : undefined

  useEffect(() => setTries(0), [updatedAt, stats === undefined])
  useEffect(() => {
    if (wait === undefined) return undefined
    const closing = new AbortController()
    const look = async (): Promise<void> => {
      const { signal } = closing
      try {
        const { pack: now } = await call('getPack', { slug, signal })
        setPack((before) => withStatsOf(before, now))
        setTries(tries + 1)
      } catch (error) {
        if (!signal.aborted) setTries(isGone(error) ? Infinity : tries + 1)
      }
    }
    const callOff = whenSeen(wait * 1000, () => void look())
    return () => {
      callOff()
      closing.abort()
    }
  }, [slug, wait, tries])
  return [pack, setPack, wait !== undefined]
}
