import * as texts from '#texts/history'
import type { ComponentChildren } from 'preact'
import type { DraftDifference, SlotDifference } from '../../contract/draft-history.ts'
import type { Difference } from '../../contract/history.ts'
import type { Slot } from '../../contract/pools.ts'
import { bucketTable, placeOf, slotLabel } from '../../pool/slots.ts'
import { isOfSlot } from '../../pool/draft-comparison.ts'
import type { SlotFilling } from '../../pool/round-fields.ts'
import { type DifferenceWords, differenceWords } from '../../pool/difference-words.ts'
import { differenceTexts } from '../field-names.ts'
import { PersonText, shownText, VisibilityChip } from '../parts/labels.tsx'
import { type Beatmaps, useBeatmaps } from '../pool/beatmaps.ts'
import { BeatmapWords, Cover, SlotLabel, SlotStars } from '../pool/slot-parts.tsx'
import { slotText } from '../pool/slot-words.ts'
import { type PoolLike, type SlotView, slotViews, usesOf } from '../pool/slots.ts'
import '../style/differences.css'

/** Of packs, or of drafts. */
type AnyDifference = Difference | DraftDifference

/** Differences with the slots that they name, as each of the two states plays them. */
type ShownChange = ReturnType<typeof changeOf>

/** @param after the pool since. */
export function changeOf(differences: readonly AnyDifference[], after: PoolLike) {
  const [old, now]: [Slot[], Slot[]] = [[], []]
  const table = new Map(bucketTable(after.buckets).map((bucket) => [bucket.code, bucket]))
  const put = (into: Slot[], at: string, beatmapId: number | undefined) =>
    beatmapId !== undefined && into.push({ ...placeOf(at), beatmapId })
  for (const each of differences) {
    if (each.kind === 'bucket' && 'at' in each && each.from) table.set(each.at, each.from)
    if (isOfSlot(each)) {
      if (each.kind === 'moved') put(old, each.from, each.after?.beatmapId)
      else put(old, each.at, each.before?.beatmapId)
      put(now, each.at, each.after?.beatmapId)
      continue
    }
    if (each.kind === 'emptied' || each.kind === 'replaced') {
      old.push({ ...placeOf(each.at), beatmapId: each.from })
    }
    if (each.kind === 'filled' || each.kind === 'replaced') {
      now.push({ ...placeOf(each.at), beatmapId: each.to })
    }
    if (each.kind === 'moved') {
      const slot = after.slots.find((one) => slotLabel(one) === each.to)
      if (slot === undefined) continue
      old.push({ ...placeOf(each.from), beatmapId: slot.beatmapId })
      now.push(slot)
    }
  }
  return {
    differences,
    before: { buckets: [...table.values()], slots: old },
    after: { buckets: bucketTable(after.buckets), slots: now },
  }
}

/** Looks up the beatmaps that changes name; of the pack or the tournament as `useBeatmaps`. */
export const useBeatmapsOf = (
  changes: readonly ShownChange[],
  ...scope: [slug?: string, tournament?: string]
) =>
  useBeatmaps(
    changes.flatMap(({ before, after }) => [...usesOf(before), ...usesOf(after)]),
    ...scope,
  )

/** The slots that changes show, with what is known of their beatmaps. */
export const slotsOfChanges = (changes: readonly ShownChange[], { views }: Beatmaps): SlotView[] =>
  changes.flatMap(({ before, after }) => [...slotViews(before, views), ...slotViews(after, views)])

type DifferencesProps = {
  readonly change: ShownChange
  readonly beatmaps: Beatmaps
  /** Otherwise the last of many are folded up. */
  readonly isWhole?: boolean
  /** What changed apart from beatmaps, in words; as of packs by default. Not asked of drafts' slots. */
  readonly wordsOf?: (difference: AnyDifference) => DifferenceWords
  /** Of drafts, whose beatmaps have no page (D-74). */
  readonly isDraft?: boolean
}

const packWords = (difference: AnyDifference): DifferenceWords =>
  differenceWords(difference as Difference, { texts: differenceTexts })

/** How many are shown where more follow. */
const MOST = 8

/** What has changed, a row for each difference: where, what was there before, and what is there after. */
export function Differences(props: DifferencesProps) {
  const { change, beatmaps, isWhole = false, wordsOf = packWords, isDraft = false } = props
  const old = byLabel(slotViews(change.before, beatmaps.views))
  const now = byLabel(slotViews(change.after, beatmaps.views))
  const rows = change.differences.map((each, at) => (
    <tr key={at} class="difference" role="row">
      {rowOf(each, old, now, wordsOf, isDraft)}
    </tr>
  ))
  const shown = isWhole || rows.length <= MOST + 2 ? rows.length : MOST
  if (rows.length === 0) return null
  return (
    <div class="differences">
      <DifferenceTable>{rows.slice(0, shown)}</DifferenceTable>
      {shown < rows.length && (
        <details>
          <summary>{texts.moreChanges({ n: rows.length - shown })}</summary>
          <DifferenceTable>{rows.slice(shown)}</DifferenceTable>
        </details>
      )}
    </div>
  )
}

