import * as words from '#texts/common'
import * as texts from '#texts/workspace'
import { useMemo, useState } from 'preact/hooks'
import { compareDrafts } from '../../pool/draft-comparison.ts'
import { slotLabel } from '../../pool/slots.ts'
import { useAction, useAskedAction } from '../action.ts'
import { formatList, formatMoment, formatUtc, now } from '../format.ts'
import { pageData } from '../page-data.ts'
import { Button } from '../parts/buttons.tsx'
import { formatUntil, useUntil } from '../parts/countdown.tsx'
import { ConfirmDialog, Dialog } from '../parts/dialogs.tsx'
import { loadedPart } from '../parts/loaded-part.tsx'
import { FailureLine } from '../parts/notices.tsx'
import { Sentences } from '../parts/sentences.tsx'
import { orLeave } from '../tournament-staff/roles.ts'
import type { WorkspaceProps } from './model.ts'
import { stateOfRound } from './rounds.ts'
import { shownPart, useReleased } from './released.ts'
import { openSlots } from './round-store.ts'
import type { RoundModel } from './round-model.ts'

type ReleaseProps = WorkspaceProps & { readonly round: RoundModel }

type ControlsProps = ReleaseProps & {
  /** The labels of the slots that went out without a beatmap. */
  readonly planned: readonly string[]
  /** Whether what is out is not what is saved. */
  readonly isChanged: boolean
}

const DraftChanges = loadedPart(async () => (await import('./draft-changes.tsx')).DraftChanges)
const ReleaseDialog = loadedPart(async () => (await import('./release-dialog.tsx')).ReleaseDialog)

/** When the round is released, what has changed since it was, and why it cannot be; hosts decide. */
export function ReleaseCard({ workspace, round }: ReleaseProps) {
  const { saved } = round.store
  const state = stateOfRound(saved)
  const { hosts } = round.rights.value
  const released = useReleased(round, saved)
  const planned = (released?.slots ?? [])
    .filter(({ beatmapId }) => beatmapId === undefined)
    .map(slotLabel)
  const [from, to] = useMemo(
    () => [released && shownPart(released), shownPart(saved)] as const,
    [released, saved],
  )
  const changes = useMemo(() => (from === null ? 0 : compareDrafts(from, to).length), [from, to])
  return (
    <section class="side-card release" aria-labelledby="release-title">
      <h2 id="release-title">{texts.release}</h2>
      {state === 'scheduled' &&
        saved.releaseAt &&
        (workspace.tournament.hiddenAt === undefined ? (
          <Clock at={saved.releaseAt} />
        ) : (
          <p class="side-note">{texts.scheduledWaits({ moment: formatMoment(saved.releaseAt) })}</p>
        ))}
      {state === 'scheduled' && saved.incomplete && <p class="side-note">{texts.emptyAsPlanned}</p>}
      {saved.releasedAt && saved.packSlug && (
        <p class="side-note">
          <Sentences
            of={[
              texts.releasedOn({ moment: formatMoment(saved.releasedAt) }),
              <a href={`${pageData().siteUrl}/p/${saved.packSlug}`}>{texts.openPack}</a>,
            ]}
          />
        </p>
      )}
      {planned.length > 0 && <p class="side-note">{texts.releasedEmpty({ n: planned.length })}</p>}
      {state === 'draft' && <p class="side-note">{texts.draftMeans}</p>}
      {from !== null && <Changed slug={round.slug} from={from} to={to} count={changes} />}
      {hosts ? (
        <Controls workspace={workspace} round={round} planned={planned} isChanged={changes > 0} />
      ) : (
        <p class="side-note">{texts.onlyHostsRelease}</p>
      )}
    </section>
  )
}

type Shown = ReturnType<typeof shownPart>
type ChangedProps = { slug: string; from: Shown; to: Shown; count: number }

/** How much has changed since the release, and the way to it. */
function Changed({ slug, from, to, count }: ChangedProps) {
  const [isOpen, setOpen] = useState(false)
  if (count === 0) return <p class="side-note">{texts.nothingChangedSince}</p>
  return (
    <p class="release-changes">
      <Button label={texts.changesSince({ n: count })} onClick={() => setOpen(true)} />
      <Dialog title={texts.changedSince} kind="wide" isOpen={isOpen} onClose={() => setOpen(false)}>
        <DraftChanges slug={slug} from={from} to={to} />
      </Dialog>
    </p>
  )
}

/** The time to the release; local time and UTC. */
function Clock({ at }: { readonly at: string }) {
  const left = formatUntil(useUntil(at))
  return (
    <p class="release-clock">
      <b role="timer" aria-live="off">
        {left === null ? texts.due : words.inTime({ wait: left })}
      </b>
      <time dateTime={at}>{texts.yourTime({ moment: formatMoment(at) })}</time>
      <span>{formatUtc(at)}</span>
    </p>
  )
}

