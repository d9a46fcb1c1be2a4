import { useMemo, useState } from 'preact/hooks'
import type { Round } from '../../contract/rounds.ts'
import { compareDrafts } from '../../pool/draft-comparison.ts'
import { slotLabel } from '../../pool/slots.ts'
import { useAction, useAskedAction } from '../action.ts'
import { count, formatMoment, formatUtc, now } from '../format.ts'
import { pageData } from '../page-data.ts'
import { Button } from '../parts/buttons.tsx'
import { formatUntil, useUntil } from '../parts/countdown.tsx'
import { ConfirmDialog, Dialog } from '../parts/dialogs.tsx'
import { loadedPart } from '../parts/loaded-part.tsx'
import { FailureLine } from '../parts/notices.tsx'
import type { WorkspaceProps } from './model.ts'
import { stateOfRound } from './rounds.ts'
import { shownPart, useReleased } from './released.ts'
import { openSlots } from './round-store.ts'
import type { RoundModel } from './round-model.ts'

type ReleaseProps = WorkspaceProps & { readonly round: RoundModel }

/** With the labels of the slots that went out without a beatmap. */
type ControlsProps = ReleaseProps & { readonly planned: readonly string[] }

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
  return (
    <section class="side-card release" aria-labelledby="release-title">
      <h2 id="release-title">Release</h2>
      {state === 'scheduled' &&
        saved.releaseAt &&
        (workspace.tournament.hiddenAt === undefined ? (
          <Clock at={saved.releaseAt} />
        ) : (
          <p class="side-note">
            Scheduled for {formatMoment(saved.releaseAt)}. It waits until the tournament is shown
            again.
          </p>
        ))}
      {state === 'scheduled' && saved.incomplete && (
        <p class="side-note">
          Slots without a beatmap are released as planned. Beatmaps that come later are added to the
          pack automatically.
        </p>
      )}
      {saved.releasedAt && saved.packSlug && (
        <p class="side-note">
          Released {formatMoment(saved.releasedAt)}.{' '}
          <a href={`${pageData().siteUrl}/p/${saved.packSlug}`}>Open the pack</a>
        </p>
      )}
      {planned.length > 0 && (
        <p class="side-note">
          {count(planned.length, 'slot')} released without a beatmap. Each is added to the pack when
          it gets one.
        </p>
      )}
      {state === 'draft' && <p class="side-note">Only the staff can see this draft.</p>}
      {released !== null && <Changed slug={round.slug} released={released} saved={saved} />}
      {hosts ? (
        <Controls workspace={workspace} round={round} planned={planned} />
      ) : (
        <p class="side-note">Only hosts can release rounds.</p>
      )}
    </section>
  )
}

type ChangedProps = { readonly slug: string; readonly released: Round; readonly saved: Round }

/** How much has changed since the release, and the way to it. */
function Changed({ slug, released, saved }: ChangedProps) {
  const [isOpen, setOpen] = useState(false)
  const [from, to] = useMemo(() => [shownPart(released), shownPart(saved)], [released, saved])
  const { length } = useMemo(() => compareDrafts(from, to), [from, to])
  if (length === 0) return <p class="side-note">Nothing has changed since then.</p>
  return (
    <p class="release-changes">
      <Button
        label={`${count(length, 'change')} since the release`}
        onClick={() => setOpen(true)}
      />
      <Dialog
        title="Changed since the release"
        kind="wide"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
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
        {left === null ? 'Now' : `in ${left}`}
      </b>
      <time dateTime={at}>{formatMoment(at)} your time</time>
      <span>{formatUtc(at)}</span>
    </p>
  )
}

