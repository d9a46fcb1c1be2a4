import type { JSX } from 'preact'
import { count, formatNumber } from '../format.ts'
import { Button } from '../parts/buttons.tsx'
import type { Criteria, SortKey } from './criteria.ts'
import type { Change } from './use-criteria.ts'

/** What each order is called, and what reversing it would bring to the top. */
const orders: Readonly<Record<SortKey, readonly [name: string, usual: string, reversed: string]>> =
  {
    created: ['Created', 'newest first', 'oldest first'],
    updated: ['Updated', 'most recent first', 'oldest first'],
    name: ['Name', 'A to Z', 'Z to A'],
    stars: ['Stars', 'highest first', 'lowest first'],
    length: ['Length', 'longest first', 'shortest first'],
    bpm: ['BPM', 'fastest first', 'slowest first'],
    beatmaps: ['Maps', 'most first', 'fewest first'],
  }

type Props = {
  readonly criteria: Criteria
  readonly change: Change
  /** Packs that are shown, of all. */
  readonly shown: number
  readonly all: number
}

/** How many packs were found, and in which order they stand. */
export const Toolbar = ({ criteria, change, shown, all }: Props): JSX.Element => {
  const { sort, isReversed } = criteria
  const [, usual, reversed] = orders[sort]
  return (
    <div class="toolbar">
      <p role="status">
        {shown === all ? count(all, 'pack') : `${formatNumber(shown)} of ${count(all, 'pack')}`}
      </p>
      <label>
        <span class="sr-only">Sort by</span>
        <select
          class="field"
          value={sort}
          onChange={({ currentTarget }) =>
            change({ sort: currentTarget.value as SortKey, isReversed: false })
          }
        >
          {Object.entries(orders).map(([key, [name]]) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Button icon="reverse" onClick={() => change({ isReversed: !isReversed })}>
        <span class="toolbar-direction">{isReversed ? reversed : usual}</span>
      </Button>
    </div>
  )
}

type UnratedProps = {
  readonly packs: number
  readonly isShown: boolean
  readonly change: Change
}

/** Packs that a filter cannot judge are counted, not lost. */
export const UnratedNote = ({ packs, isShown, change }: UnratedProps): JSX.Element | null =>
  packs === 0 ? null : (
    <p class="unrated">
      {count(packs, 'pack')} without stats {packs === 1 ? 'is' : 'are'}{' '}
      {isShown ? 'included.' : 'hidden.'}{' '}
      <button type="button" class="link" onClick={() => change({ showsUnrated: !isShown })}>
        {isShown ? 'Hide' : 'Show'}
      </button>
    </p>
  )
