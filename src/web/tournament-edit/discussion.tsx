import * as texts from '#texts/round'
import { MAX_CANDIDATES, REMARK_LENGTH } from '../../contract/bounds.ts'
import type { Candidate } from '../../contract/discussion.ts'
import type { Place } from '../../pool/pool.ts'
import { slotLabel } from '../../pool/slots.ts'
import { useAction } from '../action.ts'
import { slotCell } from '../editing/changes.ts'
import { readBeatmap, useEntry } from '../editing/fields.tsx'
import { focusLater } from '../editing/focus.ts'
import { formatList } from '../format.ts'
import { orLook } from '../lost-answers.ts'
import { Button } from '../parts/buttons.tsx'
import { TextInput } from '../parts/inputs.tsx'
import { PersonText, shownText } from '../parts/labels.tsx'
import { LinkedText } from '../parts/links.tsx'
import { FailureLine } from '../parts/notices.tsx'
import { announce } from '../parts/toasts.tsx'
import { BeatmapWords, SlotStars } from '../pool/slot-parts.tsx'
import { type SlotView, slotViews } from '../pool/slots.ts'
import { poolsCall } from '../pools-api.ts'
import { type DiscussionProps, myId, Remarks } from './remarks.tsx'
import { discussionCell, discussionId, type RoundModel } from './round-model.ts'

/** Candidates with their votes, and remarks, of a slot; of a round, the remarks alone. */
export function Discussion({ round, place }: DiscussionProps) {
  const cell = discussionCell(place)
  return (
    <section
      id={discussionId(cell)}
      class="discussion"
      tabIndex={-1}
      aria-label={
        place === null ? texts.discussionOfRound : texts.discussionOf({ slot: slotLabel(place) })
      }
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        round.open.value = null
        focusLater(discussionId(cell, 'discussion-button'))
      }}
    >
      {place !== null && <Candidates round={round} place={place} />}
      <Remarks round={round} place={place} />
    </section>
  )
}

type PlaceProps = { readonly round: RoundModel; readonly place: Place }

function Candidates({ round, place }: PlaceProps) {
  const all = round.candidates.value.get(slotCell(place)) ?? []
  const { discusses } = round.rights.value
  return (
    <>
      <h4>{texts.candidatesFor({ slot: slotLabel(place) })}</h4>
      {all.length === 0 && (
        <p class="quiet-text">{discusses ? texts.noneYetPropose : texts.noneYet}</p>
      )}
      <CandidateList round={round} candidates={all.toSorted((a, b) => b.score - a.score)} />
      {discusses && <Propose round={round} place={place} isFull={all.length >= MAX_CANDIDATES} />}
    </>
  )
}

type ListProps = {
  readonly round: RoundModel
  readonly candidates: readonly Candidate[]
  readonly label?: string
}

export function CandidateList({ round, candidates, label }: ListProps) {
  const views = slotViews(round.proposed.value, round.beatmaps.value?.views ?? new Map())
  if (candidates.length === 0) return null
  return (
    <ul class="candidates" role="list" aria-label={label}>
      {candidates.map((candidate) => (
        <CandidateRow
          key={candidate.id}
          round={round}
          candidate={candidate}
          view={views.find(({ beatmapId }) => beatmapId === candidate.beatmapId)}
        />
      ))}
    </ul>
  )
}

type RowProps = {
  readonly round: RoundModel
  readonly candidate: Candidate
  readonly view: SlotView | undefined
}

