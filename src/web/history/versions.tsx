import type { ComponentChildren } from 'preact'
import { useCallback, useMemo } from 'preact/hooks'
import type { PackVersion } from '../../contract/history.ts'
import type { SitePack } from '../../contract/packs.ts'
import { comparePacks } from '../../pool/comparison.ts'
import { packInputOf } from '../../pool/pack-fields.ts'
import { decodePackKey } from '../../pool/pack-key/pack-key.ts'
import type { AskedAction } from '../action.ts'
import { call } from '../api.ts'
import { formatMoment } from '../format.ts'
import { useLoad } from '../load.ts'
import { Button, LinkButton } from '../parts/buttons.tsx'
import { ConfirmDialog } from '../parts/dialogs.tsx'
import { PersonText, VisibilityChip } from '../parts/labels.tsx'
import { FailureLine, FailureNotice, Notice, SkeletonRows } from '../parts/notices.tsx'
import { readListPage } from '../parts/pager.tsx'
import { CallFailure } from '../site-failure.ts'
import { changeOf, Differences, useBeatmapsOf } from './differences.tsx'

/** What the history page shows. */
export type HistoryView =
  | { readonly kind: 'list'; readonly page: number }
  /** Version `b` compared with `a`. */
  | { readonly kind: 'compare'; readonly a: number; readonly b: number }
  | { readonly kind: 'version'; readonly version: number }

/** What the query of an address asks for; the list where it is not understood. */
export function readHistoryAddress(search: string): HistoryView {
  const params = new URLSearchParams(search)
  const [a, b, version] = ['a', 'b', 'version'].map((name) => {
    const text = params.get(name) ?? ''
    return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null
  })
  if (a && b) return { kind: 'compare', a, b }
  if (version) return { kind: 'version', version }
  return { kind: 'list', page: readListPage(search) }
}

