import * as texts from '#texts/round'
import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useMemo, useRef } from 'preact/hooks'
import type { DraftVersion, WholeDraftVersion } from '../../contract/draft-history.ts'
import { compareDrafts } from '../../pool/draft-comparison.ts'
import { filledSlots } from '../../pool/round-fields.ts'
import { slotLabel, slotsInPoolOrder } from '../../pool/slots.ts'
import { useAskedAction, type AskedAction } from '../action.ts'
import { formatMoment, formatSentences } from '../format.ts'
import { changeOf, Differences, slotsOfChanges, useBeatmapsOf } from '../history/differences.tsx'
import { CompareForm, readHistoryAddress, RestoreButton } from '../history/versions.tsx'
import { useLoad } from '../load.ts'
import { LinkButton } from '../parts/buttons.tsx'
import { ConfirmDialog } from '../parts/dialogs.tsx'
import { PersonText } from '../parts/labels.tsx'
import { FailureNotice, Notice, SkeletonRows } from '../parts/notices.tsx'
import { Pager, PastTheEnd } from '../parts/pager.tsx'
import { announce } from '../parts/toasts.tsx'
import { useBeatmaps } from '../pool/beatmaps.ts'
import { LookNote } from '../pool/look-note.tsx'
import { BeatmapWords, SlotLabel, SlotStars } from '../pool/slot-parts.tsx'
import { slotViews, usesOf } from '../pool/slots.ts'
import { poolsCall } from '../pools-api.ts'
import { isNotFound } from '../site-failure.ts'
import { DraftChanges } from './draft-changes.tsx'
import { draftWords, historyQuery, poolsOf, restoredEdit } from './draft-versions.ts'
import type { WorkspaceProps } from './model.ts'
import { factsOf, type RoundProps } from './round-fields.tsx'
import type { RoundEdit } from './round-store.ts'
import { PlanLine } from './round-view.tsx'
import '../style/history.css'

type HistoryProps = RoundProps & WorkspaceProps
type ViewProps = HistoryProps & { readonly restoring: AskedAction<DraftVersion> }

/** What the address asks for: the versions of a draft, two of them compared, or one of them whole. */
export function DraftHistory({ round, workspace }: HistoryProps) {
  const search = workspace.history.value ?? ''
  const view = useMemo(() => readHistoryAddress(search), [search])
  const restoring = useAskedAction<DraftVersion>()
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [search])
  const props = { round, workspace, restoring }
  const { name } = round.store.edit
  return (
    <div class="round draft-history">
      <header class="round-head">
        <h2 ref={title} tabIndex={-1}>
          {headingOf(view, <PersonText text={name} />)}
        </h2>
        {view.kind === 'compare' && (
          <LinkButton
            tone="quiet"
            icon="reverse"
            label={texts.swap}
            href={historyQuery(round.id, { a: view.b, b: view.a })}
          />
        )}
        {view.kind !== 'list' && (
          <LinkButton tone="quiet" label={texts.allVersions} href={historyQuery(round.id)} />
        )}
        <LinkButton label={texts.backToRound} href={`?round=${round.id}`} />
      </header>
      {view.kind === 'list' && <VersionList {...props} page={view.page} />}
      {view.kind === 'compare' && <Comparison {...props} a={view.a} b={view.b} />}
      {view.kind === 'version' && <Version {...props} version={view.version} />}
      <RestoreDialog {...props} />
    </div>
  )
}

function headingOf(view: ReturnType<typeof readHistoryAddress>, round: ComponentChildren) {
  if (view.kind === 'list') return texts.historyOf({ round })
  if (view.kind === 'version') return texts.versionOf({ version: String(view.version), round })
  return texts.versionsOf({ a: String(view.a), b: String(view.b), round })
}

/** A page of versions, with the beatmaps that each had. */
async function readVersions(
  path: { slug: string; round: string },
  page: number,
  signal: AbortSignal,
) {
  const list = await poolsCall('getDraftHistory', { ...path, query: { page }, signal })
  const [newest] = list.versions
  if (newest === undefined) return { ...list, pools: [] }
  const { version } = newest
  const whole = await poolsCall('getDraftVersion', { ...path, version, signal })
  return { ...list, pools: poolsOf(whole.version, list.versions) }
}

