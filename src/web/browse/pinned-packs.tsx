import type { JSX } from 'preact'
import type { IndexEntry } from '../../contract/search-index.ts'
import { count } from '../format.ts'
import { PersonText, shownText } from '../parts/labels.tsx'
import { StarBar, StarRange } from '../parts/stars.tsx'

type Props = {
  /** null keeps the place of a pack that is being loaded. */
  readonly packs: readonly (IndexEntry | null)[]
}

/** The pinned row (D-30), in its order; nothing where none is pinned. */
export const PinnedPacks = ({ packs }: Props): JSX.Element | null =>
  packs.length === 0 ? null : (
    <section class="pinned" aria-labelledby="pinned-title">
      <h2 id="pinned-title">Pinned</h2>
      <ul role="list">
        {packs.map((pack, place) => (
          <li key={place}>{pack ? <PinnedPack pack={pack} /> : <span class="pinned-pack" />}</li>
        ))}
      </ul>
    </section>
  )

const PinnedPack = ({ pack: { s, n, o, c, r, a } }: { readonly pack: IndexEntry }): JSX.Element => (
  <a class="pinned-pack" href={`/p/${s}`}>
    <span class="pinned-name" dir="auto">
      {shownText(n)}
    </span>
    <span class="pinned-facts">
      <span>
        <PersonText text={o} />, {count(c, 'map')}
      </span>
      <span>{r ? <StarRange range={r} /> : 'No stars yet'}</span>
    </span>
    {r && <StarBar range={r} average={a} />}
  </a>
)