/** The address of a pack's history, of two versions compared, or of one. */
export function historyHref(
  slug: string,
  query: Readonly<Partial<Record<'a' | 'b' | 'version', number>>> = {},
): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`)
  return `/p/${slug}/history${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`
}

/** When a version was saved, by whom, and who could open the pack then. */
export const Facts = ({ version: { savedAt, savedBy, visibility } }: { version: PackVersion }) => (
  <span class="version-facts">
    <span>
      <time dateTime={savedAt}>{formatMoment(savedAt)}</time> by <PersonText text={savedBy} />
    </span>{' '}
    <VisibilityChip visibility={visibility} />
  </span>
)

type NoVersionProps = {
  readonly slug: string
  readonly error: unknown
  readonly onRetry: () => void
}

/** In place of a version that could not be loaded. Whether there is one that the reader may not read, it does not say. */
export const NoVersion = ({ slug, error, onRetry }: NoVersionProps) =>
  error instanceof CallFailure && error.status === 404 ? (
    <Notice
      title="There is no such version"
      actions={<LinkButton tone="primary" label="All versions" href={historyHref(slug)} />}
    >
      It may be too old, or you may not have access to it.
    </Notice>
  ) : (
    <FailureNotice title="Could not load the versions" error={error} onRetry={onRetry} />
  )

type CompareFormProps = {
  /** How many versions there are to choose from. */
  readonly count: number
  readonly onCompare: (a: number, b: number) => void
  readonly children: ComponentChildren
}

/** Versions of which two can be compared, with a `Choice` each. */
export const CompareForm = ({ count, onCompare, children }: CompareFormProps) => (
  <form
    class="versions"
    onSubmit={(event) => {
      event.preventDefault()
      const chosen = new FormData(event.currentTarget)
      // The form itself would send the newer one first.
      onCompare(Number(chosen.get('a')), Number(chosen.get('b')))
    }}
  >
    {count > 1 && (
      <p class="versions-compare">
        <span class="quiet-text">Choose two versions:</span>
        <Button type="submit" tone="primary" label="Compare" />
      </p>
    )}
    {children}
  </form>
)

/** Which two versions to compare; at first the newest with the one before it. */
export const Choice = ({ version, at }: { version: number; at: number }) => (
  <>
    {(['a', 'b'] as const).map((name) => (
      <label key={name} class="version-choice">
        <input
          type="radio"
          name={name}
          value={version}
          defaultChecked={at === (name === 'a' ? 1 : 0)}
        />
        {name === 'a' ? 'From' : 'To'} <span class="sr-only">version {version}</span>
      </label>
    ))}
  </>
)

type RestoreButtonProps<V> = { readonly version: V; readonly onAsk: (version: V) => void }

export const RestoreButton = <V extends { readonly version: number }>({
  version,
  onAsk,
}: RestoreButtonProps<V>) => (
  <Button
    icon="undo"
    label="Restore"
    aria-label={`Restore version ${version.version}`}
    onClick={() => onAsk(version)}
  />
)

type RestoreDialogProps = { readonly slug: string; readonly action: AskedAction<PackVersion> }

/** Saves an old version again, after it has shown what that changes on the pack as it is now. */
export function RestoreDialog({ slug, action }: RestoreDialogProps) {
  const { asked: version } = action
  const load = useCallback(
    async (signal: AbortSignal) => (version === null ? null : call('getPack', { slug, signal })),
    [slug, version],
  )
  const { value, error, reload, isLoading } = useLoad(load)
  const pack = isLoading ? undefined : value?.pack
  const plan = useMemo(() => version && pack && planOf(version, pack), [version, pack])
  const hasConflict = action.error instanceof CallFailure && action.error.code === 'conflict'
  const restore = (): void =>
    action.run(async () => {
      if (!plan || !pack) return
      await call('replacePack', { slug, body: { pack: plan.input, basedOn: pack.updatedAt } })
      location.assign(`/p/${slug}/history`)
    })
  const lookAgain = (): void => {
    action.ask(version)
    reload()
  }
  return (
    <ConfirmDialog
      title={`Restore version ${version?.version}`}
      isOpen={version !== null}
      action={hasConflict ? 'Look again' : 'Restore'}
      tone="primary"
      busy={action.isBusy}
      disabled={!plan || plan.change.differences.length === 0}
      onConfirm={hasConflict ? lookAgain : restore}
      onCancel={action.close}
    >
      <p>
        Saves the name, description and beatmaps from{' '}
        {version !== null && formatMoment(version.savedAt)} as a new version. Visibility stays the
        same, and no version is lost.
      </p>
      {error !== null && (
        <FailureNotice title="Could not load the pack" error={error} onRetry={reload} />
      )}
      {isLoading && <SkeletonRows rows={3} what="the pack" />}
      {plan && pack && <Plan plan={plan} pack={pack} />}
      {hasConflict ? (
        <p class="failure-line" role="alert">
          The pack was saved again after you opened this. Nothing was changed. Look again at what
          restoring would change now.
        </p>
      ) : (
        <FailureLine error={action.error}>
          {action.error instanceof CallFailure && action.error.status > 0 && 'Nothing was changed.'}
        </FailureLine>
      )}
    </ConfirmDialog>
  )
}

/** What restoring saves, and what that changes on the pack. */
export function planOf(version: PackVersion, now: SitePack) {
  const pool = decodePackKey(version.packKey)
  const input = packInputOf({ ...version, ...pool, visibility: now.visibility })
  return { input, change: changeOf(comparePacks(now, input), pool) }
}

type PlanProps = { readonly plan: ReturnType<typeof planOf>; readonly pack: SitePack }

function Plan({ plan: { change }, pack }: PlanProps) {
  const beatmaps = useBeatmapsOf([change], pack.slug)
  if (change.differences.length === 0) {
    return (
      <p class="restore-note">The pack is the same as this version. There is nothing to restore.</p>
    )
  }
  return (
    <>
      <h3 class="restore-note">What changes</h3>
      <Differences change={change} beatmaps={beatmaps} isWhole />
      {pack.exports.length > 0 && (
        <p class="restore-note">Magnet links are removed if the beatmaps, slots or name change.</p>
      )}
    </>
  )
}
