import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { PackPage } from '../../contract/packs.ts'
import { stepRows } from '../focus.ts'
import { LinkButton } from '../parts/buttons.tsx'
import { FailureNotice, Notice, SkeletonRows } from '../parts/notices.tsx'
import { DeletePackDialog } from '../parts/pack-dialogs.tsx'
import { listPageSearch, Pager } from '../parts/pager.tsx'
import { MyPackRow, rowId } from './my-pack-row.tsx'
import type { MyPacks } from './use-my-packs.ts'

const SKELETON_ROWS = 8

const hrefOf = (page: number): string => location.pathname + listPageSearch(page)

const NoPacks = (): JSX.Element => (
  <Notice
    title="No packs yet"
    actions={
      <>
        <LinkButton tone="primary" href="/new">
          New pack
        </LinkButton>
        <LinkButton href="/k">Open a key</LinkButton>
      </>
    }
  >
    Paste a spreadsheet to create a pack, or open a pack key and save it as your own.
  </Notice>
)

const PastTheEnd = ({ pageCount }: Pick<PackPage, 'pageCount'>): JSX.Element => (
  <Notice
    title="No packs on this page"
    actions={
      <LinkButton tone="primary" href={hrefOf(pageCount)}>
        Go to the last page
      </LinkButton>
    }
  >
    You have fewer packs than that.
  </Notice>
)

/** Whoever has deleted a pack goes on from the next one. */
const useFocusAfter = (focus: MyPacks['focus']): void =>
  useEffect(() => {
    if (focus === null) return
    const row = focus.slug === null ? null : document.getElementById(rowId(focus.slug))
    const target = row?.querySelector('a') ?? document.getElementById('my-packs-title')
    target?.focus()
  }, [focus])

const ListHead = (): JSX.Element => (
  <div class="pack-row my-pack list-head" aria-hidden="true">
    <span class="row-about">Pack</span>
    <span class="row-stars">Stars</span>
    <span class="row-length">Length</span>
    <span class="row-bpm">BPM</span>
    <span class="row-updated">Updated</span>
  </div>
)

/** One page of the reader's packs, or what there is instead. */
export const MyPackList = ({ packs }: { readonly packs: MyPacks }): JSX.Element => {
  const { loaded, reload, action, doomed, doom, remove, focus } = packs
  const { value, error, isLoading } = loaded
  useFocusAfter(focus)
  if (error !== null) {
    return <FailureNotice title="Could not load your packs" error={error} onRetry={reload} />
  }
  if (value === null) {
    return (
      <div class="my-packs">
        <SkeletonRows rows={SKELETON_ROWS} what="your packs" />
      </div>
    )
  }
  if (value.packs.length === 0 && !isLoading) {
    return value.total === 0 ? <NoPacks /> : <PastTheEnd pageCount={value.pageCount} />
  }
  return (
    <div class="my-packs" aria-busy={isLoading}>
      <ListHead />
      <ul role="list" onKeyDown={stepRows('li', 'a')}>
        {value.packs.map((pack) => (
          <MyPackRow key={pack.slug} pack={pack} onDelete={() => doom(pack)} />
        ))}
      </ul>
      <Pager page={value.page} pageCount={value.pageCount} hrefOf={hrefOf} />
      <DeletePackDialog
        pack={doomed}
        isBusy={action.isBusy}
        error={action.error}
        onConfirm={remove}
        onCancel={() => doom(null)}
      />
    </div>
  )
}
