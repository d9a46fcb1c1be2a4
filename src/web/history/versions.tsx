import * as texts from '#texts/history'
import type { ComponentChildren } from 'preact'
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import type { PackVersion } from '../../contract/history.ts'
import type { SitePack } from '../../contract/packs.ts'
import { comparePacks } from '../../pool/comparison.ts'
import { hasSameFields, packInputOf } from '../../pool/pack-fields.ts'
import { decodePackKey } from '../../pool/pack-key/pack-key.ts'
import type { AskedAction } from '../action.ts'
import { call } from '../api.ts'
import { leaveTo } from '../browser.ts'
import { formatMoment } from '../format.ts'
import { useLoad } from '../load.ts'
import { orLook } from '../lost-answers.ts'
import { pageData } from '../page-data.ts'
import { Button, LinkButton } from '../parts/buttons.tsx'
import { ConfirmDialog } from '../parts/dialogs.tsx'
import { ownerText, PersonText, VisibilityChip } from '../parts/labels.tsx'
import { FailureLine, FailureNotice, Notice, SkeletonRows } from '../parts/notices.tsx'
import { readListPage } from '../parts/pager.tsx'
import { CallFailure, isNotFound } from '../site-failure.ts'
import { changeOf, Differences, useBeatmapsOf } from './differences.tsx'

/** What the history page shows. */
type HistoryView =
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

/** Loads versions of a pack, in this order; the page is called `title`. */
export function useVersions(slug: string, versions: readonly number[], title: string) {
  const load = useCallback(
    async (signal: AbortSignal) => {
      const loading = versions.map((version) => call('getVersion', { slug, version, signal }))
      return (await Promise.all(loading)).map(({ version }) => version)
    },
    [slug, ...versions],
  )
  useEffect(() => {
    document.title = `${title} – ${pageData().siteName}`
  }, [title])
  return useLoad(load)
}

/** The number of a version, for texts. */
export const numberOf = ({ version }: { readonly version: number }) => ({
  version: String(version),
})

