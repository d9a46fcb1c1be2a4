import * as texts from '#texts/round'
import { useState } from 'preact/hooks'
import type { Candidate, Remark } from '../../contract/discussion.ts'
import { slotLabel, slotsInPoolOrder } from '../../pool/slots.ts'
import { useAction } from '../action.ts'
import { placeOfCell, slotCell } from '../editing/changes.ts'
import { Button } from '../parts/buttons.tsx'
import { Select } from '../parts/inputs.tsx'
import { FailureLine } from '../parts/notices.tsx'
import { announce } from '../parts/toasts.tsx'
import { poolsCall } from '../pools-api.ts'
import { CandidateList } from './discussion.tsx'
import { myId, RemarkRow } from './remarks.tsx'
import type { RoundModel } from './round-model.ts'

/** Candidates and remarks of slots that are no longer in the round; they stay until somebody removes them. */
export function LeftOver({ round }: { readonly round: RoundModel }) {
  const cells = round.leftOver.value
  return (
    <section class="left-over discussion" aria-labelledby="left-over-title">
      <h3 id="left-over-title">{texts.fromGoneSlots}</h3>
      <p class="quiet-text">{texts.goneSlotsMean({ n: cells.length })}</p>
      {cells.map((cell) => {
        const candidates = round.candidates.value.get(cell) ?? []
        const remarks = round.remarks.value.get(cell) ?? []
        const place = placeOfCell(cell)
        return (
          <section key={cell} aria-label={place === null ? cell : slotLabel(place)}>
            <h4>{place === null ? cell : slotLabel(place)}</h4>
            <CandidateList round={round} candidates={candidates} label={texts.candidates} />
            {remarks.length > 0 && (
              <ul class="remarks" role="list" aria-label={texts.remarks}>
                {remarks.map((remark) => (
                  <RemarkRow key={remark.id} round={round} remark={remark} />
                ))}
              </ul>
            )}
            <Move round={round} cell={cell} candidates={candidates} remarks={remarks} />
          </section>
        )
      })}
    </section>
  )
}

type MoveProps = {
  readonly round: RoundModel
  readonly cell: string
  readonly candidates: readonly Candidate[]
  readonly remarks: readonly Remark[]
}

/** Moves those of the candidates and remarks of a slot that the reader may move to another slot (D-83). */
function Move({ round, cell, candidates, remarks }: MoveProps) {
  const { isBusy, error, run } = useAction()
  const { drafts, discusses } = round.rights.value
  const places = slotsInPoolOrder(round.store)
  const [chosen, setChosen] = useState('')
  const isMine = (by: Candidate['proposedBy']): boolean =>
    drafts || (discusses && by?.gameId === myId())
  const ownCandidates = candidates.filter(({ proposedBy }) => isMine(proposedBy))
  const ownRemarks = remarks.filter(({ writtenBy }) => isMine(writtenBy))
  const to = places.find((place) => slotCell(place) === chosen) ?? places[0]
  if (to === undefined || ownCandidates.length + ownRemarks.length === 0) return null
  const { mod, index } = to
  const from = placeOfCell(cell)
  const label = from === null ? cell : slotLabel(from)
  const move = (): void =>
    run(async () => {
      const body = { mod, index }
      for (const { id } of ownRemarks) {
        const reply = await poolsCall('updateRemark', { ...round.path, id, body })
        round.putRemark(id, reply.remark)
      }
      for (const { id } of ownCandidates) {
        const reply = await poolsCall('moveCandidate', { ...round.path, id, body })
        round.putCandidate(id, reply.candidate)
      }
      announce(texts.movedTo({ slot: slotLabel(to) }))
    })
  return (
    <div class="actions left-over-move">
      <Select
        aria-label={texts.slotToMoveTo({ slot: label })}
        value={slotCell(to)}
        options={places.map((place) => [slotCell(place), slotLabel(place)])}
        onPick={setChosen}
      />
      <Button label={texts.moveTo({ slot: slotLabel(to) })} busy={isBusy} onClick={move} />
      <FailureLine error={error}>{texts.someNotMoved}</FailureLine>
    </div>
  )
}
