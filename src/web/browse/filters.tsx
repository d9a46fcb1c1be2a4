import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { count } from '../format.ts'
import { NARROW, useMedia } from '../hooks.ts'
import { Button } from '../parts/buttons.tsx'
import { Dialog } from '../parts/dialogs.tsx'
import { cleared, countFilters, isNarrowed } from './criteria.ts'
import { FilterPanel } from './filter-panel.tsx'
import type { Looking } from './use-criteria.ts'

/** The filters: beside the list on a desk, in a sheet on a phone. */
export const Filters = ({ criteria, change, found }: Looking): JSX.Element => {
  const isNarrow = useMedia(NARROW)
  const [isOpen, setOpen] = useState(false)
  const inUse = countFilters(criteria)
  const panel = <FilterPanel criteria={criteria} histograms={found.histograms} change={change} />
  const clear = (
    <Button disabled={!isNarrowed(criteria)} onClick={() => change(cleared(criteria))}>
      Clear filters
    </Button>
  )
  if (!isNarrow) {
    return (
      <div class="filters" role="group" aria-label="Filters">
        {panel}
        {clear}
      </div>
    )
  }
  return (
    <div>
      <Button icon="filter" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {inUse === 0 ? 'Filters' : `Filters (${inUse})`}
      </Button>
      <Dialog
        kind="sheet"
        title="Filters"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        actions={
          <>
            {clear}
            <Button tone="primary" onClick={() => setOpen(false)}>
              Show {count(found.rows.length, 'pack')}
            </Button>
          </>
        }
      >
        {panel}
      </Dialog>
    </div>
  )
}
