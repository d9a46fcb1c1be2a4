import { hasSameFields } from '../../pool/pack-fields.ts'
import { useCallback, useMemo, useState } from 'preact/hooks'
import type { HistoryPage as HistoryPageReply, PackVersion } from '../../contract/history.ts'
import type { SitePack } from '../../contract/packs.ts'
import { decodePackKey } from '../../pool/pack-key/pack-key.ts'
import { useAction, useAskedAction } from '../action.ts'
import { call } from '../api.ts'
import { count } from '../format.ts'
import { useLoad } from '../load.ts'
import { LinkButton } from '../parts/buttons.tsx'
import { ownerHref } from '../page-data.ts'
import { PersonText } from '../parts/labels.tsx'
import { FailureLine, FailureNotice, Notice, SkeletonRows } from '../parts/notices.tsx'
import { Pager, PastTheEnd } from '../parts/pager.tsx'
import { announce } from '../parts/toasts.tsx'
import { LookNote } from '../pool/look-note.tsx'
import { CompareView } from './compare-view.tsx'
import { changeOf, Differences, slotsOfChanges, useBeatmapsOf } from './differences.tsx'
import {
  Choice,
  CompareForm,
  Facts,
  historyHref,
  readHistoryAddress,
  RestoreButton,
  RestoreDialog,
} from './versions.tsx'
import '../style/pack-page.css'
import '../style/side-card.css'
import '../style/history.css'

type HistoryProps = { readonly pack: SitePack }

/** What the address asks for: the versions of a pack, two of them compared, or one of them whole. */
export function HistoryPage({ pack }: HistoryProps) {
  const view = useMemo(() => readHistoryAddress(location.search), [])
  if (view.kind === 'compare') return <CompareView pack={pack} a={view.a} b={view.b} />
  if (view.kind === 'version') return <WholeVersion pack={pack} version={view.version} />
  return <VersionList pack={pack} page={view.page} />
}

/** Its code is loaded when it is needed: most readers look at what has changed. */
function WholeVersion(props: HistoryProps & { readonly version: number }) {
  const load = useCallback(() => import('./version-view.tsx'), [])
  const { value, error } = useLoad(load)
  if (value !== null) return <value.VersionView {...props} />
  return (
    <main id="main">
      <h1>Version {props.version}</h1>
      {error === null ? (
        <SkeletonRows rows={8} what="the version" />
      ) : (
        // Browsers do not ask again for code that could not be loaded.
        <FailureNotice
          title="Could not load this version"
          error={error}
          onRetry={() => location.reload()}
        />
      )}
    </main>
  )
}

function VersionList({ pack, page }: HistoryProps & { readonly page: number }) {
  const { slug, isMine } = pack
  const load = useCallback(
    (signal: AbortSignal) => call('getHistory', { slug, query: { page }, signal }),
    [slug, page],
  )
  const { value, error, reload } = useLoad(load)
  return (
    <main id="main" class="history-page">
      <header class="pack-header">
        <h1>
          History of <PersonText text={pack.name} />
        </h1>
        <p class="pack-facts">
          <span>
            by{' '}
            <a href={ownerHref(pack.ownerName)}>
              <PersonText within="b" text={pack.ownerName} />
            </a>
          </span>
          {value !== null && <span>{count(value.total, 'version')}</span>}
        </p>
        <p class="actions">
          <LinkButton label="Go to the pack" href={`/p/${slug}`} />
        </p>
      </header>
      {isMine && <Switch pack={pack} />}
      {error !== null && (
        <FailureNotice title="Could not load the history" error={error} onRetry={reload} />
      )}
      {value === null && error === null && <SkeletonRows rows={6} what="the history" />}
      {value?.total === 0 && (
        <Notice title="No versions yet">
          No version of this pack was saved while others could open it. The next one will appear
          here.
        </Notice>
      )}
      {value !== null && value.total > 0 && value.versions.length === 0 && (
        <PastTheEnd what="versions" pageCount={value.pageCount} />
      )}
      {value !== null && value.versions.length > 0 && <Versions pack={pack} {...value} />}
      {value !== null && <Pager page={value.page} pageCount={value.pageCount} />}
    </main>
  )
}

