import { NO_SLOT } from '../../../contract/bounds.ts'
import type { DraftDifference, SlotDifference } from '../../../contract/draft-history.ts'
import type { Difference } from '../../../contract/history.ts'
import type { Round, RoundSlot, SlotContent } from '../../../contract/rounds.ts'
import type { Tournament, TournamentSummary } from '../../../contract/tournaments.ts'
import { foldName, placeKey, slotLabel, slotsInPoolOrder, wholeTable } from '../../../pool/slots.ts'
import type { DifferenceWords } from '../../../pool/difference-words.ts'
import { englishPlace, englishWords } from '../../../pool/english-differences.ts'
import { compareDrafts, isOfSlot } from '../../../pool/draft-comparison.ts'
import { roundHalfUp } from '../../../pool/played-values.ts'
import type { Pool } from '../../../pool/pool.ts'
import {
  filledSlots,
  plainRoundSlot,
  type RoundField,
  roundFields,
  roundFieldWords,
  slotWords,
} from '../../../pool/round-fields.ts'
import { nearNames } from '../../../pool/near-words.ts'
import { CliError } from '../../program.ts'
import type { KnownSlots } from '../look-up.ts'
import { linesJson } from '../pack-text.ts'
import { type Paint, plain, table } from '../screen.ts'

/** What hosts draft of a round, as files and requests have it. */
export type RoundDraft = Pick<Round, RoundField | 'name' | 'slots' | 'buckets'>

export const draftOf = (round: RoundDraft): RoundDraft => ({
  name: round.name,
  ...roundFields.sent(round),
  slots: round.slots.map(plainRoundSlot),
  ...(round.buckets !== undefined && { buckets: round.buckets }),
})

/** A draft as the JSON that the API takes, a line for each slot and each bucket. */
export const roundJson = (draft: RoundDraft): string => linesJson(draftOf(draft))

export const filledPool = ({ name, slots, buckets }: RoundDraft): Pool => ({
  name,
  slots: filledSlots(slots),
  buckets: buckets ?? null,
})

/** The slots that have no beatmap, in pool order. */
export const openSlots = ({ slots, buckets }: RoundDraft): RoundSlot[] =>
  slotsInPoolOrder({ slots, buckets }).filter(({ beatmapId }) => beatmapId === undefined)

/** What a slot holds, for people. */
export const contentWords = (content: SlotContent): string =>
  content === NO_SLOT ? 'no slot' : slotWords(content ?? {})

/** What changes from one draft of a round to another: names and numbers, buckets, then slots. */
export const compareRounds = (before: RoundDraft, after: RoundDraft): DifferenceWords[] => [
  ...factWords(roundFieldWords(before), roundFieldWords(after)),
  ...compareDrafts(poolOf(before), poolOf(after)).flatMap(draftDifferenceWords),
]

/** With the buckets that it would be saved with. */
const poolOf = ({ name, slots, buckets }: RoundDraft) => ({
  name,
  slots,
  buckets: wholeTable({ buckets, slots }),
})

/** What has changed of a draft, in words: a field of which several things are set may be several lines. */
export function draftDifferenceWords(difference: DraftDifference): DifferenceWords[] {
  if (isOfSlot(difference)) return [slotDifferenceWords(difference)]
  const { kind, from, to } = difference as { kind: string; from?: unknown; to?: unknown }
  return roundFields.names.includes(kind as RoundField)
    ? factWords(roundFieldWords({ [kind]: from }), roundFieldWords({ [kind]: to }))
    : [englishWords(difference as Difference)]
}

/** What was in a slot, and what is; null: the slot was not there, or is not. */
function slotDifferenceWords(difference: SlotDifference): DifferenceWords {
  const { at, before, after } = difference
  return difference.kind === 'moved'
    ? {
        what: String(after?.beatmapId),
        from: englishPlace(difference.from),
        to: englishPlace(difference.to),
      }
    : {
        what: englishPlace(at),
        from: before ? slotWords(before) : null,
        to: after ? slotWords(after) : null,
      }
}

type FactWords = ReturnType<typeof roundFieldWords>

