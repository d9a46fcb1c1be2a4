import { useEffect, useMemo } from 'preact/hooks'
import { type SlotFilling } from '../../pool/round-fields.ts'
import { detailsWords } from '../../pool/slot-details.ts'
import { slotLabel } from '../../pool/slots.ts'
import { keyOfView } from '../editing/lanes/board.ts'
import { cellWords, placeOfCell, slotCell } from '../editing/changes.ts'
import type { StuckAction } from '../editing/edit-store.ts'
import { focusLater, slotId } from '../editing/focus.ts'
import type { Board } from '../editing/lanes/board.ts'
import { LanesView } from '../editing/lanes/lanes-view.tsx'
import type { LaneSlot } from '../editing/lanes/lanes.ts'
import { count } from '../format.ts'
import { Button } from '../parts/buttons.tsx'
import { Icon } from '../parts/icons.tsx'
import { PersonText, shownText } from '../parts/labels.tsx'
import { OutsideLink } from '../parts/links.tsx'
import { loadedPart } from '../parts/loaded-part.tsx'
import { LookNote } from '../pool/look-note.tsx'
import { StarPlot } from '../pool/star-plot.tsx'
import type { WorkspaceProps } from './model.ts'
import { fillingWords, valueWords } from './round-store.ts'
import type { RoundProps } from './round-fields.tsx'
import { RoundHead } from './round-head.tsx'
import {
  discussionId,
  isFilledOrPlanned,
  planId,
  type RoundModel,
  WHOLE_ROUND,
} from './round-model.ts'

const Discussion = loadedPart(async () => (await import('./discussion.tsx')).Discussion)
const LeftOver = loadedPart(async () => (await import('./left-over.tsx')).LeftOver)
const PlanForm = loadedPart(async () => (await import('./plan-form.tsx')).PlanForm)

/** A round: what is set of it, its stars, and its lanes. */
export function RoundView({ round, workspace }: RoundProps & WorkspaceProps) {
  const board = useMemo(() => boardOf(round), [round])
  const slots = round.slotViews.value
  const { slots: all } = round.store
  const beatmaps = round.beatmaps.value
  useEffect(() => {
    // A finding of the checks, or a link of another person, may lead to a slot.
    const wanted = location.hash.slice(1)
    if (wanted !== '') focusSlot(round, decodeURIComponent(wanted))
  }, [round])
  return (
    <div class={beatmaps?.phase === 'stalled' ? 'round pool-stalled' : 'round'}>
      <RoundHead round={round} workspace={workspace} />
      <StuckList round={round} />
      {round.open.value === WHOLE_ROUND && <Discussion round={round} place={null} />}
      {slots.length > 0 && (
        <section class="round-plot" aria-label="Stars">
          <StarPlot slots={slots} onPick={(slot) => focusLater(slotId(keyOfView(slot)))} />
          {beatmaps && <LookNote slots={slots} beatmaps={beatmaps} />}
        </section>
      )}
      <h3 id="edit-slots" tabIndex={-1} class="lanes-title">
        Slots <span class="quiet-text">{filledWords(all)}</span>
      </h3>
      <LanesView board={board} />
      {round.leftOver.value.length > 0 && <LeftOver round={round} />}
    </div>
  )
}

function filledWords(slots: readonly LaneSlot[]): string {
  const filled = slots.filter(({ beatmapId }) => beatmapId !== undefined).length
  return `${filled} of ${count(slots.length, 'slot')} filled`
}

/** Moves the focus to the row of a slot by its label. */
export function focusSlot(round: RoundModel, label: string): void {
  const slot = round.store.slots.find((each) => slotLabel(each) === label)
  if (slot !== undefined) focusLater(slotId(slot.key))
}

function boardOf(round: RoundModel): Board {
  const { of, store, actions, views, problems, read, fill, pooled, paste } = round
  const board = { of, store, actions, views, problems, read, fill, pooled, paste }
  return {
    ...board,
    rounds: {
      get isFixed() {
        return round.isFixed.value
      },
      Plan: ({ slot }) => <PlanLine slot={slot} />,
      Aside: ({ slot }) => <DiscussionButton round={round} slot={slot} />,
      Below: ({ slot }) => <SlotBelow round={round} slot={slot} />,
      items: (slot) => [
        { text: 'Candidates and remarks', onPick: () => round.toggle(slot) },
        {
          text: 'Details and link',
          onPick: () => {
            round.planning.value = slotCell(slot)
            focusLater(planId(slotCell(slot)))
          },
        },
        {
          text: 'Empty the slot',
          isDisabled: !isFilledOrPlanned(slot),
          onPick: () => actions.exchange(slot.key, {}),
        },
      ],
    },
  }
}