function VersionList({ round, workspace, restoring, page }: ViewProps & { readonly page: number }) {
  const { updatedAt } = round.store.saved
  const load = useCallback(
    (signal: AbortSignal) => readVersions(round.path, page, signal),
    [round, page, updatedAt],
  )
  const { value, error, reload } = useLoad(load)
  const changes = useMemo(
    () => (value?.versions ?? []).map((each, at) => changeOf(each.changes, value!.pools[at]!)),
    [value],
  )
  const beatmaps = useBeatmapsOf(changes, undefined, round.slug)
  if (error !== null) {
    return <FailureNotice title={texts.historyFailed} error={error} onRetry={reload} />
  }
  if (value === null) return <SkeletonRows rows={6} label={texts.loadingHistory} />
  const { versions, pageCount } = value
  if (versions.length === 0) {
    return (
      <PastTheEnd title={texts.noVersionsHere} text={texts.fewerVersions} pageCount={pageCount} />
    )
  }
  const isLast = (at: number): boolean => page >= pageCount && at === versions.length - 1
  return (
    <>
      <LookNote slots={slotsOfChanges(changes, beatmaps)} beatmaps={beatmaps} />
      <CompareForm
        versions={versions}
        onCompare={(a, b) => workspace.go(historyQuery(round.id, { a, b }))}
      >
        {(choiceOf) => (
          <ol role="list">
            {versions.map((version, at) => (
              <li key={version.version} class="version">
                <div class="version-head">
                  <h3>{texts.version({ version: String(version.version) })}</h3>
                  <Facts version={version} />
                  {page === 1 && at === 0 && <b>{texts.current}</b>}
                </div>
                {version.changes.length > 0 ? (
                  <Differences
                    change={changes[at]!}
                    beatmaps={beatmaps}
                    wordsOf={draftWords}
                    isDraft
                  />
                ) : (
                  <p class="quiet-text">{isLast(at) ? texts.firstVersion : texts.sameAsPrevious}</p>
                )}
                <div class="actions">
                  {choiceOf(version.version)}
                  <OpenLink round={round} version={version} />
                  {round.rights.value.drafts && (page > 1 || at > 0) && (
                    <RestoreButton version={version} onAsk={restoring.ask} />
                  )}
                </div>
              </li>
            ))}
          </ol>
        )}
      </CompareForm>
      <Pager page={page} pageCount={pageCount} />
    </>
  )
}

/** When a version was saved, and by whom. */
const Facts = ({ version: { savedAt, savedBy } }: { readonly version: DraftVersion }) => {
  const time = <time dateTime={savedAt}>{formatMoment(savedAt)}</time>
  return (
    <span class="version-facts">
      {savedBy === undefined
        ? time
        : texts.savedBy({ time, person: <PersonText text={savedBy} /> })}
    </span>
  )
}

const OpenLink = ({ round, version }: RoundProps & { readonly version: DraftVersion }) => (
  <LinkButton
    label={texts.open}
    aria-label={texts.openVersion({ version: String(version.version) })}
    href={historyQuery(round.id, { version: version.version })}
  />
)

/** Loads whole versions of the draft; a number changes for another version alone. */
function useVersions({ path }: RoundProps['round'], ...numbers: readonly number[]) {
  const load = useCallback(
    async (signal: AbortSignal) => {
      const replies = await Promise.all(
        numbers.map((version) => poolsCall('getDraftVersion', { ...path, version, signal })),
      )
      return replies.map(({ version }) => version)
    },
    [path, ...numbers],
  )
  return useLoad(load)
}

type NoVersionsProps = Pick<ReturnType<typeof useVersions>, 'error' | 'reload'>

const NoVersions = ({ error, reload }: NoVersionsProps) => {
  if (error === null) return <SkeletonRows rows={6} label={texts.loadingVersion} />
  return isNotFound(error) ? (
    <Notice title={texts.noSuchVersion}>{texts.versionsKept}</Notice>
  ) : (
    <FailureNotice title={texts.versionFailed} error={error} onRetry={reload} />
  )
}

/** Whether restoring it would change nothing. */
const isSameDraft = (edit: RoundEdit, version: WholeDraftVersion): boolean =>
  compareDrafts(edit, restoredEdit(edit, version)).length === 0

type RestoreProps = Pick<ViewProps, 'round' | 'restoring'> & {
  readonly version: WholeDraftVersion
}

const Restore = ({ round: { rights, store }, restoring, version }: RestoreProps) =>
  rights.value.drafts ? (
    <RestoreButton
      version={version}
      isCurrent={isSameDraft(store.edit, version)}
      onAsk={restoring.ask}
    />
  ) : null

type ComparisonProps = ViewProps & { readonly a: number; readonly b: number }

function Comparison({ a, b, ...props }: ComparisonProps) {
  const { value, ...rest } = useVersions(props.round, a, b)
  const [from, to] = value ?? []
  if (!from || !to || rest.error !== null) return <NoVersions {...rest} />
  return (
    <>
      <div class="compare-sides">
        {[from, to].map((version, at) => (
          <section key={at} class="side-card" aria-label={at === 0 ? texts.from : texts.to}>
            <h3>{texts.version({ version: String(version.version) })}</h3>
            <Facts version={version} />
            <p class="actions">
              <OpenLink round={props.round} version={version} />
              <Restore {...props} version={version} />
            </p>
          </section>
        ))}
      </div>
      <DraftChanges slug={props.round.slug} from={from} to={to} />
    </>
  )
}

