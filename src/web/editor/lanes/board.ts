import type { ReadonlySignal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import type { SlotView } from '../../pool/slots.ts'
import type { Reading } from '../fields.tsx'
import type { LaneActions, LaneStore } from './lane-actions.ts'
import type { Held, LaneSlot } from './lanes.ts'

/** What lanes show and do: of a pack in the pack editor, of a round in a tournament's workspace. */
export type Board = {
  readonly of: 'pack' | 'round'
  readonly store: LaneStore
  readonly actions: LaneActions
  /** The slots that have beatmaps, with what is known of these. */
  readonly views: ReadonlySignal<ReadonlyMap<LaneSlot, SlotView>>
  /** What is wrong, by the id of the element where it is solved. */
  readonly problems: ReadonlySignal<{
    readonly at: ReadonlyMap<string | null, { readonly text: string }>
  }>
  readonly paste: { open(text: string): void }
  /** What a text in the field of a slot means. */
  readonly read: (text: string) => Reading<Held>
  /** @param seen what the field showed when typing began: somebody else may have changed it since. */
  readonly fill: (slot: LaneSlot, held: Held, seen: string) => void
  readonly rounds?: RoundParts
}

/** What the lanes of a round have besides. */
export type RoundParts = {
  /** Nothing can be changed. */
  readonly isFixed: boolean
  /** At the end of the row of a slot. */
  readonly Aside: (props: { readonly slot: LaneSlot }) => VNode | null
  /** Below the row of a slot. */
  readonly Below: (props: { readonly slot: LaneSlot }) => VNode | null
  /** In the menu of a slot. */
  readonly items: (slot: LaneSlot) => readonly MenuItem[]
}

export type BoardProps = { readonly board: Board }

export type MenuItem = {
  readonly text: ComponentChildren
  readonly keys?: string
  readonly isDisabled?: boolean
  readonly onPick: () => void
}
