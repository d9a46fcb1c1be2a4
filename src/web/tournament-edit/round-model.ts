import { changeField } from '#texts/editing'
import * as texts from '#texts/workspace'
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { isHttpsLink, LINK_LENGTH, PLACEHOLDER_LENGTH } from '../../contract/bounds.ts'
import type { Candidate, Discussion, Remark } from '../../contract/discussion.ts'
import type { Slot } from '../../contract/pools.ts'
import type { Place } from '../../pool/pool.ts'
import { slotContent, slotFields, type SlotFilling } from '../../pool/round-fields.ts'
import { slotLabel } from '../../pool/slots.ts'
import { call } from '../api.ts'
import { later } from '../browser.ts'
import { BoardModel } from '../editing/lanes/board.ts'
import { type Change, contentText, fieldCell, slotCell, textOf } from '../editing/changes.ts'
import { type Reading, readBeatmap } from '../editing/fields.tsx'
import { focusLater } from '../editing/focus.ts'
import type { Steps } from '../editing/steps.ts'
import { Typed } from '../editing/typed.ts'
import type { Keeping } from '../editing/unsaved.ts'
import { type LaneSlot, withLayout } from '../editing/lanes/lanes.ts'
import { ImportReader } from '../editing/paste/import-reader.ts'
import type { ImportReply } from '../editing/paste/read-source.ts'
import { fieldNames } from '../field-names.ts'
import { ownKey } from '../kept.ts'
import { announce } from '../parts/toasts.tsx'
import type { ModdedBeatmap } from '../pool/beatmaps.ts'
import { usesOf } from '../pool/slots.ts'
import { poolsCall, poolsCallTagged } from '../pools-api.ts'
import type { Rights } from '../tournament-staff/roles.ts'
import { latest } from './live.ts'
import { readRound, tagged } from './rounds.ts'
import { type RoundCalls, type RoundHead, RoundStore, type TaggedRound } from './round-store.ts'
import { keepUnsaved, unsavedKey } from './unsaved-actions.ts'

/** A round on the page: its lanes, its discussion, and what is known of its beatmaps. */
export class RoundModel extends BoardModel<RoundStore> {
  readonly of = 'round' as const
  readonly slug: string
  readonly id: string
  /** As calls of the site name the round. */
  readonly path: { readonly slug: string; readonly round: string }
  readonly rights: ReadonlySignal<Rights>
  readonly discussion = signal<Discussion>({ candidates: [], remarks: [] })
  /** The slot of which the discussion is open. */
  readonly open = signal<string | null>(null)
  readonly problems = signal({ at: new Map<string | null, { text: string }>() })
  readonly candidates = computed(() => byCell(this.discussion.value.candidates))
  readonly remarks = computed(() => byCell(this.discussion.value.remarks))
  /** The slot of which details and link are typed. */
  readonly planning = signal<string | null>(null)
  /** Candidates and remarks of slots that are no longer in the round, by their cells. */
  readonly leftOver = computed(() => {
    const there = new Set([WHOLE_ROUND, ...this.store.slots.map(slotCell)])
    const cells = [...this.candidates.value.keys(), ...this.remarks.value.keys()]
    return [...new Set(cells)].filter((cell) => !there.has(cell))
  })
  /** The candidates that are shown, as if they were in their slots. */
  readonly proposed = computed(() => ({
    buckets: this.store.buckets,
    slots: [...this.leftOver.value, this.open.value ?? ''].flatMap((cell) =>
      (this.candidates.value.get(cell) ?? []).map(({ mod, index, beatmapId }) => ({
        mod,
        index,
        beatmapId,
      })),
    ),
  }))
  readonly uses = computed((): ModdedBeatmap[] => {
    const { buckets } = this.store
    return [
      ...usesOf({ buckets, slots: this.filled.value }),
      ...usesOf(this.proposed.value),
      ...usesOf({
        buckets,
        slots: this.store.stuck.value.flatMap(({ changes }) => slotsIn(changes)),
      }),
    ]
  })
  /** Whether what is not saved is kept for the next page. */
  readonly keeping: ReadonlySignal<Keeping>
  readonly isFixed = computed(() => !this.rights.value.drafts)

