import type { JSX } from 'preact'
import type { IndexEntry } from '../../contract/search-index.ts'
import {
  count,
  formatBpm,
  formatDay,
  formatLength,
  formatRange,
  formatShortDay,
} from '../format.ts'
import { ModChip } from './chip.tsx'
import { StarBar, StarRange } from './stars.tsx'

/** More do not stand in one line; one place less when it has to say how many are left. */
const MOST_MODS = 6

const Mods = ({ list }: { readonly list: string }): JSX.Element => {
  const codes = list === '' ? [] : list.split(',')
  const shown = codes.length > MOST_MODS ? MOST_MODS - 1 : codes.length
  const rest = codes.slice(shown)
  return (
    <span class="row-mods">
      {codes.slice(0, shown).map((code) => (
        <ModChip key={code} code={code} />
      ))}
      {rest.length > 0 && (
        <span class="row-more" title={rest.join(', ')}>
          +{rest.length}
          <span class="sr-only">: {rest.join(', ')}</span>
        </span>
      )}
    </span>
  )
}

const Stars = ({ entry: { r, a, k } }: { readonly entry: IndexEntry }): JSX.Element => (
  <span class="row-stars" title={k === false ? 'Not all maps are known yet' : undefined}>
    {r === undefined ? (
      <span class="quiet-text">no stars yet</span>
    ) : (
      <>
        <StarRange range={r} />
        <StarBar range={r} average={a} />
      </>
    )}
  </span>
)

/** What a row tells of a pack behind its name: stars, maps, mods, length, BPM and when updated. */
export const PackFacts = ({ entry }: { readonly entry: IndexEntry }): JSX.Element => {
  const { c, u, l, b, m } = entry
  return (
    <>
      <Stars entry={entry} />
      <span class="row-count" title={count(c, 'map')}>
        {c}
        <span class="sr-only">{c === 1 ? ' map' : ' maps'}</span>
      </span>
      <Mods list={m ?? ''} />
      <span class="row-length">{l && formatRange(l, formatLength)}</span>
      <span class="row-bpm">
        {b && formatRange(b, formatBpm)}
        {b && <span class="sr-only"> BPM</span>}
      </span>
      <time class="row-updated" dateTime={u} title={`Updated ${formatDay(u)}`}>
        <span class="sr-only">updated </span>
        {formatShortDay(u)}
      </time>
    </>
  )
}