function factWords(was: FactWords, is: FactWords): DifferenceWords[] {
  return [...was.keys()].flatMap((what) => {
    const [from = null, to = null] = [was.get(what), is.get(what)]
    return from === to ? [] : [{ what, from, to }]
  })
}

/** Whether a release is scheduled: `releaseAt` is the time of the last release otherwise. */
export const isScheduled = ({ releaseAt, releasedAt }: Round): boolean =>
  releaseAt !== undefined && releaseAt !== releasedAt

export function stateText(round: Round): string {
  const { releaseAt, releasedAt, packSlug } = round
  const released = packSlug === undefined ? [] : [`released ${releasedAt} as ${packSlug}`]
  const next = isScheduled(round) ? [`to be released ${releaseAt}`] : []
  return [...released, ...next].join(', ') || 'draft'
}

/** @param known what the site knows of its beatmaps. */
export function roundText(round: Round, paint: Paint, known: KnownSlots = new Map()): string {
  const facts = [...roundFieldWords(round)].flatMap(([what, text]) =>
    text === null ? [] : [`${what.toLowerCase()} ${text}`],
  )
  const head = [paint.bold(plain(round.name)), stateText(round)].join('  ')
  const lines = facts.length === 0 ? '' : `${plain(facts.join(', '))}\n`
  return `${head}\n${lines}${slotTable(round, known, paint)}`
}

/** The slots in pool order, with titles and stars if something is known of their beatmaps. */
export function slotTable(round: RoundDraft, known: KnownSlots, paint: Paint): string {
  const isKnown = known.size > 0
  const rows = slotsInPoolOrder<RoundSlot>(round).map((slot) => {
    const { beatmapId } = slot
    const link = beatmapId === undefined ? '' : `https://osu.ppy.sh/b/${beatmapId}`
    const { details, stars = null, noRating = false } = known.get(placeKey(slot)) ?? {}
    // The rating under the mods of a draft is public only where a pack has it, too (D-74).
    const unmodded = details && `★ ${details.stars.toFixed(2)} without mods`
    const title = details && `${details.artist} – ${details.title} [${details.difficulty}]`
    const columns = [
      title ?? '',
      stars === null || noRating ? (unmodded ?? '') : `★ ${roundHalfUp(stars, 2).toFixed(2)}`,
    ]
    return [slotLabel(slot), slotWords(slot), ...(isKnown ? columns : []), link]
  })
  const heads = ['SLOT', 'BEATMAP', ...(isKnown ? ['TITLE', 'STARS'] : []), 'LINK']
  return rows.length === 0 ? 'no slots\n' : table(heads, rows, paint)
}

/** The round of this name, in any case, or of this id. */
export const roundNamed = ({ rounds }: Pick<Tournament, 'rounds'>, word: string): Round =>
  namedIn(rounds, word, 'round', 'the tournament has none that you may see')

/** All of this name, in any case, or else the one of this id. */
export function meantBy<R extends Pick<Round, 'id' | 'name'>>(
  rounds: readonly R[],
  word: string,
): readonly R[] {
  const fold = foldName(word)
  const named = rounds.filter(({ name }) => foldName(name) === fold)
  return named.length > 0 ? named : rounds.filter(({ id }) => id === word)
}

/**
 * The first one of this name, in any case, or the one of this id.
 *
 * @param none says that there are none at all.
 */
export function namedIn<R extends Pick<Round, 'id' | 'name'>>(
  rounds: readonly R[],
  word: string,
  what: string,
  none: string,
): R {
  const [found] = meantBy(rounds, word)
  if (found !== undefined) return found
  const names = rounds.map(({ name }) => name)
  const [near] = nearNames(word, names)
  const all = names.length === 0 ? none : `there are: ${names.join(', ')}`
  const remedy = near === undefined ? all : `did you mean "${near}"?`
  throw new CliError(`there is no ${what} "${word}"; ${remedy}`)
}

export const tournamentPage = (site: string, { slug }: Pick<TournamentSummary, 'slug'>): string =>
  `${site}/t/${slug}`

export function insistOnStaff({ role }: Tournament): void {
  if (role === undefined) throw new CliError('only the staff of a tournament can read its drafts')
}