function Controls({ workspace, round, planned }: ControlsProps) {
  const { saved, state: saving, stuck } = round.store
  const state = stateOfRound(saved)
  const isOut = saved.packSlug !== undefined
  const [moment, setMoment] = useState('')
  /** When the dialog is to release the round; null while it is closed. */
  const [wanted, setWanted] = useState<string | null>(null)
  const withdrawing = useAskedAction<true>()
  const quick = useAction()
  const obstacle = obstacleTo(round, workspace.tournament.hiddenAt !== undefined)
  const open = openSlots(round.store.edit).map(slotLabel)
  // What went out, or is to go out, as it is asks for nothing more.
  const isAsking = open.some((label) => !planned.includes(label)) && !saved.incomplete
  const isBusy = saving.phase !== 'saved' || stuck.value.length > 0
  const time = moment === '' ? null : new Date(moment)
  const isPast = time !== null && time.getTime() <= now()
  return (
    <div class="release-controls">
      {obstacle !== null && <p class="side-note release-obstacle">{obstacle}</p>}
      {obstacle === null && open.length > 0 && (
        <p class="side-note release-obstacle">
          No beatmap yet: {firstOf(open)}.
          {isAsking && ` Fill ${open.length === 1 ? 'it' : 'them'}, or release the round as it is.`}
        </p>
      )}
      {state === 'scheduled' ? (
        <Button
          label="Cancel the schedule"
          busy={quick.isBusy}
          onClick={() =>
            quick.run(() => workspace.release(round, { at: null }, 'Schedule cancelled'))
          }
        />
      ) : (
        <form
          class="release-time"
          onSubmit={(event) => {
            event.preventDefault()
            if (time === null || isPast || obstacle !== null) return
            setWanted(time.toISOString())
          }}
        >
          <label for="release-at">Release at (your time)</label>
          <input
            id="release-at"
            type="datetime-local"
            class="field"
            value={moment}
            min={localNow()}
            onInput={({ currentTarget }) => setMoment(currentTarget.value)}
          />
          <p class="side-note" role="status">
            {time !== null &&
              (isPast ? 'Choose a time in the future.' : formatUtc(time.toISOString()))}
          </p>
          <Button
            type="submit"
            label="Schedule"
            disabled={time === null || isPast || obstacle !== null || isBusy}
          />
        </form>
      )}
      <p class="actions">
        <Button
          tone="primary"
          label={isOut ? 'Release again' : 'Release now'}
          disabled={obstacle !== null || isBusy}
          onClick={() => setWanted('now')}
        />
        {isOut && state !== 'scheduled' && (
          <Button tone="quiet" label="Withdraw the pack" onClick={() => withdrawing.ask(true)} />
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
        title="Withdraw the pack?"
        isOpen={withdrawing.asked !== null}
        action="Withdraw the pack"
        busy={withdrawing.isBusy}
        onCancel={withdrawing.close}
        onConfirm={() =>
          withdrawing.run(async () => {
            await workspace.release(round, { at: null }, 'Pack withdrawn')
            withdrawing.close()
          })
        }
      >
        <p>
          Its page will no longer exist. Releasing the round again brings it back under the same
          link.
        </p>
        <FailureLine error={withdrawing.error}>Nothing was changed.</FailureLine>
      </ConfirmDialog>
    </div>
  )
}

/** Why the round cannot be released now, not even as it is; null when it can be (D-63, D-76, D-78). */
function obstacleTo({ store }: RoundModel, isHidden: boolean): string | null {
  if (isHidden) return 'Nothing can be released while the tournament is hidden.'
  if (store.slots.length === 0) return 'Add slots before you release the round.'
  if (openSlots(store.edit).length === store.slots.length) {
    return 'Put a beatmap into at least one slot before you release the round.'
  }
  if (store.stuck.value.length > 0) return 'Decide on the unsaved changes first.'
  return null
}

/** With more than these, only their number is said. */
const FEW = 6

const firstOf = (labels: readonly string[]): string =>
  [...labels.slice(0, FEW), ...(labels.length > FEW ? [`${labels.length - FEW} more`] : [])].join(
    ', ',
  )

/** As `datetime-local` wants it. */
function localNow(): string {
  const date = new Date(now())
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
