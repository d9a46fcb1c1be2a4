import { NAME_LENGTH, NO_SLOT } from '../contract/bounds.ts'
import { AppError, type SentProblem } from '../contract/errors.ts'
import type { PackInput } from '../contract/packs.ts'
import type {
  RoundInput,
  RoundSlot,
  RoundsInput,
  SlotChanges,
  SlotContent,
} from '../contract/rounds.ts'
import { findInPool, findInSlots, wholePool } from '../pool/checks.ts'
import {
  type InputMessage,
  type InputProblem,
  inputEnglish,
  ofPrograms,
  type Wrong,
  wrong,
} from '../pool/input-words.ts'
import { invalidInput, onWire } from './invalid-input.ts'
import type { PoolDraft } from '../pool/pool.ts'
import {
  draftFields,
  filledSlots,
  roundFields,
  slotFields,
  type SlotFilling,
} from '../pool/round-fields.ts'
import { foldName, placeKey, plainSlot, slotLabel } from '../pool/slots.ts'
import { isolate } from '../pool/text.ts'
import { contentOf } from './packs.ts'
import { listWords } from './reading/accepted.ts'
import { askLikely } from './reading/schema.ts'
import { codeTexts, type PlacedText, refuseSlursIn } from './slurs/slurs.ts'
import type { RoundContent, RoundDraft, TournamentFacts } from './tournaments.ts'

/** A round as it was sent, completed and in canonical form, as packs are. Throws `bad_request` (D-17 to D-24, D-47). */
export function roundContentOf(input: RoundInput): RoundContent {
  refuseSlursIn(textsOf(input))
  refuseProblems(problemsOf(input))
  return completed(input)
}

/** A round of a whole sheet; `id` null: the round of its name, or a new one. */
export type SheetRound = { readonly id: string | null; readonly content: RoundContent }

/** All rounds as they were sent, in order. Throws `bad_request`, also for a name or an id that is there twice. */
export function sheetOf({ rounds }: RoundsInput): SheetRound[] {
  refuseSlursIn(rounds.flatMap((round, at) => within(textsOf(round), `rounds[${at}]`)))
  const names = rounds.map(({ name }) => foldName(name))
  const ids = rounds.map(({ id }) => id)
  refuseProblems([
    ...rounds.flatMap((round, at) => within(problemsOf(round), `rounds[${at}]`)),
    ...repeated(names, 'name', (first) => nameTaken(rounds[first]!.name, `rounds[${first}]`)),
    ...repeated(ids, 'id', (first) =>
      ofPrograms(`is that of rounds[${first}]: leave it out for a new round`),
    ),
  ])
  return rounds.map((round) => ({ id: round.id ?? null, content: completed(round) }))
}

const within = <P extends { readonly place: string }>(found: readonly P[], place: string): P[] =>
  found.map((each) => ({ ...each, place: `${place}.${each.place}` }))

function repeated(
  values: readonly (string | undefined)[],
  field: 'name' | 'id',
  wrongOf: (first: number) => Wrong,
): InputProblem[] {
  return values.flatMap((value, at) => {
    const first = values.indexOf(value)
    const isRepeated = value !== undefined && first !== at
    return isRepeated ? [{ place: `rounds[${at}].${field}`, ...wrongOf(first) }] : []
  })
}

/** What is wrong with a name that another round has, in any case. @param where the round that has it. */
export const nameTaken = (name: string, where: string): Wrong => ({
  what: wrong('roundNameTaken', { name: isolate(name.trim()), where }),
})

/**
 * Throws `bad_request` for keys among the targets of a tournament whose ruleset has none. Those that a round has
 * already may stay: the ruleset may change later (D-114), and what is sent back as it was read must not be refused (D-17).
 */
export function refuseNewKeys(
  { ruleset }: Pick<TournamentFacts, 'ruleset'>,
  before: RoundDraft | null,
  { targets }: RoundContent,
  place = '',
): void {
  const keys = targets?.keys
  if (ruleset === 'mania' || keys === undefined) return
  if (JSON.stringify(keys) === JSON.stringify(before?.targets?.keys)) return
  const played = { mania: { message: wrong('mania') }, ruleset: { message: wrong(ruleset) } }
  throw invalidInput([{ place: `${place}targets.keys`, what: wrong('keysOfMania', played) }])
}