/** What is known of a map that has no id yet, and where it can be had (D-77). */
export function PlanLine({ slot: { beatmapId, details, link } }: { readonly slot: SlotFilling }) {
  // Of a beatmap, the facts of the platform are shown.
  const words = beatmapId === undefined && details ? detailsWords(details) : ''
  if (words === '' && link === undefined) return null
  return (
    <span class="slot-plan">
      {words !== '' && (
        <span class="plan-words">
          <PersonText text={words} />
        </span>
      )}
      {link !== undefined && <OutsideLink href={link} />}
    </span>
  )
}

/** How much is discussed at a slot, and the way to it. */
function DiscussionButton({ round, slot }: RoundProps & { readonly slot: LaneSlot }) {
  const cell = slotCell(slot)
  const candidates = round.candidates.value.get(cell)?.length ?? 0
  const open = round.remarks.value.get(cell)?.filter(({ settled }) => !settled).length ?? 0
  const isOpen = round.open.value === cell
  const total = candidates + open
  const words = `${count(candidates, 'candidate')}, ${count(open, 'open remark')}`
  return (
    <button
      type="button"
      class={open > 0 ? 'discussion-button has-remarks' : 'discussion-button'}
      id={discussionId(cell, 'discussion-button')}
      data-column="discussion"
      aria-expanded={isOpen}
      aria-label={`Candidates and remarks of ${slotLabel(slot)}: ${total > 0 ? `${total} (${words})` : words}`}
      title={words}
      onClick={() => round.toggle(slot)}
    >
      <Icon name="discussion" />
      {total > 0 && <span aria-hidden="true">{total}</span>}
    </button>
  )
}

function SlotBelow({ round, slot }: RoundProps & { readonly slot: LaneSlot }) {
  const cell = slotCell(slot)
  const stuck = round.store.stuck.value.filter((each) => placeShown(round, each) === cell)
  const isOpen = round.open.value === cell
  const isPlanned = round.planning.value === cell
  if (stuck.length === 0 && !isOpen && !isPlanned) return null
  return (
    <div class="slot-below">
      {stuck.map((each) => (
        <Stuck key={stuckKey(each)} round={round} stuck={each} />
      ))}
      {isPlanned && <PlanForm round={round} slot={slot} />}
      {isOpen && <Discussion round={round} place={slot} />}
    </div>
  )
}

/** The cell of the slot at which a stuck action is shown; null: none of its slots is there. */
function placeShown({ store }: RoundModel, { changes }: StuckAction): string | null {
  const there = new Set(store.slots.map(slotCell))
  return changes.find(({ cell }) => there.has(cell))?.cell ?? null
}

/** Two may be called the same, and be about the same slot. */
const stuckKey = ({ label, changes }: StuckAction): string =>
  `${label} ${changes.map(({ cell, to }) => `${cell} ${to}`).join()}`

/** What is stuck of things that have no row. */
function StuckList({ round }: RoundProps) {
  const stuck = round.store.stuck.value.filter((each) => placeShown(round, each) === null)
  return stuck.map((each) => <Stuck key={stuckKey(each)} round={round} stuck={each} />)
}

/** Shows what is there now and what the person wanted; nothing is lost until they choose. */
function Stuck({ round, stuck }: RoundProps & { readonly stuck: StuckAction }) {
  const { store, nameOf } = round
  const { changes, message, label } = stuck
  const isRefused = message !== null
  const now = new Map(store.slots.map((slot) => [slotCell(slot), fillingWords(slot, nameOf)]))
  const shown = changes.filter(({ cell }) => cell !== 'order')
  const choose = (work: (stuck: StuckAction) => void): void => {
    const place = placeOfCell(shown[0]?.cell ?? '')
    work.call(store, stuck)
    if (place !== null) focusSlot(round, slotLabel(place))
  }
  return (
    <section class="slot-conflict" role="alert" aria-label={`Not saved: ${label}`}>
      <p>
        {isRefused ? (
          <>
            <b>Not saved.</b> {message}
          </>
        ) : (
          <>
            <b>Another person has changed this in the meantime.</b> Nothing was overwritten. Choose
            what to keep.
          </>
        )}
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span class="sr-only">What</span>
            </th>
            <th scope="col">{isRefused ? 'Now' : 'Theirs, as it is now'}</th>
            <th scope="col">Mine</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ cell, to }) => (
            <tr key={cell}>
              <th scope="row">{cellWords(cell)}</th>
              <td dir="auto">{shownText(now.get(cell) ?? 'not there')}</td>
              <td dir="auto">{shownText(valueWords(to, nameOf) ?? 'not there')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="actions">
        <Button
          tone="primary"
          label={isRefused ? 'Try again' : 'Keep mine'}
          onClick={() => choose((each) => store.keepMine(each))}
        />
        <Button
          label={isRefused ? 'Discard mine' : 'Use theirs'}
          onClick={() => choose((each) => store.takeTheirs(each))}
        />
      </p>
    </section>
  )
}
