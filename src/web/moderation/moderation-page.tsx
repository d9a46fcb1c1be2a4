import type { LogEntry } from '../../contract/moderation.ts'
import { call } from '../api.ts'
import { count } from '../format.ts'
import { formatMoment } from './dates.ts'
import { useLoad } from '../load.ts'
import { inEnglish, pageData } from '../page-data.ts'
import { Button } from '../parts/buttons.tsx'
import { PersonText } from '../parts/labels.tsx'
import { FailureLine, FailureNotice, Notice, SkeletonRows } from '../parts/notices.tsx'
import { Pager, readListPage } from '../parts/pager.tsx'
import { ReasonDialog } from '../parts/reason-dialog.tsx'
import { type ChangeFilter, type Filter, showsWholeRow, useFilter } from './filter.ts'
import { DecisionList, LogReason, playerDecisions, tournamentDecisions } from './decisions.tsx'
import { FilteredList } from './filtered-list.tsx'
import { PackGrid } from './pack-grid.tsx'
import { hidingOf, SEARCH_ID, usePacks } from './packs-model.ts'
import '../style/moderation.css'

export function ModerationPage() {
  const view = new URLSearchParams(location.search).get('view')
  const { service, poolsUrl, siteUrl } = pageData()
  return (
    <main id="main" {...inEnglish}>
      <header class="moderation-head">
        <h1>Moderation</h1>
        <nav aria-label="Moderation">
          {tabs.map(([label, of, name]) => {
            const path = name === null ? '/moderation' : `/moderation?view=${name}`
            const site =
              of === service || of === null ? '' : service === 'packs' ? poolsUrl : siteUrl
            return (
              <a
                key={label}
                href={site + path}
                aria-current={site === '' && name === view ? 'page' : undefined}
              >
                {label}
              </a>
            )
          })}
        </nav>
      </header>
      {view === 'log' ? (
        <LogView />
      ) : service === 'pools' ? (
        <DecisionList key="tournaments" {...tournamentDecisions} />
      ) : view === 'players' ? (
        <DecisionList key="players" {...playerDecisions} />
      ) : (
        <PacksView />
      )}
    </main>
  )
}

/** Each with the site that it is on; null: both. */
const tabs = [
  ['Packs', 'packs', null],
  ['Tournaments', 'pools', null],
  ['Players', 'packs', 'players'],
  ['Log', null, 'log'],
] as const

function LogView() {
  const { value, error, reload } = useLoad(loadLog)
  if (error !== null) {
    return <FailureNotice title="Could not load the log" error={error} onRetry={reload} />
  }
  if (value === null) return <SkeletonRows rows={10} label="Loading the log …" />
  if (value.entries.length === 0) {
    return <Notice title="No entries yet">Moderator actions will appear here.</Notice>
  }
  return (
    <>
      <p class="log-count quiet-text tabular">{count(value.total, 'entry', 'entries')}</p>
      <ol class="log">
        {value.entries.map((entry, at) => (
          <LogRow key={at} {...entry} />
        ))}
      </ol>
      <Pager page={value.page} pageCount={value.pageCount} />
    </>
  )
}

const loadLog = (signal: AbortSignal) =>
  call('readModerationLog', { query: { page: readListPage(location.search) }, signal })

const verbs = {
  hide: 'hid',
  unhide: 'unhid',
  pin: 'pinned',
  unpin: 'unpinned',
  move: 'reordered the pin of',
  suspend: 'suspended',
  unsuspend: 'lifted the suspension of',
  appoint: 'made a moderator of',
  dismiss: 'ended the moderator role of',
  delete: 'deleted the account of',
} as const

const LogRow = ({ at, moderator, action, reason, ...what }: LogEntry) => (
  <li>
    <time class="quiet-text tabular" dateTime={at}>
      {formatMoment(at)}
    </time>
    <p>
      {moderator === null ? 'The operator' : <PersonText within="b" text={moderator} />}{' '}
      <span class={action === 'hide' || action === 'suspend' ? 'hidden-mark' : undefined}>
        {verbs[action]}
      </span>{' '}
      <LogSubject {...what} />
    </p>
    <LogReason text={reason} />
  </li>
)

