import * as texts from '#texts/workspace'
import { useEffect, useState } from 'preact/hooks'
import { NAME_LENGTH, MAX_ROUNDS } from '../../contract/bounds.ts'
import type { Round } from '../../contract/rounds.ts'
import { foldName } from '../../pool/slots.ts'
import { useAction } from '../action.ts'
import { useEntry } from '../editing/fields.tsx'
import { formatList, formatMoment } from '../format.ts'
import { Button } from '../parts/buttons.tsx'
import { useCurrentInView } from '../parts/current-in-view.ts'
import { PersonText, shownText } from '../parts/labels.tsx'
import { loadedPart } from '../parts/loaded-part.tsx'
import { FailureLine } from '../parts/notices.tsx'
import { announce } from '../parts/toasts.tsx'
import type { WorkspaceProps } from './model.ts'
import { stateOfRound } from './rounds.ts'

/** The rounds in order: what they are, and who is in them; a phone has them in a row. */
export function RoundsNav({ workspace }: WorkspaceProps) {
  const { tournament } = workspace
  const chosen = workspace.chosen.value
  const row = useCurrentInView<HTMLOListElement>(chosen)
  const [error, setError] = useState<unknown>(null)
  const { arranges } = workspace.rights.value
  const move = (id: string, by: -1 | 1): void => {
    setError(null)
    workspace.moveRound(id, by).then((isMoved) => isMoved && announce(texts.roundMoved), setError)
  }
  return (
    <nav class="rounds-nav" aria-label={texts.rounds}>
      <h2>{texts.rounds}</h2>
      <ol ref={row} role="list">
        {tournament.rounds.map((round) => (
          <li key={round.id}>
            <a
              href={`?round=${round.id}`}
              aria-current={round.id === chosen ? 'page' : undefined}
              aria-keyshortcuts={arranges ? 'Alt+ArrowUp Alt+ArrowDown' : undefined}
              onKeyDown={(event) => {
                const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : null
                if (by === null || !event.altKey || !arranges) return
                event.preventDefault()
                move(round.id, by)
              }}
            >
              <span class="round-name" dir="auto">
                {shownText(
                  round.id === chosen
                    ? (workspace.round?.store.edit.name ?? round.name)
                    : round.name,
                )}
              </span>
              <RoundStateWords round={round} />
              <WhoIsIn workspace={workspace} round={round.id} />
            </a>
            {arranges && round.id === chosen && tournament.rounds.length > 1 && (
              <span class="round-moves">
                <Button
                  tone="quiet"
                  icon="up"
                  aria-label={texts.moveRoundUp({ round: shownText(round.name) })}
                  title={texts.moveUpWithKeys}
                  disabled={tournament.rounds[0] === round}
                  onClick={() => move(round.id, -1)}
                />
                <Button
                  tone="quiet"
                  icon="down"
                  aria-label={texts.moveRoundDown({ round: shownText(round.name) })}
                  title={texts.moveDownWithKeys}
                  disabled={tournament.rounds.at(-1) === round}
                  onClick={() => move(round.id, 1)}
                />
              </span>
            )}
          </li>
        ))}
      </ol>
      <FailureLine error={error} />
      {arranges && <AddRound workspace={workspace} />}
      <DeletedRounds workspace={workspace} />
    </nav>
  )
}

const stateTexts = {
  draft: texts.draft,
  scheduled: texts.scheduled,
  released: texts.released,
} as const

function RoundStateWords({ round }: { readonly round: Round }) {
  const state = stateOfRound(round)
  const open = round.slots.filter(({ beatmapId }) => beatmapId === undefined).length
  const count = round.slots.length
  return (
    <span class={`round-state ${state}`}>
      {state === 'scheduled' && round.releaseAt
        ? texts.scheduledAt({ moment: formatMoment(round.releaseAt) })
        : stateTexts[state]}
      {state === 'draft' && ` · ${count - open}/${count}`}
    </span>
  )
}