/** A change of a slot: what it holds before and after; undefined is a slot that is not there (D-79). */
export type SlotChange = Pick<RoundSlot, 'mod' | 'index'> & {
  readonly from: SlotFilling | undefined
  readonly to: SlotFilling | undefined
}

/** Changes of slots as they were sent. Throws `bad_request` for what holds for no round, a slot that is there twice for example. */
export function slotChangesOf({ changes }: SlotChanges): SlotChange[] {
  const read = changes.map(({ mod, index, from, to }): SlotChange => ({
    mod,
    index,
    from: fillingOf(from),
    to: fillingOf(to),
  }))
  const after = read.map(({ mod, index, to }): RoundSlot => ({ ...to, mod, index }))
  // The code of a slot that is there was stored under older rules perhaps (D-47).
  const added = after.map((slot, at) =>
    read[at]?.from === undefined ? slot : { ...slot, mod: null },
  )
  const texts = [
    ...codeTexts({ slots: standIns(added) }),
    ...after.flatMap((slot, at) => within(slotFields.texts(slot), `slots[${at}].to`)),
  ]
  refuseSlursIn(texts.map((text) => ({ ...text, place: ofChange(text.place) })))
  refuseProblems(
    [
      ...findInSlots({ slots: standIns(after) }, 0),
      ...changes.flatMap(({ from, to }, at) => [
        // Its texts were stored under older rules perhaps (D-47): whether they are there is seen later.
        ...within(shapeProblems(from), `slots[${at}].from`),
        ...within([...shapeProblems(to), ...textProblems(to)], `slots[${at}].to`),
      ]),
    ].map(problemOfChange),
  )
  return read.map(({ from, to, ...place }) => ({
    ...place,
    from: from && completedFilling(from),
    to: to && completedFilling(to),
  }))
}

const fillingOf = (content: SlotContent): SlotFilling | undefined =>
  content === NO_SLOT ? undefined : { ...content }

function textProblems(content: SlotContent): InputProblem[] {
  return content === null || content === NO_SLOT ? [] : slotFields.find(withOneOf(content))
}

function shapeProblems(content: SlotContent): InputProblem[] {
  if (content === null || content === NO_SLOT) return []
  if (Object.keys(slotFields.sent(content)).length > 0) return bothProblems(content)
  // A misspelt field would empty the slot.
  const question = askLikely(slotFields.names, Object.keys(content))
  const remedy = `must have ${slotFields.names.join(' or ')}; send null for a slot that is empty`
  return [{ place: '', ...ofPrograms(`${remedy}${question}`) }]
}

const problemOfChange = ({ place, what, inApi }: InputProblem): InputProblem => ({
  place: ofChange(place),
  // Other places that it names.
  what: ofChange(what) as InputMessage,
  ...(inApi !== undefined && { inApi: ofChange(inApi) }),
})

