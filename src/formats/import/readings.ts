import type { SentFields } from '../../pool/pack-fields.ts'
import type { SentRoundFields } from '../../pool/round-fields.ts'
import type { Bucket } from '../../contract/pools.ts'
import type { PoolDraft } from '../../pool/pool.ts'
import type { UnreadPlace } from '../../pool/sheet-merge.ts'
import type { RoundSlot } from '../../contract/rounds.ts'
import type { Label } from './words/labels.ts'
import type { FoundLink } from './words/links.ts'
import { type ImportMessage, say } from './import-message.ts'
import type { Planned } from './words/planned.ts'

/** Longer lines are prose. */
export const LONGEST_LINE = 700

/** What one line, row or value says by itself. */
export type Reading =
  | { readonly kind: 'skipped'; readonly note?: ImportMessage }
  | RefusedReading
  /** It names the place of what comes below it. */
  | HeadingReading
  | SlotReading
  | AskedReading

export type HeadingReading = {
  readonly kind: 'heading'
  readonly label: Label
  /** It may as well be about something else, and needs no beatmap. */
  readonly isSoft?: boolean
  /** It is the only filled cell of a row, which makes an empty slot unless a beatmap follows. */
  readonly isRow?: boolean
}

export type RefusedReading = {
  readonly kind: 'refused'
  readonly reason: ImportMessage
  /** It may be a heading that was not understood, which ends the one above. */
  readonly endsHeading?: boolean
  /** It has nothing that can be a slot: nothing is lost by it. */
  readonly isProse?: boolean
  /** It is an item of a list or table: what follows in the bucket does not get its number. */
  readonly isItem?: boolean
  /** Its links, if none is of a beatmap: as prose they are left out, with one message for all. */
  readonly links?: readonly FoundLink[]
  /** Of the slot of a row that could not be read; its code and number are in two cells. */
  readonly label?: Label
  readonly isSplit?: boolean
  /** What it plans without a beatmap, if its place is known: then it is not refused (D-77). */
  readonly plan?: Plan
}

/** A slot that a line or row plans without a beatmap. */
export type Plan = Pick<SlotReading, 'label' | 'isCell' | 'isSplit' | 'ordinal'> & {
  readonly filling: Planned
  /** Whether what it says shows by itself that a map is meant; else others have to name its bucket. */
  readonly isSure: boolean
  /** Each part of it has a cell or a field of its own: no pack key is among them. */
  readonly isWritten?: boolean
  /** The file keeps a place for it that is in no bucket. */
  readonly isInNone?: boolean
  /** Why a pack refuses it where a round plans it: it says more than that there is no beatmap yet. */
  readonly refusal?: ImportMessage
}

export type SlotReading = {
  readonly kind: 'slot'
  /** null when the text does not say where the beatmap belongs. */
  readonly label: Label | null
  readonly beatmapId: number
  /** Why the label and the beatmap belong together. */
  readonly rule: RuleId
  /** Whether it is a row of a table: sheets write a code once and leave the cells below it empty. */
  readonly isCell?: boolean
  /** The words in front of the beatmap are no slot, but a title below the heading of a bucket. */
  readonly isTitled?: boolean
  /** The number that a list gives the item. */
  readonly ordinal?: number
  /** Its code and number are in two cells, and the code may be merged over the rows below. */
  readonly isSplit?: boolean
  /** What the host should know of how it was read. */
  readonly note?: ImportMessage
  /** What a round says of the map in addition to its id. */
  readonly filling?: Omit<Planned, 'placeholder'>
}

/** Why what reads like a beatmap's id may be none, or that of another one. */
export type Doubt = 'unknown' | 'ruleset' | 'stars'

/** The beatmaps of one question. What is learnt after it was answered makes a question of its own. */
export type DoubtedBeatmaps = { readonly doubt: Doubt; readonly ids: readonly number[] }

/** It can mean several things, and only a person knows which. */
export type AskedReading = {
  readonly kind: 'asked'
  /** Of the question, where it is not numbered. */
  readonly id?: string
  readonly question: ImportMessage
  /** The beatmaps that are doubted, where it is about what was looked up. */
  readonly about?: DoubtedBeatmaps
  /** Lines of the same topic are decided by one answer: their choices correspond by position. */
  readonly topic?: string
  /** Two or three, the likeliest first. */
  readonly choices: readonly Choice[]
}

export type Choice = {
  readonly text: ImportMessage
  readonly reading: Exclude<Reading, AskedReading>
  /** The round that begins with it, if it is chosen. */
  readonly round?: RoundStart
}

/** A line, a row of several lines or a value of a file, and what it says. */
export type Finding = {
  /** Where it begins, counted from 1. */
  readonly line: number
  readonly text: string
  readonly reading: Reading
  /** The round that begins with it, after which no heading of before applies. */
  readonly round?: RoundStart
}

/**
 * The round that a line, a row or a part of a file begins with; `cell`: by a column for it; `usual`: by a heading
 * that is a usual name of rounds; `marked`: by another heading, which may be that of anything; `file`: by the
 * structure of a file, in which two of the same name are two.
 */
export type RoundStart = {
  /** Empty where it has none. */
  readonly name: string
  readonly by: 'cell' | 'usual' | 'marked' | 'file'
  /** What a file says of its pool besides the slots. */
  readonly facts?: PoolFacts
}

export type PoolFacts = {
  readonly buckets?: readonly Bucket[] | null
  readonly fields?: SentFields
  /** Of a round as the API has it. */
  readonly roundFields?: SentRoundFields
}

export const skipped = { kind: 'skipped' } as const satisfies Reading

export const refused = (reason: ImportMessage): RefusedReading => ({ kind: 'refused', reason })

