import type { Known } from '../domain/beatmaps.ts'
import type { Asked } from './ask-platform.ts'
import type { RecentTroubles } from './recent-troubles.ts'

/** What a look-up found, by what it looked for. */
export type LookUp<K, V> = Asked & {
  /** From the cache and from the platform; old values too, where nothing newer came. */
  readonly known: ReadonlyMap<K, Known<V>>
  /** What the platform was asked for in vain, now or a moment ago. */
  readonly failed: ReadonlySet<K>
}

/** How far a look-up may go. */
export type LookUpLimits = {
  /** Calls at most; left out: as many as it takes. */
  readonly most?: number
  /** Left out: what failed a moment ago is asked for again. */
  readonly troubles?: RecentTroubles
}
