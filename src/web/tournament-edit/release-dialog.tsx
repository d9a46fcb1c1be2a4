import { useCallback, useMemo, useState } from 'preact/hooks'
import type { Check } from '../../contract/checks.ts'
import { type CheckGroup, groupChecks, isGrave } from '../../pool/check-words.ts'
import { slotLabel } from '../../pool/slots.ts'
import { useAction } from '../action.ts'
import { count, formatMoment, formatUtc } from '../format.ts'
import { useLoad } from '../load.ts'
import { ConfirmDialog } from '../parts/dialogs.tsx'
import { PersonText, shownText } from '../parts/labels.tsx'
import { FailureLine } from '../parts/notices.tsx'
import { poolsCall } from '../pools-api.ts'
import { DraftChanges } from './draft-changes.tsx'
import type { WorkspaceProps } from './model.ts'
import type { RoundModel } from './round-model.ts'
import { shownPart, useReleased } from './released.ts'
import { fillingWords, openSlots } from './round-store.ts'

type ReleaseDialogProps = WorkspaceProps & {
  readonly round: RoundModel
  /** `now`, or a time in the future. */
  readonly at: string
  readonly onClose: () => void
}

/** Says what a release does, and does it: what is wrong with the round, who will see it, and what changes for them. */
export function ReleaseDialog({ workspace, round, at, onClose }: ReleaseDialogProps) {
  const { saved, edit } = round.store
  const isNow = at === 'now'
  const isOut = saved.packSlug !== undefined
  const isIncomplete = openSlots(edit).length > 0
  const checks = useChecks(round)
  const groups = groupChecks(checks.value ?? [])
  const grave = groups.filter(({ kind }) => isGrave(kind))
  const [isSure, setSure] = useState(false)
  const { isBusy, error, run } = useAction()
  const wanted = isNow ? (isOut ? 'Release again' : 'Release now') : 'Schedule'
  const asItIs = isNow ? 'Release as it is' : 'Schedule as it is'
  const despite = isNow ? 'Release anyway' : 'Schedule anyway'
  const needsMore = grave.length > 0 || isIncomplete
  const confirm = (): void => {
    if (needsMore && !isSure) return setSure(true)
    run(async () => {
      const done = isNow ? 'Released' : `Scheduled for ${formatMoment(at)}`
      await workspace.release(round, { at, ...(isIncomplete && { incomplete: true }) }, done)
      onClose()
    })
  }
  return (
    <ConfirmDialog
      title={`${isNow ? 'Release' : 'Schedule'} ${shownText(edit.name)}?`}
      isOpen
      kind="wide"
      tone={isSure ? 'danger' : 'primary'}
      action={isSure ? despite : isIncomplete ? asItIs : wanted}
      busy={isBusy}
      disabled={checks.isLoading}
      onCancel={onClose}
      onConfirm={confirm}
    >
      <div class="release-dialog">
        <p>
          {isNow
            ? 'The pack becomes public at once.'
            : `The pack becomes public on ${formatMoment(at)} your time, ${formatUtc(at)}.`}{' '}
          {audienceOf(workspace)}
        </p>
        {isIncomplete && <Planned round={round} isNow={isNow} />}
        <Findings groups={groups} isLoading={checks.isLoading} error={checks.error} />
        <Changes round={round} />
        <p class="release-sure" role="alert">
          {isSure && `${graveWords(grave, round)} Press “${despite}” to go on.`}
        </p>
        <FailureLine error={error}>Nothing was changed.</FailureLine>
      </div>
    </ConfirmDialog>
  )
}

function audienceOf({ tournament: { visibility, hiddenAt } }: WorkspaceProps['workspace']): string {
  if (hiddenAt !== undefined) {
    return 'A moderator has hidden the tournament. Nothing is released until it is shown again.'
  }
  return visibility === 'private'
    ? 'Only the staff can see the page of the tournament, but the pack will be public and can be found.'
    : 'Everyone will see the round on the page of the tournament and can find its pack.'
}

function useChecks({ path: { slug, round: id }, store }: RoundModel) {
  const { updatedAt } = store.saved
  const load = useCallback(
    async (signal: AbortSignal): Promise<readonly Check[]> =>
      (await poolsCall('getTournamentChecks', { slug, query: { round: id }, signal })).checks,
    [slug, id, updatedAt],
  )
  return useLoad(load)
}

type PlannedProps = { readonly round: RoundModel; readonly isNow: boolean }

/** The slots that go out as they are planned (D-78). */
function Planned({ round: { store, nameOf }, isNow }: PlannedProps) {
  const slots = openSlots(store.edit)
  return (
    <section>
      <h3>{count(slots.length, 'slot')} without a beatmap</h3>
      <p>
        {slots.length === 1 ? 'It is' : 'They are'} released as planned
        {!isNow && ' if there is no beatmap by then'}. A beatmap that comes later is added to the
        pack automatically; all other changes wait for the next release.
      </p>
      <ul>
        {slots.map((slot) => (
          <li key={slot.key}>
            <b>{slotLabel(slot)}</b> <PersonText text={fillingWords(slot, nameOf)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

type FindingsProps = {
  readonly groups: readonly CheckGroup[]
  readonly isLoading: boolean
  readonly error: unknown
}

/** Of each kind, so many are named. */
const NAMED = 3

/** What the checks find, what weighs most first; slots without a beatmap are said apart. */
function Findings({ groups, isLoading, error }: FindingsProps) {
  const shown = groups.filter(({ kind }) => kind !== 'empty' && kind !== 'placeholder')
  if (error !== null) return <FailureLine error={error}>The round was not checked.</FailureLine>
  return (
    <section aria-live="polite">
      <h3>Checks</h3>
      {isLoading && <p class="quiet-text">Checking …</p>}
      {!isLoading && shown.length === 0 && <p>No problems found.</p>}
      <ul>
        {shown.map(({ kind, heading, checks }) => (
          <li key={kind}>
            <b>
              {heading}: {checks.length}
            </b>
            <ul>
              {checks.slice(0, NAMED).map(({ message }, at) => (
                <li key={at}>{shownText(message)}</li>
              ))}
              {checks.length > NAMED && (
                <li class="quiet-text">and {checks.length - NAMED} more</li>
              )}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What changes for everybody, against what is released now. */
function Changes({ round }: { readonly round: RoundModel }) {
  const { saved } = round.store
  const released = useReleased(round, saved)
  const to = useMemo(() => shownPart(saved), [saved])
  const from = useMemo(() => released && shownPart(released), [released])
  if (from !== null) {
    return (
      <section>
        <DraftChanges slug={round.slug} from={from} to={to} />
      </section>
    )
  }
  if (saved.packSlug !== undefined) return null
  const filled = saved.slots.filter(({ beatmapId }) => beatmapId !== undefined).length
  return <p>Nothing of this round is public yet: {count(filled, 'beatmap')} will be released.</p>
}

/** What speaks against a release, in a sentence. */
function graveWords(grave: readonly CheckGroup[], { store }: RoundModel): string {
  const open = openSlots(store.edit).length
  const gone = grave.find(({ kind }) => kind === 'gone')?.checks.length ?? 0
  const all = [
    ...(open > 0 ? [`${count(open, 'slot')} without a beatmap`] : []),
    ...(gone > 0 ? [`${count(gone, 'beatmap')} gone from the platform`] : []),
  ]
  return `The round has ${all.join(' and ')}.`
}
