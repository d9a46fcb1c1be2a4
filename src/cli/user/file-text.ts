import type { ImportedLine, LineCount } from '../../formats/import/read-import.ts'
import { kindOfReason, MOST_OF_KIND } from '../../formats/import/readings.ts'
import type { Pack } from '../../contract/packs.ts'
import { completePool } from '../../pool/checks.ts'
import { sentFields, type SentFields, storedFields, visibilities } from '../../pool/pack-fields.ts'
import { roundFieldWords, type SentRoundFields } from '../../pool/round-fields.ts'
import type { PoolDraft } from '../../pool/pool.ts'
import type { Arguments, CommandOption } from '../program.ts'
import { count, type PackToSave } from './pack-text.ts'
import { shortened } from './questions.ts'

// What the commands that read files say of them, and are told.

const MOST_NAMED = 10

/** What a pack leaves out of a pool, in sentences: slots, and what is set of a round. */
export function leftOutNotes({ draft, leftOut, isApiRound, roundFields }: LeavingOut): string[] {
  // Of other files, these are links, of which a note says so; of a round without beatmaps, no pack is made.
  const own = isApiRound && draft.slots.length > 0 ? roundFields : {}
  const set = [...roundFieldWords(own)].flatMap(([name, value]) => (value ? [name] : []))
  return [
    ...(leftOut.length === 0 ? [] : [`${leftOutText(leftOut)}: left out`]),
    ...(set.length === 0
      ? []
      : [`${draft.name}: ${set.join(', ')} left out: only rounds have that`]),
  ]
}

type LeavingOut = Pick<ReadPool, 'draft'> & {
  readonly leftOut: readonly string[]
  readonly isApiRound: boolean
  readonly roundFields: SentRoundFields
}

export function leftOutText(labels: readonly string[]): string {
  const more = labels.length - MOST_NAMED
  const named = labels.slice(0, MOST_NAMED).join(', ')
  const verb = labels.length === 1 ? 'has' : 'have'
  return `${named}${more > 0 ? ` and ${more} more` : ''} ${verb} no beatmap yet`
}

export function refusals(lines: readonly ImportedLine[]): string[] {
  return lines.flatMap((line) => (line.outcome === 'refused' ? [refusedLine(line)] : []))
}

/** The refusals that are shown, each with its text, 20 of a kind, and how many more there are of each kind. */
export function shownRefusals<T>(refused: readonly T[], textOf: (each: T) => string) {
  const kinds = new Map<string, T[]>()
  for (const each of refused) {
    const kind = kindOfReason(reasonOf(textOf(each)))
    const known = kinds.get(kind)
    if (known === undefined) kinds.set(kind, [each])
    else known.push(each)
  }
  const shown = new Set([...kinds.values()].flatMap((own) => own.slice(0, MOST_OF_KIND)))
  const more = [...kinds.values()]
    .filter(({ length }) => length > MOST_OF_KIND)
    .map((own) => `and ${own.length - MOST_OF_KIND} more like this: ${textOf(own[MOST_OF_KIND]!)}`)
  return { shown: refused.filter((each) => shown.has(each)), more }
}

/** A refusal without the line that it is about. */
function reasonOf(refusal: string): string {
  const end = refusal.lastIndexOf('”: ')
  return end < 0 ? refusal : refusal.slice(end + 3)
}

type RefusedLine = Pick<ImportedLine, 'line' | 'text'> & { readonly reason: string }

export function refusedLine({ line, text, reason }: RefusedLine): string {
  return text === '' ? reason : `line ${line}, ${shortened(text)}: ${reason}`
}

/** What was read of a file, as far as it is counted. */
type ReadFile = {
  readonly lines: LineCount
  readonly pools: readonly { readonly unfit: readonly string[] }[]
  readonly unread?: unknown
}

/** Why nothing of the files may be saved unasked, in a sentence (D-90). */
export function partText(files: readonly ReadFile[], isDry: boolean, ofPacks = false): string {
  const sum = (of: (lines: LineCount) => number): number =>
    files.reduce((total, { lines }) => total + of(lines), 0)
  // What a round plans a pack refuses.
  const unfit = ofPacks ? files.flatMap(({ pools }) => pools.flatMap((pool) => pool.unfit)) : []
  const [read, of] = [sum((lines) => lines.read) - unfit.length, sum((lines) => lines.of)]
  const unread = files.filter((each) => each.unread !== undefined).length
  const rest = unread === 0 ? '' : `, and ${count(unread, 'file')} could not be`
  const saved = isDry ? 'nothing would be saved' : 'nothing was saved'
  const verb = read === 1 ? 'was' : 'were'
  return `${read} of ${count(of, 'line')} ${verb} read${rest}; ${saved}. --accept-partial saves what was read`
}

export const nameOption: CommandOption = {
  name: 'name',
  takes: 'NAME',
  about: 'name of the pack (default: that in the file, or the name of the file)',
}
export const visibilityOption: CommandOption = {
  name: 'visibility',
  takes: 'WHO',
  choices: visibilities,
  about: 'private, unlisted or public (default: that in the file, or unlisted)',
}
export const sheetOption: CommandOption = {
  name: 'sheet',
  takes: 'NAME',
  about: 'tab of a spreadsheet file to read (default: all that are visible)',
}
const kept = 'default: that in the file, or the present one'
/** Of a command that changes a pack, which keeps what its file does not say. */
export const keptOptions: readonly CommandOption[] = [
  { ...nameOption, about: `name of the pack (${kept})` },
  { ...visibilityOption, about: `private, unlisted or public (${kept})` },
]
export const roundOption: CommandOption = {
  name: 'round',
  takes: 'NAME',
  about: 'round or collection to read, if the file has several',
}

/** What a file says of a pack. */
type ReadPool = {
  readonly draft: PoolDraft
  readonly fields: SentFields
  /** Whether the file names it. */
  readonly isNamed: boolean
}

/** The pack to be saved: `options` take precedence over the file, and the file over `before`. */
export function packInput(
  pool: ReadPool,
  options?: Arguments['options'],
  before?: Pack,
): PackToSave {
  const name = options?.get('name') ?? (pool.isNamed ? undefined : before?.name) ?? pool.draft.name
  const visibility = visibilities.find((each) => each === options?.get('visibility'))
  const fields = {
    ...(before && sentFields(before)),
    ...pool.fields,
    ...(visibility && { visibility }),
  }
  return { ...completePool({ ...pool.draft, name }), ...sentFields(storedFields(fields)) }
}
