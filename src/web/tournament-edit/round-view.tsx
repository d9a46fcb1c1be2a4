import * as words from '#texts/common'
import * as texts from '#texts/workspace'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { type SlotFilling } from '../../pool/round-fields.ts'
import { slotLabel } from '../../pool/slots.ts'
import { keyOfView } from '../editing/lanes/board.ts'
import { slotCell } from '../editing/changes.ts'
import type { StuckAction } from '../editing/edit-store.ts'
import { focusLater, slotId } from '../editing/focus.ts'
import type { Board } from '../editing/lanes/board.ts'
import { LanesView } from '../editing/lanes/lanes-view.tsx'
import type { LaneSlot } from '../editing/lanes/lanes.ts'
import { formatNumber } from '../format.ts'
import { Icon } from '../parts/icons.tsx'
import { PersonText } from '../parts/labels.tsx'
import { detailsText } from '../pool/slot-words.ts'
import { OutsideLink } from '../parts/links.tsx'
import { loadedPart } from '../parts/loaded-part.tsx'
import { LookNote } from '../pool/look-note.tsx'
import { StarPlot } from '../pool/star-plot.tsx'
import type { WorkspaceProps } from './model.ts'
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
const Stuck = loadedPart(async () => (await import('./stuck-action.tsx')).Stuck)

/** A round: what is set of it, its stars, and its lanes. */
export function RoundView({ round, workspace }: RoundProps & WorkspaceProps) {
  const board = useMemo(() => boardOf(round), [round])
  const slots = round.slotViews.value
  const { slots: all } = round.store
  const beatmaps = round.beatmaps.value
  useEffect(() => {
    // A finding of the checks, or a link of another person, may lead to a slot.
    const { hash } = location
    const wanted = round.store.slots.find(
      (slot) => `#${encodeURIComponent(slotLabel(slot))}` === hash,
    )
    if (wanted !== undefined) focusLater(slotId(wanted.key))
  }, [round])
  return (
    <div class={beatmaps?.phase === 'stalled' ? 'round pool-stalled' : 'round'}>
      <RoundHead round={round} workspace={workspace} />
      <StuckList round={round} />
      {round.open.value === WHOLE_ROUND && <Discussion round={round} place={null} />}
      {slots.length > 0 && (
        <section class="round-plot" aria-label={words.stars}>
          <StarPlot slots={slots} onPick={(slot) => focusLater(slotId(keyOfView(slot)))} />
          {beatmaps && <LookNote slots={slots} beatmaps={beatmaps} />}
        </section>
      )}
      <h3 id="edit-slots" tabIndex={-1} class="lanes-title">
        {slotsTitle(all)}
      </h3>
      <LanesView board={board} />
      {round.leftOver.value.length > 0 && <LeftOver round={round} />}
    </div>
  )
}

function slotsTitle(slots: readonly LaneSlot[]): ComponentChildren {
  const filled = slots.filter(({ beatmapId }) => beatmapId !== undefined).length
  const quiet = (children: ComponentChildren) => <span class="quiet-text">{children}</span>
  return texts.slotsFilled({ filled: formatNumber(filled), n: slots.length, quiet })
}

/** Moves the focus to the row of a slot by its label. */
export function focusSlot(round: RoundModel, label: string): void {
  const slot = round.store.slots.find((each) => slotLabel(each) === label)
  if (slot !== undefined) focusLater(slotId(slot.key))
}

const stuckId = ({ store }: RoundModel, stuck: StuckAction): string =>
  `stuck-${store.stuck.value.indexOf(stuck)}`

/** Moves the focus to the first change that is not saved. */
export function focusUnsaved(round: RoundModel): void {
  const { stuck } = round.store
  const [stuckFirst] = stuck.value
  if (stuckFirst !== undefined) return focusLater(stuckId(round, stuckFirst))
  const places = round.store.unsaved.flatMap(({ changes }) => changes.map(({ cell }) => cell))
  const slot = round.store.slots.find((each) => places.includes(slotCell(each)))
  focusLater(slot === undefined ? 'edit-slots' : slotId(slot.key))
}

function boardOf(round: RoundModel): Board {
  const { of, store, typed, actions, views, problems, read, fill, pooled, paste } = round
  const board = { of, store, typed, actions, views, problems, read, fill, pooled, paste }
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
        { text: texts.candidatesAndRemarks, onPick: () => round.toggle(slot) },
        {
          text: texts.detailsAndLink,
          onPick: () => {
            round.planning.value = slotCell(slot)
            focusLater(planId(slotCell(slot)))
          },
        },
        {
          text: texts.emptySlot,
          isDisabled: !isFilledOrPlanned(slot),
          onPick: () => actions.exchange(slot.key, {}),
        },
      ],
    },
  }
}

/** What is known of a beatmap that has no id yet, and where it can be had (D-77). */
export function PlanLine({ slot: { beatmapId, details, link } }: { readonly slot: SlotFilling }) {
  // Of a beatmap, the facts of the platform are shown.
  const known = beatmapId === undefined && details ? detailsText(details) : ''
  if (known === '' && link === undefined) return null
  return (
    <span class="slot-plan">
      {known !== '' && (
        <span class="plan-words">
          <PersonText text={known} />
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
  const discussed = texts.discussed({ candidates, remarks: open })
  const named = { slot: slotLabel(slot), discussed }
  return (
    <button
      type="button"
      class={open > 0 ? 'discussion-button has-remarks' : 'discussion-button'}
      id={discussionId(cell, 'discussion-button')}
      data-column="discussion"
      aria-expanded={isOpen}
      aria-label={
        total > 0 ? texts.discussionButtonTotal({ ...named, total }) : texts.discussionButton(named)
      }
      title={discussed}
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
        <StuckAt key={stuckKey(each)} round={round} stuck={each} />
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

const StuckAt = ({ round, stuck }: RoundProps & { readonly stuck: StuckAction }) => (
  <Stuck
    id={stuckId(round, stuck)}
    round={round}
    stuck={stuck}
    onShow={(label) => focusSlot(round, label)}
  />
)

/** What is stuck of things that have no row. */
function StuckList({ round }: RoundProps) {
  const stuck = round.store.stuck.value.filter((each) => placeShown(round, each) === null)
  return stuck.map((each) => <StuckAt key={stuckKey(each)} round={round} stuck={each} />)
}