  constructor(slug: string, saved: TaggedRound, rights: RoundModel['rights'], steps?: Steps) {
    const path = { slug, round: saved.round.id }
    const calls: RoundCalls = {
      changeSlots: async (changes) =>
        tagged(await poolsCallTagged('changeSlots', { ...path, body: { changes } })),
      replace: async (input, ifMatch) =>
        tagged(await poolsCallTagged('replaceRound', { ...path, body: input, ifMatch })),
      read: () => readRound(slug, path.round),
      // Also while the page is hidden: what is not saved is to be.
      later,
    }
    const usage = (ids: string) => call('lookUpUsage', { query: { ids, tournament: slug } })
    const typed = new Typed(ownKey('typed', `${slug}:${path.round}`))
    super(new RoundStore(saved, calls, steps), typed, usage)
    this.slug = slug
    this.id = path.round
    this.path = path
    this.rights = rights
    this.keeping = keepUnsaved(this.store, unsavedKey(slug, this.id))
  }

  /** A beatmap, what is planned, where it can be had, or nothing. */
  readonly read = (text: string): Reading<SlotFilling> => {
    const planned = text.trim()
    if (planned === '') return { value: {} }
    const reading = readBeatmap(planned)
    if ('value' in reading) return { value: { beatmapId: reading.value } }
    if (isElsewhere(planned)) {
      return planned.length <= LINK_LENGTH
        ? { value: { link: planned } }
        : { reason: texts.linkTooLong({ most: LINK_LENGTH }) }
    }
    // Who gives a link or a number means a beatmap.
    if (/^\d+$|:\/\/|^\S+\.\S+\//.test(planned)) return reading
    if (planned.length > PLACEHOLDER_LENGTH) {
      return { reason: texts.tooLong({ most: PLACEHOLDER_LENGTH }) }
    }
    return { value: { placeholder: planned } }
  }

  /** Details and link of the slot stay, whatever comes to be in it. */
  readonly fill = (slot: LaneSlot, filling: SlotFilling, seen: string): void => {
    const { beatmapId: _, placeholder: __, ...kept } = fillingOf(slot)
    const before = this.read(seen)
    const from =
      'value' in before && seen !== textOfSlot(slot) ? { ...kept, ...before.value } : slot
    this.#put(slot, from, { ...kept, ...filling })
  }

  /** Adds what is in several lines, if all is clear; empty slots are filled, all others stay as they are. */
  readonly paste = {
    open: async (text: string): Promise<void> => {
      const { buckets, slots } = this.store
      const kept = slots.filter(isFilledOrPlanned)
      const taken = new Set(kept.map(slotCell))
      // A placeholder has its number as a beatmap has.
      const into = kept.map(({ mod, index, beatmapId = 1 }) => ({ mod, index, beatmapId }))
      const source = { kind: 'text', text } as const
      const reader = new ImportReader()
      const reply = await reader.read({ source, into: { name: '', buckets, slots: into } })
      reader.stop()
      if (reply === null) return
      const obstacle = whyNotPasted(reply)
      if (obstacle !== null) return announce(obstacle, 'danger')
      const { round, lines } = (reply.kind === 'read' && reply.read.pools[0]) || {}
      const added = (round?.slots ?? []).filter((slot) => !taken.has(slotCell(slot)))
      const refused = lines?.refused ?? 0
      const isAll = added.every(({ beatmapId }) => beatmapId !== undefined)
      const n = added.length
      this.store.change(isAll ? texts.pasteBeatmaps({ n }) : texts.pasteSlots({ n }), (edit) => {
        // Another person may have filled one meanwhile.
        const full = new Set(edit.slots.filter(isFilledOrPlanned).map(slotCell))
        const fresh = added.filter((slot) => !full.has(slotCell(slot)))
        const filled = new Set(fresh.map(slotCell))
        const rest = edit.slots.filter((slot) => !filled.has(slotCell(slot)))
        return withLayout(edit, {
          buckets: round?.buckets ?? edit.buckets,
          slots: [...rest, ...fresh],
        })
      })
      const done = isAll ? texts.beatmapsAdded({ n }) : texts.slotsAdded({ n })
      if (refused === 0) announce(done)
      else announce(texts.addedExcept({ added: done, refused }), 'danger')
    },
  }

  /** Puts a beatmap into a slot, in place of the one or of the placeholder that is there. */
  put(place: Place, beatmapId: number): void {
    const slot = this.slotAt(slotCell(place))
    if (slot !== undefined) this.fill(slot, { beatmapId }, textOfSlot(slot))
  }

  /** Sets what is known of the beatmap of a slot while it has no id. @param from what was there when typing began. */
  plan(place: Place, from: SlotFilling, to: Pick<SlotFilling, 'details' | 'link'>): void {
    const { details: _, link: __, ...kept } = fillingOf(from)
    this.#put(place, from, { ...kept, ...to })
  }

  slotAt(cell: string): LaneSlot | undefined {
    return this.store.slots.find((each) => slotCell(each) === cell)
  }

  #put(place: Place, from: SlotFilling, to: SlotFilling): void {
    const change = { cell: slotCell(place), from: contentText(from), to: contentText(to) }
    this.store.set(texts.changeSlot({ slot: slotLabel(place) }), change)
  }