const ofChange = (text: string): string =>
  text.replaceAll(/\bslots\[/g, 'changes[').replace(/\.$/, '')

/**
 * The draft after these changes, all of them. A slot that is added comes at the end, with its bucket.
 * Throws `conflict`: with `slots` when some are not as in `from` (D-62, D-79), else when the draft would not be valid.
 */
export function changedSlots(
  draft: RoundDraft,
  changes: readonly SlotChange[],
): Pick<RoundContent, 'slots' | 'buckets'> {
  const slots = new Map(draft.slots.map((slot) => [placeKey(slot), slot]))
  refuseUnknownSlurs(draft, changes)
  refuseOutdated(changes.map((change) => ({ change, current: slots.get(placeKey(change)) })))
  for (const { mod, index, to } of changes) {
    const key = placeKey({ mod, index })
    if (to === undefined) slots.delete(key)
    else slots.set(key, { mod, index, ...to })
  }
  const changed = { ...draft, slots: [...slots.values()] }
  const [problem] = findInSlots(poolOf(changed), 0)
  if (problem !== undefined) {
    const message = `${problem.place} of the round ${inputEnglish(problem)}`
    throw new AppError('conflict:invalid_pool', message, null, { problems: onWire([problem]) })
  }
  return completedPool(changed)
}

/** A refusal names the slot that is not there, and must not repeat a slur (D-24). */
function refuseUnknownSlurs({ slots }: RoundDraft, changes: readonly SlotChange[]): void {
  const known = new Set(slots.map(({ mod }) => mod))
  const texts = changes.map(({ mod }, at) => ({ place: `changes[${at}].mod`, text: mod ?? '' }))
  refuseSlursIn(texts.filter((_, at) => !known.has(changes[at]?.mod ?? null)))
}

type SeenSlot = { readonly change: SlotChange; readonly current: RoundSlot | undefined }
/** Throws `conflict` when a slot is not as in `from` (D-62). */
function refuseOutdated(seen: readonly SeenSlot[]): void {
  const different = seen.filter(({ change: { from }, current }) =>
    from === undefined || current === undefined
      ? from !== current
      : !slotFields.isSame(current, from),
  )
  if (different.length === 0) return
  const slots = different.flatMap(({ current }) => current ?? [])
  const missing = labelsOf(different.filter(({ current }) => current === undefined))
  const changed = labelsOf(different.filter(({ current }) => current !== undefined))
  const causes = [
    ...(missing === '' ? [] : [`there is no ${missing} in the round`]),
    ...(changed === '' ? [] : [`${changed} changed meanwhile`]),
  ]
  const remedies = [
    ...(missing === '' ? [] : [`send from as "${NO_SLOT}" to add ${missing}`]),
    ...(changed === '' ? [] : ['slots shows what is there now']),
  ]
  const message = `${causes.join(', and ')}, so nothing was changed; ${remedies.join('; ')}`
  const reason = missing === '' ? 'slot_changed' : 'no_such_slot'
  throw new AppError(`conflict:${reason}`, message, null, { slots })
}

const labelsOf = (seen: readonly SeenSlot[]): string =>
  listed(seen.map(({ change }) => slotLabel(change)))

/** The pack that a release of the draft makes. */
export const packInputOf = (
  { name, shortName }: Pick<TournamentFacts, 'name' | 'shortName'>,
  round: RoundDraft,
): PackInput => ({
  name: round.packName ?? defaultPackName(shortName ?? name, round.name),
  visibility: 'public',
  slots: filledSlots(round.slots),
  ...(round.buckets !== null && { buckets: [...round.buckets] }),
})

/** The name of the round stays whole, as far as there is room; the name of the tournament is cut between characters. */
function defaultPackName(tournament: string, round: string): string {
  const whole = `${tournament} ${round}`
  if (whole.length <= NAME_LENGTH) return whole
  const room = NAME_LENGTH - round.length - '… '.length
  let cut = ''
  for (const { segment } of graphemes.segment(tournament)) {
    if (cut.length + segment.length > room) break
    cut += segment
  }
  return cut === '' ? round : `${cut.trimEnd()}… ${round}`
}

const graphemes = new Intl.Segmenter()

/** Throws `conflict` that names the slots without a beatmap, or why the pack would not be valid (D-63). */
export function assertReleasable(
  facts: Pick<TournamentFacts, 'name' | 'shortName'>,
  round: RoundDraft,
  isIncomplete: boolean,
): void {
  const problem = releaseProblem(facts, round, isIncomplete)
  if (problem === null) return
  const message = `the round cannot be released: ${problem.what}`
  const { problems = [] } = problem
  throw new AppError(`conflict:${problem.reason}`, message, null, { problems })
}

/** What is drafted of a round; of a state that was kept before a field was added, too. */
export const draftOf = (round: RoundDraft): RoundDraft => ({
  name: round.name,
  ...draftFields(round),
  slots: round.slots,
  buckets: round.buckets,
})

/** `what` reads after "it cannot be released:". */
type ReleaseProblem = {
  readonly reason: 'no_slots' | 'no_beatmap' | 'beatmaps_missing' | 'invalid_pool'
  readonly what: string
  /** Of an invalid pool. */
  readonly problems?: readonly SentProblem[] | undefined
}

/**
 * What keeps the draft from being released; null when nothing does.
 *
 * @param isIncomplete slots without a beatmap are released as they are planned (D-78).
 */
export function releaseProblem(
  facts: Pick<TournamentFacts, 'name' | 'shortName'>,
  round: RoundDraft,
  isIncomplete: boolean,
): ReleaseProblem | null {
  if (round.slots.length === 0) return { reason: 'no_slots', what: 'it has no slots' }
  const missing = round.slots.filter(({ beatmapId }) => beatmapId === undefined)
  if (missing.length === round.slots.length && isIncomplete) {
    return { reason: 'no_beatmap', what: 'none of its slots has a beatmap' }
  }
  if (missing.length > 0 && !isIncomplete) {
    const verb = missing.length === 1 ? 'has' : 'have'
    const what = `${listed(missing.map(slotLabel))} ${verb} no beatmap`
    return { reason: 'beatmaps_missing', what }
  }
  try {
    contentOf(packInputOf(facts, round))
    return null
  } catch (error) {
    if (error instanceof AppError) {
      const { problems } = error.details
      return { reason: 'invalid_pool', what: `of its pack, ${error.message}`, problems }
    }
    throw error
  }
}

const MOST_LISTED = 12

function listed(labels: readonly string[]): string {
  const more = labels.length - MOST_LISTED
  if (more > 0) return `${labels.slice(0, MOST_LISTED).join(', ')} and ${more} more`
  return listWords(labels, 'and')
}

/** In the place of a beatmap that is still missing, so that drafts are checked as pools are. */
const PLACEHOLDER_BEATMAP_ID = 1

const standIns = (slots: readonly RoundSlot[]) =>
  slots.map((slot) => plainSlot({ beatmapId: PLACEHOLDER_BEATMAP_ID, ...slot }))

const poolOf = ({
  name,
  buckets,
  slots = [],
}: Pick<RoundContent, 'name'> & {
  readonly buckets?: PoolDraft['buckets']
  readonly slots?: readonly RoundSlot[] | undefined
}): PoolDraft => ({ name, buckets, slots: standIns(slots) })

function textsOf(input: RoundInput): PlacedText[] {
  const { name, buckets, slots = [] } = input
  return [
    { place: 'name', text: name },
    ...roundFields.texts(input),
    ...codeTexts({ buckets, slots: standIns(slots) }),
    ...slots.flatMap((slot, at) => within(slotFields.texts(slot), `slots[${at}]`)),
  ]
}

const problemsOf = (input: RoundInput): InputProblem[] => [
  ...findInPool(poolOf(input), 0),
  ...roundFields.find(input),
  ...(input.slots ?? []).flatMap((slot, at) => within(fillingProblems(slot), `slots[${at}]`)),
]

const fillingProblems = (filling: SlotFilling): InputProblem[] => [
  ...bothProblems(filling),
  ...slotFields.find(withOneOf(filling)),
]

const bothProblems = ({ beatmapId, placeholder }: SlotFilling): InputProblem[] =>
  beatmapId === undefined || placeholder === undefined
    ? []
    : [{ place: 'placeholder', what: wrong('bothFilled') }]

/** Beside a beatmap, a placeholder is refused as such; what is in it does not matter. */
function withOneOf(filling: SlotFilling): SlotFilling {
  if (filling.beatmapId === undefined) return filling
  const { placeholder: _, ...others } = filling
  return others
}

function refuseProblems(problems: readonly InputProblem[]): void {
  if (problems.length > 0) throw invalidInput(problems)
}

const completed = (input: RoundInput): RoundContent => ({
  name: input.name.trim(),
  ...roundFields.stored(input),
  ...completedPool(input),
})

function completedPool(
  input: Parameters<typeof poolOf>[0],
): Pick<RoundContent, 'slots' | 'buckets'> {
  const { buckets } = wholePool(poolOf(input))
  const slots = (input.slots ?? []).map(({ mod, index, ...filling }): RoundSlot => ({
    mod,
    index,
    ...completedFilling(filling),
  }))
  return { slots, buckets }
}

const completedFilling = (filling: SlotFilling): SlotFilling =>
  slotFields.sent(slotFields.stored(filling))
