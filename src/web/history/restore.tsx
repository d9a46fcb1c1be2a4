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
import { Button } from '../parts/buttons.tsx'
import { ConfirmDialog } from '../parts/dialogs.tsx'
import { FailureLine, FailureNotice, SkeletonRows } from '../parts/notices.tsx'
import { CallFailure } from '../site-failure.ts'
import { changeOf, Differences, useBeatmapsOf } from './differences.tsx'

type RestoreButtonProps = {
  readonly version: PackVersion
  readonly onAsk: (version: PackVersion) => void
}

export const RestoreButton = ({ version, onAsk }: RestoreButtonProps) => (
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
        Saves the name, description and beatmaps of{' '}
        {version !== null && formatMoment(version.savedAt)} again, as a new version. Who can open
        the pack stays as it is, and no version is lost.
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
