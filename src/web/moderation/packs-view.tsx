import type { JSX } from 'preact'
import { count } from '../format.ts'
import { Button } from '../parts/buttons.tsx'
import { FailureLine, FailureNotice, Notice, SkeletonRows } from '../parts/notices.tsx'
import { ReasonDialog } from '../parts/pack-dialogs.tsx'
import { Pager } from '../parts/pager.tsx'
import { FilterBar } from './filter-bar.tsx'
import { type Filter, showsWholeRow, writeFilter } from './filter.ts'
import { KeyHints } from './key-hints.tsx'
import { PackGrid } from './pack-grid.tsx'
import { type Desk, useDesk } from './use-desk.ts'
import { type ChangeFilter, useFilter } from './use-filter.ts'
import { hidingOf } from './verdicts.ts'

const SKELETON_ROWS = 8

type NoneProps = { readonly filter: Filter; readonly change: ChangeFilter }

const None = ({ filter, change }: NoneProps): JSX.Element => {
  if (filter.query !== '') {
    return (
      <Notice
        title="No matching packs"
        actions={
          <Button tone="primary" onClick={() => change({ query: '', only: null })}>
            Show all packs
          </Button>
        }
      >
        Search by part of the pack’s or owner’s name, or by the full slug.
      </Notice>
    )
  }
  if (filter.only === 'hidden')
    return <Notice title="No hidden packs">Packs that moderators hide appear here.</Notice>
  if (filter.only === 'pinned') {
    return (
      <Notice title="No pinned packs">
        Pin up to six public packs. They appear first on the home page and in Browse.
      </Notice>
    )
  }
  return (
    <Notice title="No packs on this page">
      Go back to the first page to see public and unlisted packs.
    </Notice>
  )
}

const Refused = ({ desk: { refusal, forgive } }: { readonly desk: Desk }): JSX.Element | null =>
  refusal && (
    <div class="moderation-refusal">
      <div>
        <b>{refusal.what}</b>
        <FailureLine error={refusal.error} />
      </div>
      <Button tone="quiet" icon="close" aria-label="Close" onClick={forgive} />
    </div>
  )

/** Finding packs, and deciding about them. */
export const PacksView = (): JSX.Element => {
  const [shown, asked, change] = useFilter()
  const desk = useDesk(asked)
  const { value, error, isLoading } = desk.loaded
  const isOrdered = value !== null && showsWholeRow(value.filter)
  return (
    <>
      <FilterBar filter={shown} change={change}>
        {value && error === null ? count(value.total, 'pack') : ''}
      </FilterBar>
      <Refused desk={desk} />
      {error !== null ? (
        <FailureNotice title="Could not load packs" error={error} onRetry={desk.reload} />
      ) : value === null ? (
        <SkeletonRows rows={SKELETON_ROWS} what="packs" />
      ) : value.packs.length === 0 && !isLoading ? (
        <None filter={value.filter} change={change} />
      ) : (
        <div class="moderation-packs" aria-busy={isLoading}>
          <KeyHints isOrdered={isOrdered} />
          <PackGrid packs={value.packs} desk={desk} isOrdered={isOrdered} />
          <Pager
            page={value.page}
            pageCount={value.pageCount}
            hrefOf={(page) => location.pathname + writeFilter({ ...value.filter, page })}
          />
        </div>
      )}
      <ReasonDialog
        pack={desk.asked}
        verdict={desk.asked === null ? 'hide' : hidingOf(desk.asked)}
        isBusy={desk.hiding.isBusy}
        error={desk.hiding.error}
        onReason={desk.giveReason}
        onCancel={() => desk.ask(null)}
      />
    </>
  )
}
