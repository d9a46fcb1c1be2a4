import type { JSX } from 'preact'
import type { LogEntry, LogPage, ModerationAction } from '../../contract/moderated-pack.ts'
import { call } from '../api.ts'
import { count, formatMoment } from '../format.ts'
import { useLoad } from '../load.ts'
import { PersonText } from '../parts/labels.tsx'
import { FailureNotice, Notice, SkeletonRows } from '../parts/notices.tsx'
import { listPageSearch, Pager, readListPage } from '../parts/pager.tsx'
import { PacksView } from './packs-view.tsx'
import '../style/moderation.css'

const SKELETON_ROWS = 10

const deeds: Readonly<Record<ModerationAction, string>> = {
  hide: 'hid',
  unhide: 'unhid',
  pin: 'pinned',
  unpin: 'unpinned',
  move: 'reordered the pin of',
}

const views = [
  ['Packs', '/moderation', PacksView],
  ['Log', '/moderation?view=log', LogView],
] as const

/** What moderators do: look after packs, and read who did what. */
export function ModerationPage(): JSX.Element {
  const isLog = new URLSearchParams(location.search).get('view') === 'log'
  const [here, , View] = views[isLog ? 1 : 0]
  return (
    <main id="main">
      <header class="moderation-head">
        <h1>Moderation</h1>
        <nav aria-label="Moderation">
          {views.map(([label, href]) => (
            <a key={href} href={href} aria-current={label === here ? 'page' : undefined}>
              {label}
            </a>
          ))}
        </nav>
      </header>
      <View />
    </main>
  )
}

const load = (signal: AbortSignal): Promise<LogPage> =>
  call('readModerationLog', { query: { page: readListPage(location.search) }, signal })

function LogRow({ entry }: { readonly entry: LogEntry }): JSX.Element {
  const { at, moderator, action, slug, packName, reason } = entry
  return (
    <li>
      <time class="quiet-text tabular" dateTime={at}>
        {formatMoment(at)}
      </time>
      <p>
        {moderator === null ? (
          'The operator'
        ) : (
          <b>
            <PersonText text={moderator} />
          </b>
        )}{' '}
        <span class={action === 'hide' ? 'hidden-mark' : undefined}>{deeds[action]}</span>{' '}
        {/* Names leave with their owner's account. */}
        {packName === '' ? (
          <span class="quiet-text">a pack of a deleted account</span>
        ) : (
          <a href={`/p/${slug}`}>
            <PersonText text={packName} />
          </a>
        )}
      </p>
      {reason !== undefined && (
        <p class="log-reason quiet-text">
          <PersonText text={reason} />
        </p>
      )}
    </li>
  )
}

function LogView(): JSX.Element {
  const { value, error, reload } = useLoad(load)
  if (error !== null) {
    return <FailureNotice title="Could not load the log" error={error} onRetry={reload} />
  }
  if (value === null) return <SkeletonRows rows={SKELETON_ROWS} what="the log" />
  if (value.entries.length === 0) {
    return <Notice title="No entries yet">Moderator actions will appear here.</Notice>
  }
  return (
    <>
      <p class="log-count quiet-text tabular">{count(value.total, 'entry', 'entries')}</p>
      <ol class="log">
        {value.entries.map((entry, at) => (
          <LogRow key={at} entry={entry} />
        ))}
      </ol>
      <Pager
        page={value.page}
        pageCount={value.pageCount}
        hrefOf={(page) => location.pathname + listPageSearch(page, '?view=log')}
      />
    </>
  )
}