  /** @param seen what the field showed when typing began; undefined is none. */
  setField<F extends keyof RoundHead>(name: F, seen: RoundHead[F], value: RoundHead[F]): void {
    const [from = null, to = null] = [seen, value].map((each) =>
      each === undefined ? null : textOf(each),
    )
    this.store.set(changeField({ field: fieldNames[name] }), { cell: fieldCell(name), from, to })
  }

  /** Opens the discussion of a slot or, with null, of the round as a whole; closes it if it is open. */
  toggle(place: Place | null): void {
    const cell = discussionCell(place)
    const isOpen = this.open.value === cell
    this.open.value = isOpen ? null : cell
    if (!isOpen) focusLater(discussionId(cell))
  }

  readonly readDiscussion = latest(async () => {
    this.discussion.value = await poolsCall('getDiscussion', this.path)
  })
  readonly readRound = latest(async () => this.store.merge(await readRound(this.slug, this.id)))

  /** What the site answered to a change of the discussion; null: it is gone. */
  putCandidate(id: string, candidate: Candidate | null): void {
    const { value } = this.discussion
    this.discussion.value = { ...value, candidates: withItem(value.candidates, id, candidate) }
  }

  putRemark(id: string, remark: Remark | null): void {
    const { value } = this.discussion
    this.discussion.value = { ...value, remarks: withItem(value.remarks, id, remark) }
  }
}

export const discussionId = (cell: string, part = 'discussion'): string =>
  `${part}-${cell.replaceAll(' ', '-')}`

/** Of the form of a slot's details and link. */
export const planId = (cell: string): string => discussionId(cell, 'plan')

/** The cell of remarks on the round as a whole. */
export const WHOLE_ROUND = 'round'

export const discussionCell = (place: Place | null): string =>
  place === null ? WHOLE_ROUND : slotCell(place)

/** Why nothing of a text is pasted into a lane, which has no place for questions; null if it can be. */
function whyNotPasted(reply: ImportReply): string | null {
  if (reply.kind === 'refused') return texts.notPasted({ reason: reply.reason })
  if (reply.kind === 'text') return null
  const { pools, questions } = reply.read
  if (pools.length > 1) return texts.notPastedRounds({ n: pools.length })
  return questions.length === 0 ? null : texts.notPastedAmbiguous
}

/** What the field of a slot shows. */
export const textOfSlot = ({ beatmapId, placeholder }: SlotFilling): string =>
  String(beatmapId ?? placeholder ?? '')

export const isFilledOrPlanned = (slot: SlotFilling): boolean => slotContent(slot) !== null

const fillingOf = (slot: SlotFilling): SlotFilling => slotFields.sent(slot)

/** Whether a text is a link to something that is not on the game platform. */
const isElsewhere = (text: string): boolean =>
  isHttpsLink(text) && !/(^|\.)ppy\.sh$/i.test(new URL(text).hostname)

function byCell<T extends { readonly mod?: string | null; readonly index?: number }>(
  all: readonly T[],
) {
  return Map.groupBy(all, ({ mod = null, index }) =>
    discussionCell(index === undefined ? null : { mod, index }),
  )
}

function withItem<T extends { readonly id: string }>(
  all: readonly T[],
  id: string,
  item: T | null,
) {
  const isThere = all.some((each) => each.id === id)
  if (item === null) return all.filter((each) => each.id !== id)
  return isThere ? all.map((each) => (each.id === id ? item : each)) : [...all, item]
}

/** The beatmaps of changes, as slots to look up. */
function slotsIn(changes: readonly Change[]): Slot[] {
  return changes.flatMap(({ cell, from, to }) => {
    if (!cell.startsWith('slot ')) return []
    return [from, to].flatMap((value) => {
      const { beatmapId } = JSON.parse(value ?? '{}') as SlotFilling
      return beatmapId === undefined ? [] : [{ mod: null, index: 1, beatmapId }]
    })
  })
}