function CandidateRow({ round, candidate, view }: RowProps) {
  const { id, mod, index, beatmapId, note, proposedBy, votes, score } = candidate
  const at = { ...round.path, id }
  const { drafts, discusses } = round.rights.value
  const { isBusy, error, run } = useAction()
  const mine = votes.find(({ gameId }) => gameId === myId())?.vote ?? 0
  const slot = round.slotAt(slotCell({ mod, index }))
  const isIn = slot?.beatmapId === beatmapId
  const vote = (value: -1 | 1): void =>
    run(async () => {
      const next = mine === value ? 0 : value
      const reply = await poolsCall('voteOnCandidate', { ...at, body: { vote: next } })
      round.putCandidate(id, reply.candidate)
    })
  const remove = (): void =>
    run(async () => {
      await orLook(
        () => poolsCall('removeCandidate', at),
        async () => {
          await round.readDiscussion()
          return round.discussion.value.candidates.some((each) => each.id === id) ? null : undefined
        },
      )
      round.putCandidate(id, null)
      announce(texts.candidateRemoved)
    })
  const voteButton = (value: -1 | 1, icon: 'up' | 'down', words: string) => (
    <Button
      tone="quiet"
      icon={icon}
      aria-label={words}
      title={words}
      aria-pressed={mine === value}
      busy={isBusy}
      disabled={!discusses}
      onClick={() => vote(value)}
    />
  )
  return (
    <li class="candidate">
      <span class="votes" role="group" aria-label={texts.votes({ score: String(score) })}>
        {voteButton(1, 'up', texts.voteFor)}
        <b title={votersText(votes)}>{score > 0 ? `+${score}` : score}</b>
        {voteButton(-1, 'down', texts.voteAgainst)}
      </span>
      <span class="candidate-words">
        <BeatmapWords id={beatmapId} beatmap={view?.beatmap ?? { state: 'pending' }} isDraft />
        {note !== undefined && (
          <span>
            <bdi>
              <LinkedText text={note} />
            </bdi>
          </span>
        )}
        <span class="quiet-text">
          {proposedBy && texts.proposedBy({ person: <PersonText text={proposedBy.username} /> })}
          {votes.length > 0 && ` · ${votersText(votes)}`}
        </span>
      </span>
      <span class="candidate-stars">{view && <SlotStars slot={view} />}</span>
      <span class="candidate-actions">
        {drafts &&
          slot !== undefined &&
          (isIn ? (
            <span class="quiet-text">{texts.inSlot}</span>
          ) : (
            <Button
              label={texts.putIntoSlot}
              onClick={() => {
                round.put({ mod, index }, beatmapId)
                announce(texts.putInto({ slot: slotLabel({ mod, index }) }))
              }}
            />
          ))}
        {(drafts || (discusses && proposedBy?.gameId === myId())) && (
          <Button
            tone="quiet"
            icon="close"
            aria-label={texts.removeCandidate}
            title={texts.removeCandidate}
            busy={isBusy}
            onClick={remove}
          />
        )}
      </span>
      <FailureLine error={error} />
    </li>
  )
}

const votersText = (votes: Candidate['votes']): string =>
  formatList(votes.map(({ username, vote }) => `${shownText(username)} ${vote > 0 ? '+1' : '−1'}`))

function Propose({ round, place, isFull }: PlaceProps & { readonly isFull: boolean }) {
  const { isBusy, error, run } = useAction()
  const cell = slotCell(place)
  const why = round.typed.text(`why:${cell}`)
  const note = why.value
  const {
    field,
    note: reason,
    submit,
  } = useEntry(
    readBeatmap,
    (beatmapId, done) =>
      run(async () => {
        const { mod, index } = place
        const text = note.trim()
        const reply = await poolsCall('proposeCandidate', {
          ...round.path,
          body: { mod, index, beatmapId, ...(text !== '' && { note: text }) },
        })
        if ('candidate' in reply) round.putCandidate(reply.candidate.id, reply.candidate)
        done()
        if (why.value === note) why.value = ''
        announce(texts.proposed)
      }),
    round.typed.text(`candidate:${cell}`),
  )
  if (isFull) return <p class="quiet-text">{texts.candidatesFull({ most: MAX_CANDIDATES })}</p>
  return (
    <form class="propose" onSubmit={submit}>
      <input
        {...field}
        class="field"
        aria-label={texts.beatmapToPropose({ slot: slotLabel(place) })}
        placeholder={texts.beatmapHint}
        inputMode="url"
      />
      <TextInput
        aria-label={texts.why}
        placeholder={texts.whyHint}
        maxLength={REMARK_LENGTH}
        value={note}
        data-is-kept=""
        onText={(text) => (why.value = text)}
      />
      <Button type="submit" label={texts.propose} busy={isBusy} />
      {reason}
      <FailureLine error={error} />
    </form>
  )
}