/** Who may read the history. Shown as it will be, and as it was again if that fails. */
function Switch({ pack }: HistoryProps) {
  const { slug, visibility, hiddenAt } = pack
  const [isPublic, setPublic] = useState(pack.historyPublic === true)
  const { isBusy, error, run } = useAction()
  const change = (to: boolean): void =>
    run(async () => {
      setPublic(to)
      try {
        await call('setHistoryPublic', { slug, body: { public: to } })
      } catch (failure) {
        // The change may have been made although no response came.
        const now = await call('getPack', { slug }).catch(() => null)
        setPublic(now === null ? !to : now.pack.historyPublic === true)
        throw failure
      }
      announce(to ? 'The history is open' : 'The history is closed')
    })
  return (
    <section class="side-card history-switch" aria-label="Who can read the history">
      <label>
        <input
          type="checkbox"
          role="switch"
          checked={isPublic}
          aria-busy={isBusy}
          aria-describedby="history-switch-state"
          onChange={({ currentTarget }) => {
            if (isBusy) currentTarget.checked = isPublic
            else change(currentTarget.checked)
          }}
        />
        <span>
          Anyone who can open this pack can read its history, except what was saved while it was
          private or hidden
        </span>
      </label>
      <p id="history-switch-state" class="side-note">
        {isPublic ? 'The history is open.' : 'Only you can read the history now.'}
        {isPublic &&
          visibility === 'private' &&
          ' No one else can open the pack while it is private.'}
        {isPublic && hiddenAt !== undefined && ' No one else can open the pack while it is hidden.'}
      </p>
      <FailureLine error={error} />
    </section>
  )
}

type VersionsProps = HistoryProps & HistoryPageReply

function Versions({ pack, versions, page, pageCount }: VersionsProps) {
  const restoring = useAskedAction<PackVersion>()
  const changes = useMemo(
    () => versions.map(({ changes: each, packKey }) => changeOf(each, decodePackKey(packKey))),
    [versions],
  )
  const beatmaps = useBeatmapsOf(changes, pack.slug)
  const slots = useMemo(() => slotsOfChanges(changes, beatmaps), [changes, beatmaps])
  return (
    <div class={beatmaps.phase === 'stalled' ? 'pool-stalled' : undefined}>
      <LookNote slots={slots} beatmaps={beatmaps} />
      <CompareForm
        count={versions.length}
        onCompare={(a, b) => location.assign(historyHref(pack.slug, { a, b }))}
      >
        <ol role="list">
          {versions.map((version, at) => (
            <li key={version.version} class="version">
              <div class="version-head">
                <h2>Version {version.version}</h2>
                <Facts version={version} />
                {page === 1 && at === 0 && isCurrent(version, pack) && <b>Current</b>}
              </div>
              {version.changes.length > 0 ? (
                <Differences change={changes[at]!} beatmaps={beatmaps} />
              ) : (
                <p class="quiet-text">
                  {page >= pageCount && at === versions.length - 1
                    ? 'First version in this history'
                    : 'Same as the previous version'}
                </p>
              )}
              <div class="actions">
                {versions.length > 1 && <Choice version={version.version} at={at} />}
                <LinkButton
                  label="Open"
                  aria-label={`Open version ${version.version}`}
                  href={historyHref(pack.slug, { version: version.version })}
                />
                {pack.isMine && (page > 1 || at > 0) && (
                  <RestoreButton version={version} onAsk={restoring.ask} />
                )}
              </div>
            </li>
          ))}
        </ol>
      </CompareForm>
      <RestoreDialog slug={pack.slug} action={restoring} />
    </div>
  )
}

/** Others do not see the current version if it was saved while the pack was hidden. */
const isCurrent = (version: PackVersion, pack: SitePack): boolean =>
  version.packKey === pack.packKey && hasSameFields(version, pack)
