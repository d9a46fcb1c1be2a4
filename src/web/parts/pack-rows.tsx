import type { ComponentChildren, JSX } from 'preact'
import type { IndexEntry } from '../../contract/search-index.ts'
import {
  count,
  formatBpm,
  formatDay,
  formatLength,
  formatRange,
  formatShortDay,
} from '../format.ts'
import { ModChip } from './labels.tsx'
import { StarBar, StarRange } from './stars.tsx'

/** Names the columns of numbers; each row says so itself to screen readers. */
export const PackListHead = ({ class: name = '' }: { readonly class?: string }): JSX.Element => (
  <div class={`pack-row ${name} list-head`} aria-hidden="true">
    <span class="row-about">Pack</span>
    <span class="row-stars">Stars</span>
    <span class="row-length">Length</span>
    <span class="row-bpm">BPM</span>
    <span class="row-updated">Updated</span>
  </div>
)

/** The lines of a row below the pack's name: maps, mods, stars, length, BPM and when it was updated. */
export function PackFacts({
  entry,
  children,
}: {
  readonly entry: IndexEntry
  /** The first fact: whose pack it is, or who can see it. */
  readonly children: ComponentChildren
}): JSX.Element {
  const { c, u, l, b, m } = entry
  return (
    <>
      <span class="row-about">
        {children}
        <span class="row-count">{count(c, 'map')}</span>
      </span>
      <Mods list={m ?? ''} />
      <Stars entry={entry} />
      <span class="row-length">{l ? formatRange(l, formatLength) : <Unknown what="Length" />}</span>
      <span class="row-bpm">
        {b ? (
          <>
            {formatRange(b, formatBpm)}
            <span class="row-unit"> BPM</span>
          </>
        ) : (
          <Unknown what="BPM" />
        )}
      </span>
      <time class="row-updated" dateTime={u} title={`Updated ${formatDay(u)}`}>
        <span class="row-unit">Updated </span>
        {formatShortDay(u)}
      </time>
    </>
  )
}

/** As many as fit on one line; one fewer when the rest is counted. */
const MOST_MODS = 6

function Mods({ list }: { readonly list: string }): JSX.Element {
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
  <span class="row-stars" title={k === false ? 'Some maps are still loading' : undefined}>
    {r === undefined ? (
      <span class="quiet-text">No stars yet</span>
    ) : (
      <>
        <StarRange range={r} />
        <StarBar range={r} average={a} />
      </>
    )}
  </span>
)

const Unknown = ({ what }: { readonly what: string }): JSX.Element => (
  <span class="quiet-text" title={`${what} not known yet`}>
    <span aria-hidden="true">–</span>
    <span class="sr-only">{what} not known yet</span>
  </span>
)
