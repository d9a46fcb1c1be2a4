import type { JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from '../parts/buttons.tsx'
import { Notice } from '../parts/notices.tsx'
import type { Columns } from './columns.ts'
import { cleared } from './criteria.ts'
import { PackList } from './pack-list.tsx'
import { Toolbar, UnratedNote } from './toolbar.tsx'
import type { Looking } from './use-criteria.ts'

const NoMatch = ({ criteria, change }: Omit<Looking, 'found'>): JSX.Element => (
  <Notice
    title="No matching packs"
    actions={
      <Button tone="primary" onClick={() => change(cleared(criteria))}>
        Clear filters
      </Button>
    }
  >
    Try fewer words or a wider range.
  </Notice>
)

/** What was found, under how much it is and in which order. */
export const Results = ({ columns, ...looking }: Looking & { readonly columns: Columns }) => {
  const { criteria, change, found } = looking
  const top = useRef<HTMLDivElement>(null)
  // Whoever has scrolled down would otherwise see the middle of what they have just asked for.
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    if (!isFirst.current && (top.current?.getBoundingClientRect().top ?? 0) < 0) {
      top.current?.scrollIntoView()
    }
    isFirst.current = false
  }, [criteria])
  return (
    <div ref={top} class="results">
      <Toolbar
        criteria={criteria}
        change={change}
        shown={found.rows.length}
        all={columns.entries.length}
      />
      <UnratedNote packs={found.unrated} isShown={criteria.showsUnrated} change={change} />
      {found.rows.length === 0 ? (
        <NoMatch criteria={criteria} change={change} />
      ) : (
        <>
          <ListHead />
          <PackList entries={columns.entries} rows={found.rows} />
        </>
      )}
    </div>
  )
}

/** Names the columns of numbers; each row says so itself to screen readers. */
const ListHead = (): JSX.Element => (
  <div class="pack-row list-head" aria-hidden="true">
    <span class="row-about">Pack</span>
    <span class="row-stars">Stars</span>
    <span class="row-length">Length</span>
    <span class="row-bpm">BPM</span>
    <span class="row-updated">Updated</span>
  </div>
)