function WhoIsIn({ workspace, round }: WorkspaceProps & { readonly round: string }) {
  const others = workspace.others.value.filter((each) => each.round === round)
  if (others.length === 0) return null
  const names = formatList(others.map(({ username }) => shownText(username)))
  return (
    <span class="round-here" title={texts.hereNowAre({ names })}>
      <span class="here-dot" aria-hidden="true" />
      {texts.namesHere({
        names: <span dir="auto">{names}</span>,
        read: (children) => <span class="sr-only">{children}</span>,
      })}
    </span>
  )
}

/** Who else has the workspace open. */
export function Here({ workspace }: WorkspaceProps) {
  const others = workspace.others.value
  if (others.length === 0) return null
  const { rounds } = workspace.tournament
  return (
    <span class="here">
      <span class="here-dot" aria-hidden="true" />
      <span class="sr-only">{texts.hereNow} </span>
      {others.map(({ gameId, username, round }, at) => {
        const name = rounds.find(({ id }) => id === round)?.name
        return (
          <span
            key={gameId}
            title={name === undefined ? undefined : texts.inRound({ round: shownText(name) })}
          >
            <PersonHere username={username} round={name} />
            {at < others.length - 1 && ','}
          </span>
        )
      })}
    </span>
  )
}

function PersonHere({ username, round }: { username: string; round: string | undefined }) {
  const person = <PersonText text={username} />
  if (round === undefined) return person
  return texts.personHere({
    person,
    round: <PersonText text={round} />,
    place: (children) => <span class="quiet-text">{children}</span>,
  })
}

const DeletedRoundsDialog = loadedPart(
  async () => (await import('./deleted-rounds.tsx')).DeletedRoundsDialog,
)

/** Leads to the rounds that can be restored, while there are any (D-82). */
function DeletedRounds({ workspace }: WorkspaceProps) {
  const { areDeletedShown } = workspace
  const isOpen = areDeletedShown.value
  const { length } = workspace.deleted.value
  const there = workspace.tournament.rounds.map(({ id }) => id).join()
  // What is deleted or restored is another list of rounds. If it cannot be read, nothing is lost by that.
  useEffect(() => void workspace.readDeleted().catch(() => {}), [there])
  if (length === 0 && !isOpen) return null
  return (
    <>
      <Button
        tone="quiet"
        icon="trash"
        label={texts.deletedRounds({ n: length })}
        onClick={() => void (areDeletedShown.value = true)}
      />
      {isOpen && (
        <DeletedRoundsDialog
          workspace={workspace}
          onClose={() => void (areDeletedShown.value = false)}
        />
      )}
    </>
  )
}

function AddRound({ workspace }: WorkspaceProps) {
  const { rounds } = workspace.tournament
  const { isBusy, error, run } = useAction()
  const isFull = rounds.length >= MAX_ROUNDS
  const { field, note, submit } = useEntry(
    (text) => readRoundName(text, rounds, null),
    (name, done) =>
      run(async () => {
        await workspace.addRound(name)
        done()
        announce(texts.roundAdded({ round: name }))
      }),
    workspace.typed.text('round'),
  )
  return (
    <form class="round-add" onSubmit={submit}>
      <label class="sr-only" for="round-new">
        {texts.nameOfNewRound}
      </label>
      <input
        {...field}
        id="round-new"
        class="field"
        placeholder={isFull ? texts.mostRounds({ most: MAX_ROUNDS }) : texts.newRound}
        maxLength={NAME_LENGTH}
        disabled={isFull}
      />
      <Button
        type="submit"
        icon="plus"
        aria-label={texts.addRound}
        title={texts.addRound}
        busy={isBusy}
      />
      {/* While it is made, events bring it already. */}
      {!isBusy && note}
      <FailureLine error={error} />
    </form>
  )
}

/** A round's name: not one that another has, in any case. */
export function readRoundName(text: string, rounds: readonly Round[], own: string | null) {
  const value = text.trim()
  if (value === '') return { reason: texts.enterName }
  if (value.length > NAME_LENGTH) return { reason: texts.tooLong({ most: NAME_LENGTH }) }
  const isTaken = rounds.some(({ id, name }) => id !== own && foldName(name) === foldName(value))
  return isTaken ? { reason: texts.nameTaken } : { value }
}
