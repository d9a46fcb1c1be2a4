import * as texts from '#texts/history'
import { useCallback, useMemo, useState } from 'preact/hooks'
import type { HistoryPage as HistoryPageReply, PackVersion } from '../../contract/history.ts'
import type { SitePack } from '../../contract/packs.ts'
import { decodePackKey } from '../../pool/pack-key/pack-key.ts'
import { useAction, useAskedAction } from '../action.ts'
import { call } from '../api.ts'
import { useLoad } from '../load.ts'
import { orLook } from '../lost-answers.ts'
import { formatSentences } from '../format.ts'
import { LinkButton } from '../parts/buttons.tsx'
import { ownerHref } from '../page-data.ts'
import { ownerText, PersonText } from '../parts/labels.tsx'
import { FailureLine, FailureNotice, Notice, SkeletonRows } from '../parts/notices.tsx'
import { Pager, PastTheEnd } from '../parts/pager.tsx'
import { announce } from '../parts/toasts.tsx'
import { LookNote } from '../pool/look-note.tsx'
import { CompareView } from './compare-view.tsx'
import { changeOf, Differences, slotsOfChanges, useBeatmapsOf } from './differences.tsx'
import {
  CompareForm,
  Facts,
  historyHref,
  isCurrent,
  numberOf,
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
      <h1>{texts.version(numberOf(props))}</h1>
      {error === null ? (
        <SkeletonRows rows={8} label={texts.loadingVersion} />
      ) : (
        // Browsers do not ask again for code that could not be loaded.
        <FailureNotice
          title={texts.versionFailed}
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
        <h1>{texts.historyOf({ name: <PersonText text={pack.name} /> })}</h1>
        <p class="pack-facts">
          <span>
            {texts.byOwner({
              owner: (
                <a href={ownerHref(pack.ownerName)}>
                  <PersonText within="b" text={ownerText(pack.ownerName)} />
                </a>
              ),
            })}
          </span>
          {value !== null && <span>{texts.versionCount({ n: value.total })}</span>}
        </p>
        <p class="actions">
          <LinkButton label={texts.toPack} href={`/p/${slug}`} />
        </p>
      </header>
      {isMine && <Switch pack={pack} />}
      {error !== null && (
        <FailureNotice title={texts.historyFailed} error={error} onRetry={reload} />
      )}
      {value === null && error === null && <SkeletonRows rows={6} label={texts.loadingHistory} />}
      {value?.total === 0 && <Notice title={texts.noVersions}>{texts.noVersionsMeans}</Notice>}
      {value !== null && value.total > 0 && value.versions.length === 0 && (
        <PastTheEnd
          title={texts.noVersionsHere}
          text={texts.fewerVersions}
          pageCount={value.pageCount}
        />
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
        await orLook(
          () => call('setHistoryPublic', { slug, body: { public: to } }),
          async () => {
            const { pack: now } = await call('getPack', { slug })
            return (now.historyPublic === true) === to ? undefined : null
          },
        )
      } catch (failure) {
        setPublic(!to)
        throw failure
      }
      announce(to ? texts.historyOpened : texts.historyClosed)
    })
  return (
    <section class="side-card history-switch" aria-label={texts.whoCanRead}>
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
        <span>{texts.openHistory}</span>
      </label>
      <p id="history-switch-state" class="side-note">
        {formatSentences([
          isPublic ? texts.isOpen : texts.isClosed,
          isPublic && visibility === 'private' && texts.exceptPrivate,
          isPublic && hiddenAt !== undefined && texts.exceptHidden,
        ])}
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
        versions={versions}
        onCompare={(a, b) => location.assign(historyHref(pack.slug, { a, b }))}
      >
        {(choiceOf) => (
          <ol role="list">
            {versions.map((version, at) => (
              <li key={version.version} class="version">
                <div class="version-head">
                  <h2>{texts.version(numberOf(version))}</h2>
                  <Facts version={version} />
                  {page === 1 && at === 0 && isCurrent(version, pack) && <b>{texts.current}</b>}
                </div>
                {version.changes.length > 0 ? (
                  <Differences change={changes[at]!} beatmaps={beatmaps} />
                ) : (
                  <p class="quiet-text">
                    {page >= pageCount && at === versions.length - 1
                      ? texts.firstVersion
                      : texts.sameAsBefore}
                  </p>
                )}
                <div class="actions">
                  {choiceOf(version.version)}
                  <LinkButton
                    label={texts.open}
                    aria-label={texts.openVersion(numberOf(version))}
                    href={historyHref(pack.slug, { version: version.version })}
                  />
                  {pack.isMine && (page > 1 || at > 0) && (
                    <RestoreButton version={version} onAsk={restoring.ask} />
                  )}
                </div>
              </li>
            ))}
          </ol>
        )}
      </CompareForm>
      <RestoreDialog slug={pack.slug} action={restoring} />
    </div>
  )
}
