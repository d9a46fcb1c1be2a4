import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { call } from '../api.ts'
import { type BeatmapUse, type BeatmapView, beatmapKey } from './beatmap-book.ts'
import { BeatmapLookup, type LookPhase } from './beatmap-lookup.ts'
import { whenSeen } from './when-seen.ts'

/** What a page knows of the beatmaps that it shows. */
export type Beatmaps = {
  /** By `beatmapKey`; every use asked for is in it. */
  readonly views: ReadonlyMap<string, BeatmapView>
  readonly phase: LookPhase
  /** Why the last question was not answered. */
  readonly error: unknown
  readonly retry: () => void
}

/**
 * Looks the beatmaps up, at most 64 in a question, and keeps asking for what is not known yet while
 * the page is looked at. May be given other uses each time: only what is new is asked for.
 *
 * @param slug the pack that shows them; with it visitors learn the ratings of its slots, too.
 */
export const useBeatmaps = (uses: readonly BeatmapUse[], slug?: string): Beatmaps => {
  const [version, setVersion] = useState(0)
  const lookup = useRef<BeatmapLookup | null>(null)
  const texts = uses.map(beatmapKey).join(' ')
  useEffect(() => {
    lookup.current = new BeatmapLookup({
      ask: (body, signal) => call('lookAtBeatmaps', { body, signal }),
      later: whenSeen,
      onChange: () => setVersion((before) => before + 1),
    })
    return () => lookup.current?.close()
  }, [])
  useEffect(() => {
    lookup.current?.want(uses, slug)
    setVersion((before) => before + 1)
  }, [texts, slug])
  return useMemo(() => {
    const { book, phase = 'asking', error = null } = lookup.current ?? {}
    const views = uses.map((use) => [beatmapKey(use), book?.view(use) ?? pending] as const)
    return { views: new Map(views), phase, error, retry: () => lookup.current?.retry() }
  }, [texts, version])
}

const pending: BeatmapView = { state: 'pending' }