function Version({ version, ...props }: ViewProps & { readonly version: number }) {
  const { value, ...rest } = useVersions(props.round, version)
  const [whole] = value ?? []
  if (!whole || rest.error !== null) return <NoVersions {...rest} />
  const facts = factsOf(whole)
  const packFact = whole.packName ? [texts.packCalled({ name: whole.packName })] : []
  return (
    <>
      <p>
        <Facts version={whole} />
      </p>
      <p class="quiet-text">
        {[whole.name, ...facts, ...packFact].map((fact, at) => [
          at > 0 && ' · ',
          <PersonText text={fact} />,
        ])}
      </p>
      {props.round.rights.value.drafts && (
        <p class="actions">
          <Restore {...props} version={whole} />
        </p>
      )}
      <DraftSlots draft={whole} slug={props.round.slug} />
    </>
  )
}

/** No beatmap's id: the place of a slot that has none. */
const NONE = 0

function DraftSlots({ draft, slug }: { readonly draft: WholeDraftVersion; readonly slug: string }) {
  const { buckets, slots } = draft
  const beatmaps = useBeatmaps(usesOf({ buckets, slots: filledSlots(slots) }), undefined, slug)
  const stood = slots.map(({ mod, index, beatmapId = NONE }) => ({ mod, index, beatmapId }))
  const views = slotViews({ buckets, slots: stood }, beatmaps.views)
  if (slots.length === 0) return <p class="quiet-text">{texts.hadNoSlots}</p>
  return (
    <ul class="draft-slots" role="list">
      {slotsInPoolOrder({ buckets, slots }).map((slot, at) => {
        const view = views[at]!
        return (
          <li key={slotLabel(slot)}>
            <SlotLabel slot={view} />
            {slot.beatmapId === undefined ? (
              <span class="quiet-text">
                {slot.placeholder === undefined ? (
                  texts.noBeatmap
                ) : (
                  <PersonText text={slot.placeholder} />
                )}
              </span>
            ) : (
              <BeatmapWords id={slot.beatmapId} beatmap={view.beatmap} isDraft />
            )}
            {slot.beatmapId !== undefined && <SlotStars slot={view} />}
            <PlanLine slot={slot} />
          </li>
        )
      })}
    </ul>
  )
}

/** Makes the draft what it was, as one step, after it has shown what that changes. */
function RestoreDialog({ round, workspace, restoring }: ViewProps) {
  const { asked } = restoring
  return (
    asked !== null && (
      <RestoreQuestion
        key={asked.version}
        round={round}
        workspace={workspace}
        version={asked.version}
        onClose={restoring.close}
      />
    )
  )
}

/** Says so once it is saved: it may have to wait, or be refused, as where the round is gone. */
async function tellRestored({ store }: RoundProps['round'], whole: WholeDraftVersion) {
  await store.whenIdle()
  if (store.state.phase !== 'saved' || !isSameDraft(store.edit, whole)) return
  announce(texts.versionRestored({ version: String(whole.version) }))
}

type QuestionProps = HistoryProps & { readonly version: number; readonly onClose: () => void }

function RestoreQuestion({ round, workspace, version, onClose }: QuestionProps) {
  const { value, ...rest } = useVersions(round, version)
  const [whole] = value ?? []
  const { edit, saved } = round.store
  const restored = useMemo(() => whole && restoredEdit(edit, whole), [edit, whole])
  return (
    <ConfirmDialog
      title={texts.restoreVersionAsk({ version: String(version) })}
      isOpen
      kind="wide"
      tone="primary"
      action={texts.restore}
      disabled={whole === undefined || isSameDraft(edit, whole)}
      onCancel={onClose}
      onConfirm={() => {
        if (whole === undefined) return
        const label = texts.restoreVersion({ version: String(version) })
        round.store.change(label, (now) => restoredEdit(now, whole))
        onClose()
        workspace.choose(round.id)
        void tellRestored(round, whole)
      }}
    >
      <p>
        {formatSentences([
          texts.restoreVersionMeans,
          saved.packSlug !== undefined && texts.packStaysUntilRelease,
        ])}
      </p>
      {restored === undefined ? (
        <NoVersions {...rest} />
      ) : (
        <DraftChanges slug={round.slug} from={edit} to={restored} />
      )}
    </ConfirmDialog>
  )
}
