import { slotLabel } from '../../pool/slots.ts'
import { placeOfCell } from '../editing/changes.ts'
import { count } from '../format.ts'
import { slotViews } from '../pool/slots.ts'
import { CandidateRow } from './discussion.tsx'
import { RemarkRow } from './remarks.tsx'
import type { RoundModel } from './round-model.ts'

/** What was said of slots that are not in the round any more: it is lost only when somebody removes it. */
export function LeftOver({ round }: { readonly round: RoundModel }) {
  const cells = round.leftOver.value
  const views = slotViews(round.proposed.value, round.beatmaps.value?.views ?? new Map())
  return (
    <section class="left-over discussion" aria-labelledby="left-over-title">
      <h3 id="left-over-title">Left over</h3>
      <p class="quiet-text">
        Said of {count(cells.length, 'slot')} no longer in the round. A slot with the same label has
        it back.
      </p>
      {cells.map((cell) => {
        const candidates = round.candidates.value.get(cell) ?? []
        const remarks = round.remarks.value.get(cell) ?? []
        const place = placeOfCell(cell)
        return (
          <section key={cell} aria-label={place === null ? cell : slotLabel(place)}>
            <h4>{place === null ? cell : slotLabel(place)}</h4>
            {candidates.length > 0 && (
              <ul class="candidates" role="list" aria-label="Candidates">
                {candidates.map((candidate) => (
                  <CandidateRow
                    key={candidate.id}
                    round={round}
                    candidate={candidate}
                    view={views.find(({ beatmapId }) => beatmapId === candidate.beatmapId)}
                  />
                ))}
              </ul>
            )}
            {remarks.length > 0 && (
              <ul class="remarks" role="list" aria-label="Remarks">
                {remarks.map((remark) => (
                  <RemarkRow key={remark.id} round={round} remark={remark} />
                ))}
              </ul>
            )}
          </section>
        )
      })}
    </section>
  )
}