function Controls({ workspace, round, planned, isChanged }: ControlsProps) {
  const { saved } = round.store
  const state = stateOfRound(saved)
  const isOut = saved.packSlug !== undefined
  const [moment, setMoment] = useState('')
  /** When the dialog is to release the round; null while it is closed. */
  const [wanted, setWanted] = useState<string | null>(null)
  const withdrawing = useAskedAction<true>(orLeave(workspace.tournament))
  const quick = useAction()
  const obstacle = obstacleTo(round, workspace.tournament.hiddenAt !== undefined)
  const open = openSlots(round.store.edit).map(slotLabel)
  // What went out, or is to go out, as it is asks for nothing more.
  const isAsking = open.some((label) => !planned.includes(label)) && !saved.incomplete
  const time = new Date(moment)
  // Years of more than four digits, which browsers let people type, are no time for a script.
  const isFuture = time.getTime() > now()
  return (
    <div class="release-controls">
      {obstacle !== null && <p class="side-note release-obstacle">{obstacle}</p>}
      {obstacle === null && open.length > 0 && (
        <p class="side-note release-obstacle">
          <Sentences
            of={[
              texts.noBeatmapYet({ slots: firstOf(open) }),
              isAsking && texts.fillOrRelease({ n: open.length }),
            ]}
          />
        </p>
      )}
      {state === 'scheduled' ? (
        <Button
          label={texts.withdrawSchedule}
          busy={quick.isBusy}
          onClick={() =>
            quick.run(() => workspace.release(round, { at: null }, texts.scheduleWithdrawn))
          }
        />
      ) : (
        <form
          class="release-time"
          onSubmit={(event) => {
            event.preventDefault()
            if (!isFuture || obstacle !== null) return
            setWanted(time.toISOString())
          }}
        >
          <label for="release-at">{texts.releaseAt}</label>
          <input
            id="release-at"
            type="datetime-local"
            class="field"
            value={moment}
            min={localNow()}
            max="9999-12-30T23:59"
            onInput={({ currentTarget }) => setMoment(currentTarget.value)}
          />
          <p class="side-note" role="status">
            {moment !== '' && (isFuture ? formatUtc(time.toISOString()) : texts.chooseFuture)}
          </p>
          <Button type="submit" label={texts.schedule} disabled={!isFuture || obstacle !== null} />
        </form>
      )}
      <p class="actions">
        <Button
          {...((!isOut || isChanged) && { tone: 'primary' })}
          label={isOut ? texts.releaseAgain : texts.releaseNow}
          disabled={obstacle !== null}
          onClick={() => setWanted('now')}
        />
        {isOut && state !== 'scheduled' && (
          <Button tone="quiet" label={texts.withdrawPack} onClick={() => withdrawing.ask(true)} />
        )}
      </p>
      <FailureLine error={quick.error} />
      {wanted !== null && (
        <ReleaseDialog
          workspace={workspace}
          round={round}
          at={wanted}
          onClose={() => setWanted(null)}
        />
      )}
      <ConfirmDialog
        title={texts.withdrawPackAsk}
        isOpen={withdrawing.asked !== null}
        action={texts.withdrawPack}
        busy={withdrawing.isBusy}
        onCancel={withdrawing.close}
        onConfirm={() =>
          withdrawing.run(async () => {
            await workspace.release(round, { at: null }, texts.packWithdrawn)
            withdrawing.close()
          })
        }
      >
        <p>{texts.withdrawalMeans}</p>
        <FailureLine error={withdrawing.error}>{texts.nothingChanged}</FailureLine>
      </ConfirmDialog>
    </div>
  )
}

/** Why the round cannot be released now, not even as it is; null when it can be (D-63, D-76, D-78). */
function obstacleTo({ store }: RoundModel, isHidden: boolean): string | null {
  if (isHidden) return texts.nothingReleasedHidden
  if (store.slots.length === 0) return texts.addSlotsFirst
  if (openSlots(store.edit).length === store.slots.length) return texts.addBeatmapFirst
  return store.stuck.value.length > 0 ? texts.decideFirst : null
}

/** Of more than these, only the number is shown. */
const FEW = 6

const firstOf = (labels: readonly string[]): string =>
  formatList([
    ...labels.slice(0, FEW),
    ...(labels.length > FEW ? [texts.moreSlots({ n: labels.length - FEW })] : []),
  ])

/** As `datetime-local` wants it. */
function localNow(): string {
  const date = new Date(now())
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