/** A line without a beatmap that plans its slot. */
export const planReading = (
  label: Label | null,
  filling: Planned,
  reason: ImportMessage,
): RefusedReading => ({
  kind: 'refused',
  reason,
  plan: { label, filling, isSure: true },
})

export const slotReading = (label: Label | null, beatmapId: number, rule: RuleId): SlotReading => ({
  kind: 'slot',
  label,
  beatmapId,
  rule,
})

export const asked = (
  question: ImportMessage,
  choices: readonly (readonly [text: ImportMessage, reading: Choice['reading']])[],
  topic?: string,
): AskedReading => ({
  kind: 'asked',
  question,
  choices: choices.map(([text, reading]) => ({ text, reading })),
  ...(topic !== undefined && { topic }),
})

/** Asks whether the numbers of a column are ids, in one question for all; else the row says what it says without them. */
export function askColumn(
  slot: SlotReading,
  other: Choice['reading'],
  name: string,
  column: number,
): AskedReading {
  const choices = [
    [say('noLeaveThem'), other],
    [say('yesSuchAs', { id: slot.beatmapId }), slot],
  ] as const
  const what = `“${name.slice(0, 40).toWellFormed()}”`
  const text =
    name === '' ? say('areIdsInColumn', { column: column + 1 }) : say('areIdsIn', { what })
  return asked(text, choices, `column ${text}`)
}

/** The rules by which a label and a beatmap belong together, each in one sentence. */
export const rules = {
  line: 'The line has one slot and one beatmap.',
  alone: 'The line has one beatmap and no slot.',
  columns: 'The header names the columns of the slot and the beatmap.',
  row: 'The row has one slot and one beatmap.',
  transposed: 'The slot and the beatmap are in the same column.',
  heading: 'The heading above names the bucket, and its beatmaps are in order.',
  merged: 'A cell above names the bucket of this row.',
  block: 'The slot is alone on a line, and its beatmap follows on a line below it.',
  fields: 'The fields of the object name the slot and the beatmap.',
  keyOfList: 'The key above the list names the bucket, and the beatmaps are in its order.',
  pair: 'The slot is the key of the beatmap, or the other way round.',
  numbers: 'The list has beatmap ids without slots.',
  bracket: 'The bracket lists the beatmap with its mods.',
  collection: 'The collection lists the beatmap.',
  packKey: 'The pack key holds the slot.',
  answer: 'You chose this reading.',
} as const

export type RuleId = keyof typeof rules

/** Why lines are refused that several readers refuse. */
export type CommonReason =
  | 'noBeatmap'
  | 'otherLink'
  | 'wholeSet'
  | 'setId'
  | 'severalBeatmaps'
  | 'severalNumbers'
  | 'unnamedColumns'
  | 'tooLarge'
  | 'conflict'
  | 'unclearSlot'

export const reasons: Readonly<Record<CommonReason, ImportMessage>> = {
  noBeatmap: say('noBeatmap'),
  otherLink: say('otherLink'),
  wholeSet: say('wholeSet'),
  setId: say('setId'),
  severalBeatmaps: say('severalBeatmaps'),
  severalNumbers: say('severalNumbers'),
  unnamedColumns: say('unnamedColumns'),
  tooLarge: say('tooLarge'),
  conflict: say('conflict'),
  unclearSlot: say('unclearSlot'),
}

/** More refusals of a kind are counted, not shown: a text of one mistake has it in every line. */
export const MOST_OF_KIND = 20

/** What refusals have in common that differ in labels, numbers and words of the text alone. */
export function kindOfReason(reason: string): string {
  if (reason === lastKind.reason) return lastKind.kind
  const kind = reason
    .replaceAll(/“[^”]{0,300}”|"[^"]{0,300}"|\S*\d\S*/g, '…')
    .replace(/^\S+ (?=would|is not)/, '… ')
  lastKind = { reason, kind }
  return kind
}

/** A text of one mistake has the same reason in each line. */
let lastKind = { reason: '', kind: '' }

export type PlacedLine = { readonly line: number; readonly text: string } & Outcome

export type Outcome =
  | {
      readonly outcome: 'slot'
      readonly mod: string | null
      /** The lowest free number where the line named none. */
      readonly index: number
      readonly beatmapId: number
      readonly rule: RuleId
      readonly note?: string
      /** The question by whose answer it was read. */
      readonly question?: string
    }
  /** A slot of a round that has no beatmap yet; packs leave it out (D-77). */
  | {
      readonly outcome: 'planned'
      readonly mod: string | null
      readonly index: number
      readonly filling: Planned
      /** Why a pack refuses the line, if not only for want of a beatmap. */
      readonly refusal?: string
      readonly question?: string
    }
  /** It can mean several things; `question` is the id of what has to be answered. */
  | { readonly outcome: 'asked'; readonly question: string }
  /** Blank, a comment, a header, prose, what is there already. `question`: it was answered so. */
  | { readonly outcome: 'skipped'; readonly question?: string; readonly note?: string }
  /** `reason` says what is wrong and what to do. */
  | { readonly outcome: 'refused'; readonly reason: string; readonly question?: string }

export type Placed = {
  readonly lines: readonly PlacedLine[]
  /** The draft with all beatmaps that were understood added; unchanged when there are none. */
  readonly draft: PoolDraft
  /** The draft as a round may hold it, with the slots that have no beatmap yet (D-77). */
  readonly round: RoundPool
  readonly packKey: string | null
  /** What lines are about that gave no slot. */
  readonly unread: readonly UnreadPlace[]
}

/** Buckets and slots of a round, with or without beatmaps. */
export type RoundPool = Omit<PoolDraft, 'slots'> & { readonly slots: readonly RoundSlot[] }
