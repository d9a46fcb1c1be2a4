import { useCallback, useMemo, useState } from 'preact/hooks'
import type { Difference } from '../../contract/history.ts'
import type { Round } from '../../contract/rounds.ts'
import { comparePacks } from '../../pool/comparison.ts'
import { slotLabel } from '../../pool/slots.ts'
import { useAction, useAskedAction } from '../action.ts'
import { formatMoment, formatUtc, now } from '../format.ts'
import { changeOf, Differences, useBeatmapsOf } from '../history/differences.tsx'
import { useLoad } from '../load.ts'
import { pageData } from '../page-data.ts'
import { Button } from '../parts/buttons.tsx'
import { formatUntil, useUntil } from '../parts/countdown.tsx'
import { ConfirmDialog } from '../parts/dialogs.tsx'
import { FailureLine } from '../parts/notices.tsx'
import { announce } from '../parts/toasts.tsx'
import { poolOfRound } from '../pool/slots.ts'
import { poolsCall, poolsCallTagged } from '../pools-api.ts'
import { stateOfRound, type WorkspaceProps } from './model.ts'
import { openSlots } from './round-store.ts'
import type { RoundModel } from './round-model.ts'

type ReleaseProps = WorkspaceProps & { readonly round: RoundModel }

/** When the round is released, what has changed since it was, and why it cannot be; hosts decide. */
export function ReleaseCard({ workspace, round }: ReleaseProps) {
  const { saved } = round.store
  const state = stateOfRound(saved)
  const { hosts } = round.rights.value
  const released = useReleased(round, saved)
  const changes = useMemo(() => differencesOf(released, saved), [released, saved])
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
      {saved.releasedAt && saved.packSlug && (
        <p class="side-note">
          Released {formatMoment(saved.releasedAt)}.{' '}
          <a href={`${pageData().siteUrl}/p/${saved.packSlug}`}>Open the pack</a>
        </p>
      )}
      {state === 'draft' && <p class="side-note">Only the staff can see this draft.</p>}
      {released !== null && <Changed slug={round.slug} changes={changes} saved={saved} />}
      {hosts ? (
        <Controls
          workspace={workspace}
          round={round}
          hasChanges={released === null || changes.length > 0}
        />
      ) : (
        <p class="side-note">Hosts release rounds.</p>
      )}
    </section>
  )
}

/** What everybody sees of the round; null while it is not released. */
function useReleased({ path }: RoundModel, { packSlug, releasedAt }: Round): Round | null {
  const load = useCallback(
    async (signal: AbortSignal) =>
      packSlug === undefined ? null : (await poolsCall('getReleased', { ...path, signal })).round,
    [packSlug, releasedAt],
  )
  const { value, error } = useLoad(load)
  return packSlug === undefined || error !== null ? null : value
}

function differencesOf(released: Round | null, draft: Round): readonly Difference[] {
  return released === null ? [] : comparePacks(poolOfRound(released), poolOfRound(draft))
}

type ChangedProps = {
  readonly slug: string
  readonly changes: readonly Difference[]
  readonly saved: Round
}

function Changed({ slug, changes, saved }: ChangedProps) {
  const change = useMemo(() => changeOf(changes, poolOfRound(saved)), [changes, saved])
  const beatmaps = useBeatmapsOf([change], undefined, slug)
  if (changes.length === 0) return <p class="side-note">Nothing has changed since then.</p>
  return (
    <details class="release-changes" open>
      <summary>Changed since the release</summary>
      <Differences change={change} beatmaps={beatmaps} />
    </details>
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

type Wanted = {
  readonly at: string | null
  readonly title: string
  readonly text: string
  readonly action: string
}

function Controls({
  workspace,
  round,
  hasChanges,
}: ReleaseProps & { readonly hasChanges: boolean }) {
  const { saved, state: saving, stuck } = round.store
  const state = stateOfRound(saved)
  const isOut = saved.packSlug !== undefined
  const [moment, setMoment] = useState('')
  const asked = useAskedAction<Wanted>()
  const quick = useAction()
  const obstacle = obstacleTo(round)
  const isBusy = saving.phase !== 'saved' || stuck.value.length > 0
  const release = async (at: string | null, done: string): Promise<void> => {
    const { reply, tag } = await poolsCallTagged('releaseRound', {
      ...round.path,
      body: { at },
      ifMatch: round.store.tag,
    })
    round.store.merge({ round: reply.round, tag })
    workspace.putRound(reply.round)
    announce(done)
  }
  const time = moment === '' ? null : new Date(moment)
  const isPast = time !== null && time.getTime() <= now()
  return (
    <div class="release-controls">
      {obstacle !== null && <p class="side-note release-obstacle">{obstacle}</p>}
      {state === 'scheduled' ? (
        <Button
          label="Withdraw the schedule"
          busy={quick.isBusy}
          onClick={() => quick.run(() => release(null, 'The schedule is withdrawn'))}
        />
      ) : (
        <form
          class="release-time"
          onSubmit={(event) => {
            event.preventDefault()
            if (time === null || isPast || obstacle !== null) return
            const done = `Scheduled for ${formatMoment(time.getTime())}`
            quick.run(() => release(time.toISOString(), done))
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
              (isPast ? 'Choose a time that is to come.' : formatUtc(time.toISOString()))}
          </p>
          <Button
            type="submit"
            label="Schedule"
            busy={quick.isBusy}
            disabled={time === null || isPast || obstacle !== null || isBusy}
          />
        </form>
      )}
      <p class="actions">
        <Button
          tone="primary"
          label={isOut ? 'Release again' : 'Release now'}
          disabled={obstacle !== null || isBusy || !hasChanges}
          onClick={() =>
            asked.ask({
              at: 'now',
              title: isOut ? 'Release this round again?' : 'Release this round now?',
              text: 'Its pack becomes public at once.',
              action: isOut ? 'Release again' : 'Release now',
            })
          }
        />
        {isOut && state !== 'scheduled' && (
          <Button
            tone="quiet"
            label="Withdraw the pack"
            onClick={() =>
              asked.ask({
                at: null,
                title: 'Withdraw the pack?',
                text: 'Its page will be gone. A later release makes a new pack with another link.',
                action: 'Withdraw the pack',
              })
            }
          />
        )}
      </p>
      <FailureLine error={quick.error} />
      <ConfirmDialog
        title={asked.asked?.title ?? ''}
        isOpen={asked.asked !== null}
        action={asked.asked?.action ?? ''}
        tone={asked.asked?.at === null ? 'danger' : 'primary'}
        busy={asked.isBusy}
        onCancel={asked.close}
        onConfirm={() =>
          asked.run(async () => {
            const { at = null } = asked.asked ?? {}
            await release(at, at === null ? 'The pack is withdrawn' : 'Released')
            asked.close()
          })
        }
      >
        <p>{asked.asked?.text}</p>
        <FailureLine error={asked.error}>Nothing was changed.</FailureLine>
      </ConfirmDialog>
    </div>
  )
}

/** Why the round cannot be released now; null when it can be (D-63). */
function obstacleTo({ store }: RoundModel): string | null {
  if (store.slots.length === 0) return 'Add slots before you release the round.'
  const open = openSlots(store.edit).map(slotLabel)
  const shown = open.length > 6 ? [...open.slice(0, 6), `${open.length - 6} more`] : open
  if (open.length > 0) {
    return `Needs a beatmap in every slot. Missing: ${shown.join(', ')}.`
  }
  if (store.stuck.value.length > 0) return 'Decide about the changes that are not saved first.'
  return null
}

/** As `datetime-local` wants it. */
function localNow(): string {
  const date = new Date(now())
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