// The roles are spelt out: browsers drop them for tables that are laid out as grids.
const DifferenceTable = ({ children }: { children: ComponentChildren }) => (
  <table role="table" aria-label={texts.changes}>
    <thead role="rowgroup">
      <tr class="difference-head" role="row">
        {[texts.change, texts.before, texts.after].map((name) => (
          <th key={name} scope="col" role="columnheader">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody role="rowgroup">{children}</tbody>
  </table>
)

type ByLabel = ReadonlyMap<string, SlotView>

const byLabel = (slots: readonly SlotView[]): ByLabel =>
  new Map(slots.map((slot) => [slot.label, slot]))

function rowOf(
  difference: AnyDifference,
  old: ByLabel,
  now: ByLabel,
  wordsOf: NonNullable<DifferencesProps['wordsOf']>,
  isDraft: boolean,
) {
  switch (difference.kind) {
    case 'moved':
      return movedRow(old.get(difference.from), now.get(difference.to), isDraft)
    case 'filled':
    case 'emptied':
    case 'replaced':
      if (isOfSlot(difference)) break
      return beatmapRow(old.get(difference.at), now.get(difference.at))
    case 'visibility':
      return row(
        wordsOf(difference).what,
        <VisibilityChip visibility={difference.from} />,
        <VisibilityChip visibility={difference.to} />,
      )
    case 'description': {
      const { from = null, to = null } = difference
      return row(wordsOf(difference).what, textOf(from), textOf(to))
    }
    default: {
      if (isOfSlot(difference)) break
      const { what, from, to } = wordsOf(difference)
      return row(<PersonText text={what} />, textOf(from), textOf(to))
    }
  }
  return slotRow(difference, old.get(difference.at), now.get(difference.at))
}

const beatmapRow = (old: SlotView | undefined, now: SlotView | undefined) =>
  row(
    withKind(<SlotChip slot={now ?? old} />, old, now),
    old ? <SlotBeatmap slot={old} isDraft={false} /> : NOTHING,
    now ? <SlotBeatmap slot={now} isDraft={false} /> : NOTHING,
  )

/** The whole content of a slot of a draft, before and after. */
const slotRow = (
  { at, before, after }: SlotDifference,
  old: SlotView | undefined,
  now: SlotView | undefined,
) =>
  row(
    withKind(old || now ? <SlotChip slot={now ?? old} /> : <PersonText text={at} />, before, after),
    before ? slotSide(before, old) : NOTHING,
    after ? slotSide(after, now) : NOTHING,
  )

/** A slot, and what happened to it. */
const withKind = (slot: ComponentChildren, before: unknown, after: unknown) =>
  (before ? (after ? texts.slotReplaced : texts.slotRemoved) : texts.slotAdded)({ slot, kind })

const kind = (children: ComponentChildren) => <span class="difference-kind">{children}</span>

const NOTHING = (
  <span class="quiet-text">
    <span aria-hidden="true">–</span>
    <span class="sr-only">{texts.nothing}</span>
  </span>
)

function slotSide(filling: SlotFilling, slot: SlotView | undefined) {
  const { beatmapId: _, ...content } = filling
  const isMore = slot === undefined || Object.keys(content).length > 0
  return (
    <>
      {slot && <SlotBeatmap slot={slot} isDraft />}
      {isMore && (
        <span class="quiet-text">
          <PersonText text={slotText(content)} />
        </span>
      )}
    </>
  )
}

/** Its stars before are shown where other mods gave it others. */
const movedRow = (old: SlotView | undefined, now: SlotView | undefined, isDraft: boolean) =>
  row(
    texts.slotMoved({ slot: <SlotChip slot={now} />, kind }),
    <span class="difference-moved">
      <SlotChip slot={old} />
      {old && old.forced.join() !== now?.forced.join() && <SlotStars slot={old} />}
    </span>,
    now && (
      <span class="difference-moved">
        <SlotChip slot={now} /> <SlotBeatmap slot={now} isDraft={isDraft} />
      </span>
    ),
  )

const row = (what: ComponentChildren, from: ComponentChildren, to: ComponentChildren) => (
  <>
    <th class="difference-what" scope="row" role="rowheader">
      {what}
    </th>
    <td class="difference-from" role="cell">
      {side(texts.before, from)}
    </td>
    <td class="difference-to" role="cell">
      {side(texts.after, to)}
    </td>
  </>
)

/** On a phone, where there are no columns, each side says which one it is. */
const side = (name: string, content: ComponentChildren) => [
  <span class="difference-side" aria-hidden="true">
    {name}
  </span>,
  <div class="difference-content">{content}</div>,
]

const SlotChip = ({ slot }: { slot: SlotView | undefined }) => slot && <SlotLabel slot={slot} />

const SlotBeatmap = ({ slot, isDraft }: { slot: SlotView; isDraft: boolean }) => (
  <span class="difference-beatmap">
    <span aria-hidden="true">
      <Cover beatmap={slot.beatmap} />
    </span>
    <BeatmapWords id={slot.slot.beatmapId} beatmap={slot.beatmap} isDraft={isDraft} />
    <span class="difference-stars">
      <SlotStars slot={slot} />
    </span>
  </span>
)

const textOf = (text: string | null) =>
  text === null ? (
    <span class="quiet-text">{texts.noText}</span>
  ) : (
    <span class="difference-text" dir="auto">
      {shownText(text)}
    </span>
  )
