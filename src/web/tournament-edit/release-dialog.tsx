import * as texts from '#texts/round'
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'
import type { Check } from '../../contract/checks.ts'
import { type CheckGroup, groupChecks, isGrave } from '../../pool/check-words.ts'
import { slotLabel } from '../../pool/slots.ts'
import { useAction } from '../action.ts'
import { formatMoment, formatSentences, formatUtc } from '../format.ts'
import { useLoad } from '../load.ts'
import { ConfirmDialog } from '../parts/dialogs.tsx'
import { PersonText } from '../parts/labels.tsx'
import { FailureLine } from '../parts/notices.tsx'
import { poolsCall } from '../pools-api.ts'
import { orLeave } from '../tournament-staff/roles.ts'
import { checkTexts, findingText } from './checks.tsx'
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
  const { saved, edit, state, stuck } = round.store
  const isNow = at === 'now'
  const isOut = saved.packSlug !== undefined
  const isIncomplete = openSlots(edit).length > 0
  const checks = useChecks(round)
  const groups = groupChecks(checks.value ?? [])
  const grave = groups.filter(({ kind }) => isGrave(kind))
  const against = [...openSlots(edit), ...grave.flatMap((group) => group.checks)]
    .map(slotLabel)
    .join()
  /** What was told of what speaks against it; there may be more by now. */
  const [told, setTold] = useState('')
  const isSure = told !== '' && told === against
  const { isBusy, error, run } = useAction(orLeave(workspace.tournament))
  const wanted = isNow ? (isOut ? texts.releaseAgain : texts.releaseNow) : texts.schedule
  const asItIs = isNow ? texts.releaseAsItIs : texts.scheduleAsItIs
  const despite = isNow ? texts.releaseAnyway : texts.scheduleAnyway
  const isStuck = stuck.value.length > 0
  const isWaiting = checks.isLoading || (state.phase !== 'saved' && !isStuck)
  // What is pressed while the round is saved or its checks are read, also again, is done when that is over.
  const [isPressed, setPressed] = useState(false)
  useEffect(() => {
    if (!isPressed || isWaiting) return
    setPressed(false)
    // It waits for a decision.
    if (isStuck) return onClose()
    if (against !== '' && !isSure) return setTold(against)
    run(async () => {
      const done = isNow ? texts.released : texts.scheduledFor({ moment: formatMoment(at) })
      await workspace.release(round, { at, ...(isIncomplete && { incomplete: true }) }, done)
      onClose()
    })
  }, [isPressed, isWaiting])
  return (
    <ConfirmDialog
      title={
        isNow ? texts.releaseAsk({ round: edit.name }) : texts.scheduleAsk({ round: edit.name })
      }
      isOpen
      kind="wide"
      tone={isSure ? 'danger' : 'primary'}
      action={isSure ? despite : isIncomplete ? asItIs : wanted}
      busy={isBusy || isPressed}
      onCancel={onClose}
      onConfirm={() => setPressed(true)}
    >
      <div class="release-dialog">
        <p>
          {formatSentences([
            isNow
              ? texts.publicAtOnce
              : texts.publicOn({ moment: formatMoment(at), utc: formatUtc(at) }),
            audienceOf(workspace),
          ])}
        </p>
        {isIncomplete && <Planned round={round} isNow={isNow} />}
        <Findings groups={groups} isLoading={checks.isLoading} error={checks.error} />
        <Changes round={round} />
        <p class="release-sure" role="alert">
          {isSure &&
            formatSentences([...graveTexts(grave, round), texts.pressToGoOn({ button: despite })])}
        </p>
        <FailureLine error={error}>{texts.nothingChanged}</FailureLine>
      </div>
    </ConfirmDialog>
  )
}

function audienceOf({ tournament: { visibility, hiddenAt } }: WorkspaceProps['workspace']): string {
  if (hiddenAt !== undefined) return texts.hiddenMeans
  return visibility === 'private' ? texts.staffSeeRound : texts.everyoneSeesRound
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
  const n = slots.length
  return (
    <section>
      <h3>{texts.slotsWithoutBeatmap({ n })}</h3>
      <p>
        {formatSentences([
          (isNow ? texts.releasedAsPlanned : texts.releasedAsPlannedThen)({ n }),
          texts.laterBeatmaps,
        ])}
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

/** What the checks find, what weighs most first; slots without a beatmap are listed apart. */
function Findings({ groups, isLoading, error }: FindingsProps) {
  const shown = groups.filter(({ kind }) => kind !== 'empty' && kind !== 'placeholder')
  if (error !== null) return <FailureLine error={error}>{texts.notChecked}</FailureLine>
  return (
    <section aria-live="polite">
      <h3>{texts.checks}</h3>
      {isLoading && <p class="quiet-text">{texts.checking}</p>}
      {!isLoading && shown.length === 0 && <p>{texts.noProblems}</p>}
      <ul>
        {shown.map(({ kind, checks }) => (
          <li key={kind}>
            <b>{texts.findings({ kind: checkTexts[kind], n: checks.length })}</b>
            <ul>
              {checks.slice(0, NAMED).map((check, at) => (
                <li key={at}>{findingText(check)}</li>
              ))}
              {checks.length > NAMED && (
                <li class="quiet-text">{texts.moreFindings({ n: checks.length - NAMED })}</li>
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
  return <p>{texts.nothingPublicYet({ n: filled })}</p>
}

/** What speaks against a release, in a sentence; none when it is gone. */
function graveTexts(grave: readonly CheckGroup[], { store }: RoundModel): string[] {
  const empty = openSlots(store.edit).length
  const gone = grave.find(({ kind }) => kind === 'gone')?.checks.length ?? 0
  if (empty > 0 && gone > 0) return [texts.hasEmptyAndGone({ empty, gone })]
  if (gone > 0) return [texts.hasGoneBeatmaps({ n: gone })]
  return empty > 0 ? [texts.hasEmptySlots({ n: empty })] : []
}
