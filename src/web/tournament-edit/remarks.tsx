import * as texts from '#texts/round'
import { useRef } from 'preact/hooks'
import { MAX_REMARKS, REMARK_LENGTH } from '../../contract/bounds.ts'
import type { Remark } from '../../contract/discussion.ts'
import type { Place } from '../../pool/pool.ts'
import { slotLabel } from '../../pool/slots.ts'
import { useAction } from '../action.ts'
import { typedInto } from '../editing/fields.tsx'
import { formatMoment } from '../format.ts'
import { orLook } from '../lost-answers.ts'
import { pageData } from '../page-data.ts'
import { Button } from '../parts/buttons.tsx'
import { PersonText } from '../parts/labels.tsx'
import { LinkedText } from '../parts/links.tsx'
import { FailureLine } from '../parts/notices.tsx'
import { announce } from '../parts/toasts.tsx'
import { poolsCall } from '../pools-api.ts'
import { discussionCell, type RoundModel } from './round-model.ts'

export type DiscussionProps = {
  readonly round: RoundModel
  /** null: the round as a whole. */
  readonly place: Place | null
}

export const myId = (): number | undefined => pageData().viewer?.gameId

/** The remarks on a slot or on the round as a whole, the open ones first. */
export function Remarks({ round, place }: DiscussionProps) {
  const cell = discussionCell(place)
  const all = round.remarks.value.get(cell) ?? []
  const { isBusy, error, run } = useAction()
  const typed = round.typed.text(`remark:${cell}`)
  const text = typed.value
  const { discusses } = round.rights.value
  const total = round.discussion.value.remarks.length
  const add = (event: Event): void => {
    event.preventDefault()
    if (text.trim() === '') return
    run(async () => {
      const { mod, index } = place ?? {}
      const { remark } = await poolsCall('addRemark', {
        ...round.path,
        body: { text: text.trim(), ...(index !== undefined && { mod: mod ?? null, index }) },
      })
      round.putRemark(remark.id, remark)
      // The next one may be half typed by then.
      if (typed.value === text) typed.value = ''
      announce(texts.remarkAdded)
    })
  }
  return (
    <>
      <h4>{place === null ? texts.remarksOnRound : texts.remarks}</h4>
      {all.length > 0 && (
        <ul class="remarks" role="list">
          {all
            .toSorted((a, b) => Number(a.settled) - Number(b.settled))
            .map((remark) => (
              <RemarkRow key={remark.id} round={round} remark={remark} />
            ))}
        </ul>
      )}
      {all.length === 0 && !discusses && <p class="quiet-text">{texts.noneYet}</p>}
      {discusses && total < MAX_REMARKS && (
        <form class="add-remark" onSubmit={add}>
          <textarea
            class="field"
            rows={1}
            dir="auto"
            aria-label={
              place === null ? texts.remarkOnRound : texts.remarkOn({ slot: slotLabel(place) })
            }
            placeholder={texts.addRemarkHint}
            maxLength={REMARK_LENGTH}
            value={text}
            data-is-kept=""
            onInput={typedInto(typed)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) add(event)
            }}
          />
          <Button
            type="submit"
            label={texts.add}
            aria-label={texts.addRemark}
            busy={isBusy}
            disabled={text.trim() === ''}
          />
          <FailureLine error={error} />
        </form>
      )}
    </>
  )
}

export function RemarkRow({
  round,
  remark,
}: {
  readonly round: RoundModel
  readonly remark: Remark
}) {
  const { id, text, writtenBy, settled } = remark
  const at = { ...round.path, id }
  const { drafts, discusses, hosts } = round.rights.value
  const { isBusy, error, run } = useAction()
  const isMine = discusses && writtenBy?.gameId === myId()
  // Others may do the same between the parts of a press, which then would take it back.
  const seen = useRef(settled)
  const settle = ({ detail }: MouseEvent): void =>
    run(async () => {
      const isSettled = detail === 0 ? settled : seen.current
      const reply = await poolsCall('updateRemark', { ...at, body: { settled: !isSettled } })
      round.putRemark(id, reply.remark)
    })
  const remove = (): void =>
    run(async () => {
      await orLook(
        () => poolsCall('removeRemark', at),
        async () => {
          await round.readDiscussion()
          return round.discussion.value.remarks.some((each) => each.id === id) ? null : undefined
        },
      )
      round.putRemark(id, null)
      announce(texts.remarkRemoved)
    })
  return (
    <li class={settled ? 'remark settled' : 'remark'}>
      <span class="remark-text" dir="auto">
        <LinkedText text={text} />
      </span>
      <span class="quiet-text">
        <RemarkFacts remark={remark} />
      </span>
      <span class="remark-actions">
        {(drafts || isMine) && (
          <Button
            tone="quiet"
            icon={settled ? 'undo' : 'check'}
            label={settled ? texts.reopen : texts.resolve}
            busy={isBusy}
            onPointerDown={() => void (seen.current = settled)}
            onClick={settle}
          />
        )}
        {(hosts || isMine) && (
          <Button
            tone="quiet"
            icon="trash"
            aria-label={texts.removeRemark}
            title={texts.removeRemark}
            busy={isBusy}
            onClick={remove}
          />
        )}
      </span>
      <FailureLine error={error} />
    </li>
  )
}

function RemarkFacts({ remark }: { readonly remark: Remark }) {
  const { writtenBy, settled, settledBy, createdAt } = remark
  const author = <PersonText text={writtenBy?.username ?? texts.deletedAccount} />
  const moment = formatMoment(createdAt)
  if (!settled) return texts.remarkBy({ author, moment })
  if (!settledBy) return texts.remarkResolved({ author, moment })
  const person = <PersonText text={settledBy.username} />
  return texts.remarkResolvedBy({ author, moment, person })
}