/** When a version was saved, by whom, and who could open the pack then. */
export const Facts = ({ version: { savedAt, savedBy, visibility } }: { version: PackVersion }) => (
  <span class="version-facts">
    <span>
      {texts.savedBy({
        time: <time dateTime={savedAt}>{formatMoment(savedAt)}</time>,
        person: <PersonText text={ownerText(savedBy)} />,
      })}
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
  isNotFound(error) ? (
    <Notice
      title={texts.noSuchVersion}
      actions={<LinkButton tone="primary" label={texts.allVersions} href={historyHref(slug)} />}
    >
      {texts.noSuchVersionMeans}
    </Notice>
  ) : (
    <FailureNotice title={texts.versionsFailed} error={error} onRetry={onRetry} />
  )

type CompareFormProps = {
  /** Those to choose from, the newest first. */
  readonly versions: readonly { readonly version: number }[]
  readonly onCompare: (a: number, b: number) => void
  /** @param choiceOf where a version is chosen; nothing where there is only one. */
  readonly children: (choiceOf: (version: number) => ComponentChildren) => ComponentChildren
}

const ends = ['a', 'b'] as const

/** Versions of which two can be compared: at first the newest with the one before it. */
export function CompareForm({ versions, onCompare, children }: CompareFormProps) {
  // Newer versions may come: what was chosen stays.
  const [chosen, choose] = useState<Readonly<Partial<Record<(typeof ends)[number], number>>>>({})
  const [newest, previous = newest] = versions.map(({ version }) => version)
  const compared = { a: previous, b: newest, ...chosen }
  const choiceOf = (version: number) =>
    ends.map((name) => (
      <label key={name} class="version-choice">
        <input
          type="radio"
          name={name}
          value={version}
          checked={compared[name] === version}
          onChange={() => choose((before) => ({ ...before, [name]: version }))}
        />
        {(name === 'a' ? texts.fromVersion : texts.toVersion)({
          ...numberOf({ version }),
          read: (of) => <span class="sr-only">{of}</span>,
        })}
      </label>
    ))
  return (
    <form
      class="versions"
      onSubmit={(event) => {
        event.preventDefault()
        onCompare(compared.a!, compared.b!)
      }}
    >
      {versions.length > 1 && (
        <p class="versions-compare">
          <span class="quiet-text">{texts.chooseTwo}</span>
          <Button type="submit" tone="primary" label={texts.compare} />
        </p>
      )}
      {children((version) => versions.length > 1 && choiceOf(version))}
    </form>
  )
}

/** Others do not see the current version if it was saved while the pack was hidden. */
export const isCurrent = (version: PackVersion, pack: SitePack): boolean =>
  version.packKey === pack.packKey && hasSameFields(version, pack)

type RestoreButtonProps<V> = {
  readonly version: V
  /** Restoring it would change nothing. */
  readonly isCurrent?: boolean
  readonly onAsk: (version: V) => void
}

export const RestoreButton = <V extends { readonly version: number }>({
  version,
  isCurrent = false,
  onAsk,
}: RestoreButtonProps<V>) =>
  isCurrent ? (
    <b>{texts.current}</b>
  ) : (
    <Button
      icon="undo"
      label={texts.restore}
      aria-label={texts.restoreVersion(numberOf(version))}
      onClick={() => onAsk(version)}
    />
  )

type RestoreDialogProps = { readonly slug: string; readonly action: AskedAction<PackVersion> }

/** Saves an old version again, after it has shown what that changes on the pack as it is now. */
export function RestoreDialog({ slug, action }: RestoreDialogProps) {
  const { asked: version } = action
  const load = useCallback(
    async (signal: AbortSignal) =>
      version === null ? null : { version, ...(await call('getPack', { slug, signal })) },
    [slug, version],
  )
  const { value, error, reload } = useLoad(load)
  // What was read stays while it is read again, as after a lost answer: a save of what has changed since is refused.
  const pack = value?.version === version ? value?.pack : undefined
  const plan = useMemo(() => version && pack && planOf(version, pack), [version, pack])
  const hasConflict = action.error instanceof CallFailure && action.error.code === 'conflict'
  const restore = (): void =>
    action.run(async () => {
      if (!plan || !pack) return
      const basedOn = pack.updatedAt
      await orLook(
        () => call('replacePack', { slug, body: { pack: plan.input, basedOn } }),
        async () => {
          const now = await call('getPack', { slug })
          if (now.pack.updatedAt === basedOn) return null
          return planOf(version!, now.pack).change.differences.length === 0 ? now : null
        },
      )
      return leaveTo(`/p/${slug}/history`)
    })
  const lookAgain = (): void => {
    action.ask(version)
    reload()
  }
  return (
    <ConfirmDialog
      title={version === null ? '' : texts.restoreVersion(numberOf(version))}
      isOpen={version !== null}
      action={hasConflict ? texts.lookAgain : texts.restore}
      tone="primary"
      busy={action.isBusy}
      disabled={!plan || plan.change.differences.length === 0}
      onConfirm={hasConflict ? lookAgain : restore}
      onCancel={action.close}
    >
      <p>{version !== null && texts.restoreMeans({ time: formatMoment(version.savedAt) })}</p>
      {error !== null && <FailureNotice title={texts.packFailed} error={error} onRetry={reload} />}
      {!pack && error === null && <SkeletonRows rows={3} label={texts.loadingPack} />}
      {plan && pack && <Plan plan={plan} pack={pack} />}
      {hasConflict ? (
        <p class="failure-line" role="alert">
          {texts.savedMeanwhile}
        </p>
      ) : (
        <FailureLine error={action.error}>
          {action.error instanceof CallFailure && action.error.status > 0 && texts.nothingChanged}
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
    return <p class="restore-note">{texts.nothingToRestore}</p>
  }
  return (
    <>
      <h3 class="restore-note">{texts.whatChanges}</h3>
      <Differences change={change} beatmaps={beatmaps} isWhole />
      {pack.exports.length > 0 && <p class="restore-note">{texts.magnetsRemoved}</p>}
    </>
  )
}
