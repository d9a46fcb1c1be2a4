import * as words from '#texts/common'
import * as texts from '#texts/pool-page'
import type { BeatmapDetails } from '../../contract/beatmaps.ts'
import { refereeLines } from '../../formats/lists.ts'
import { playedBpm, playedDifficulty, playedLength } from '../../pool/played-values.ts'
import { formatBpm, formatDifficulty, formatLength } from '../format.ts'
import { useCopy } from '../parts/copying.tsx'
import { Icon } from '../parts/icons.tsx'
import type { BeatmapView } from './beatmaps.ts'
import {
  BeatmapWords,
  BucketChip,
  bucketMeaning,
  Cover,
  isLongCode,
  SlotLabel,
  SlotStars,
} from './slot-parts.tsx'
import { bucketId, type BucketView, slotRowId, type SlotView } from './slots.ts'
import '../style/slot-table.css'

const numbers = [
  ['length', words.length],
  ['bpm', words.bpm],
  ['cs', 'CS'],
  ['ar', 'AR'],
  ['od', 'OD'],
  ['hp', 'HP'],
] as const
const columns = [
  texts.slot,
  texts.cover,
  texts.beatmap,
  words.stars,
  ...numbers.map(([, name]) => name),
  texts.copyColumn,
]

/** The names of the columns, once above all tables; each table has its own for screen readers. */
export const SlotTableHead = () => (
  <div class="slot-row slot-head" aria-hidden="true">
    <span class="slot-label">{texts.slot}</span>
    <span class="slot-words">{texts.beatmap}</span>
    <span class="slot-stars">{words.stars}</span>
    {numbers.map(([name, heading]) => (
      <span key={name} class={`slot-number slot-${name}`}>
        {heading}
      </span>
    ))}
    <span class="slot-copies" data-paper="ID">
      {texts.copyColumn}
    </span>
  </div>
)

type BucketSectionProps = BucketView & { readonly part?: string | undefined }

/** A bucket with its table; where a page shows several pools, `part` precedes the ids of each: `r1-title`. */
export function BucketSection({ bucket, slots, part = '' }: BucketSectionProps) {
  const titleId = part + bucketId(bucket)
  const names = part === '' ? titleId : [`${part}title`, titleId].join(' ')
  const isLong = isLongCode(bucket?.code ?? '')
  return (
    <section class="bucket" aria-labelledby={names}>
      <h3 id={titleId} class="bucket-title" tabIndex={-1}>
        {bucket && <BucketChip bucket={bucket} />}
        <span class="bucket-meaning">{bucketMeaning(bucket)}</span>
        <span class="bucket-count">{words.mapCount({ n: slots.length })}</span>
      </h3>
      <table class={isLong ? 'slots long-codes' : 'slots'} role="table" aria-labelledby={names}>
        <thead class="sr-only" role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column} scope="col" role="columnheader">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {slots.map((slot) => (
            <SlotRow key={slot.label} slot={slot} part={part} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

// The roles are spelt out: browsers drop them for tables that are laid out as grids.

type SlotRowProps = { readonly slot: SlotView; readonly part: string }

const SlotRow = ({ slot, part }: SlotRowProps) => (
  <tr id={part + slotRowId(slot)} class={`slot-row ${slot.beatmap.state}`} role="row" tabIndex={-1}>
    <th class="slot-label" scope="row" role="rowheader">
      <SlotLabel slot={slot} />
    </th>
    <td class="slot-cover" role="cell" aria-hidden="true">
      <Cover beatmap={slot.beatmap} />
    </td>
    <td class="slot-words" role="cell">
      <BeatmapWords id={slot.slot.beatmapId} beatmap={slot.beatmap} />
    </td>
    <td class="slot-stars" role="cell">
      <SlotStars slot={slot} />
    </td>
    <Numbers slot={slot} />
    <td class="slot-copies" role="cell" data-paper={slot.slot.beatmapId}>
      <SmallCopy
        label="ID"
        name={texts.copyId({ slot: slot.label })}
        copied={texts.idCopied({ slot: slot.label })}
        text={String(slot.slot.beatmapId)}
      />
      <SmallCopy
        label="!mp"
        name={texts.copyReferee({ slot: slot.label })}
        copied={texts.refereeCopied({ slot: slot.label })}
        text={slotRefereeLines(slot)}
      />
    </td>
  </tr>
)

function Numbers({ slot: { beatmap, forced } }: { slot: SlotView }) {
  const played = beatmap.state === 'known' ? textsOf(beatmap.details, forced) : null
  const plain = beatmap.state === 'known' ? textsOf(beatmap.details, []) : null
  return (
    <>
      {numbers.map(([name, heading]) => {
        const text = played?.[name] ?? null
        const unmodded = plain?.[name] ?? null
        const title =
          unmodded === null || unmodded === text
            ? undefined
            : texts.withoutMods({ value: unmodded })
        return (
          <td key={name} class={`slot-number slot-${name}`} role="cell" title={title}>
            {text !== null && name !== 'length' && <span class="slot-unit">{heading}</span>}
            {text ?? <Missing name={name} heading={heading} state={beatmap.state} />}
            {text !== null && name === 'length' && (
              <span class="slot-unit after"> {words.minutesUnit}</span>
            )}
          </td>
        )
      })}
    </>
  )
}

/** null for what the platform does not have. */
function textsOf(details: BeatmapDetails, mods: SlotView['forced']) {
  const bpm = playedBpm(details, mods)
  const difficulty = playedDifficulty(details, mods)
  return {
    length: formatLength(playedLength(details, mods)),
    bpm: bpm === null ? null : formatBpm(bpm),
    cs: formatDifficulty(difficulty.circleSize),
    ar: formatDifficulty(difficulty.approachRate),
    od: formatDifficulty(difficulty.overallDifficulty),
    hp: formatDifficulty(difficulty.healthDrain),
  }
}

type MissingProps = { name: string; heading: string; state: BeatmapView['state'] }

function Missing({ name, heading, state }: MissingProps) {
  if (state === 'pending') return <span class="blank" />
  const unknown = name === 'length' ? texts.lengthUnknown : texts.valueUnknown({ value: heading })
  const reason = state === 'gone' ? texts.valueNotFound({ value: heading }) : unknown
  return (
    <span class="slot-missing" title={reason}>
      <span aria-hidden="true">–</span>
      <span class="sr-only">{reason}</span>
    </span>
  )
}

type SmallCopyProps = {
  readonly text: string
  readonly label: string
  /** Begins with the label, so that voice control finds it: `ID: copy ID of NM1`. */
  readonly name: string
  readonly copied: string
}

function SmallCopy({ text, label, name, copied }: SmallCopyProps) {
  const { isDone, copy } = useCopy({ text, copied, remedy: texts.copyTextByHand({ text }) })
  return (
    <button
      type="button"
      class="small-copy"
      title={texts.copyText({ text })}
      aria-label={name}
      onClick={copy}
    >
      {label}
      <Icon name={isDone ? 'check' : 'copy'} />
    </button>
  )
}

/** What a referee sends for a slot: a comment with its name, its beatmap, then its mods. */
export function slotRefereeLines({ slot, bucket, beatmap }: SlotView): string {
  const known = beatmap.state === 'known' ? [[slot.beatmapId, beatmap.details] as const] : []
  const pool = { name: '', buckets: bucket && [bucket], slots: [slot] }
  return refereeLines(pool, new Map(known)).trimEnd()
}