function LogSubject({
  subject,
  slug,
  packName = '',
  gameId,
  username,
}: Omit<LogEntry, 'at' | 'moderator' | 'action' | 'reason'>) {
  const { siteUrl, poolsUrl } = pageData()
  if (subject === 'player') {
    return (
      <a href={`${siteUrl}/moderation?view=players&query=${gameId}`}>
        {username === undefined ? `player ${gameId}` : <PersonText text={username} />}
      </a>
    )
  }
  // The name is deleted with the account of the owner.
  if (packName === '') return <span class="quiet-text">a pack of a deleted account</span>
  return (
    <>
      {subject === 'tournament' && 'the tournament '}
      <PersonText
        href={subject === 'tournament' ? `${poolsUrl}/t/${slug}` : `${siteUrl}/p/${slug}`}
        text={packName}
      />
    </>
  )
}

function PacksView() {
  const [shown, asked, change] = useFilter()
  const model = usePacks(asked)
  const {
    loaded: { value },
    hiding,
    refusal,
  } = model
  const isOrdered = value !== null && showsWholeRow(value.filter)
  return (
    <>
      <FilteredList
        id={SEARCH_ID}
        by="name, owner or slug"
        what="pack"
        filter={shown}
        change={change}
        states={states}
        skeletonRows={8}
        list={{ ...model.loaded, reload: model.reload }}
        refusal={
          refusal && (
            <div class="moderation-refusal">
              <div>
                <b>{refusal.what}</b>
                <FailureLine error={refusal.error} />
              </div>
              <Button tone="quiet" icon="close" aria-label="Close" onClick={model.clearRefusal} />
            </div>
          )
        }
        empty={value?.packs.length === 0 && <NoPacks filter={value.filter} change={change} />}
        class="moderation-packs"
      >
        <KeyHints isOrdered={isOrdered} />
        <PackGrid packs={value?.packs ?? []} model={model} isOrdered={isOrdered} />
      </FilteredList>
      <ReasonDialog
        verdict={hiding.asked === null ? 'hide' : hidingOf(hiding.asked)}
        action={hiding}
        onReason={model.giveReason}
      />
    </>
  )
}

type FilterProps = { readonly filter: Filter; readonly change: ChangeFilter }

const states = [
  ['All', null],
  ['Hidden', 'hidden'],
  ['Pinned', 'pinned'],
] as const

const emptyTexts = {
  query: [
    'No matching packs',
    'Search by part of the pack’s or owner’s name, or by the full slug.',
  ],
  hidden: ['No hidden packs', 'Packs that moderators hide appear here.'],
  pinned: [
    'No pinned packs',
    'Pin up to six public packs. They appear first on the home page and in Browse.',
  ],
  page: ['No packs on this page', 'Go back to the first page to see public and unlisted packs.'],
} as const

function NoPacks({ filter: { query, only }, change }: FilterProps) {
  const isSearch = query !== ''
  const [title, text] = emptyTexts[isSearch ? 'query' : (only ?? 'page')]
  const reset = (): void => change({ query: '', only: null })
  const all = <Button tone="primary" label="Show all packs" onClick={reset} />
  return (
    <Notice title={title} actions={isSearch && all}>
      {text}
    </Notice>
  )
}

const hints = [
  [['↑', '↓'], 'row'],
  [['←', '→'], 'button'],
  [['Enter'], 'open'],
  [['H'], 'hide or unhide'],
  [['P'], 'pin or unpin'],
  [['/'], 'search'],
] as const

const moveHint = [['Alt ↑', 'Alt ↓'], 'move the pin'] as const

/** The keys that work while a row of the table has the focus. */
const KeyHints = ({ isOrdered }: { isOrdered: boolean }) => (
  <p class="key-hints">
    {(isOrdered ? [...hints, moveHint] : hints).map(([keys, what]) => (
      <span key={what}>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}{' '}
        {what}
      </span>
    ))}
  </p>
)
