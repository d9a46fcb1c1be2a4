import type { RoundSlot } from '../../../contract/rounds.ts'
import { filledSlots, roundFieldWords } from '../../../pool/round-fields.ts'
import {
  type FieldDifference,
  isFieldTakenAtFirst,
  maySetField,
  type SheetDifference,
} from '../../../pool/sheet-merge.ts'
import { placeKey, slotLabel } from '../../../pool/slots.ts'
import { wordLines } from '../pack-text.ts'
import { type Paint, plain } from '../screen.ts'
import type { CliContext } from '../user-command.ts'
import { contentWords } from './round-text.ts'
import type { RoundPlan, SheetPlan } from './save-rounds.ts'

/** A round, and how the sheet differs from its draft. */
export type ImportedRound = RoundPlan & {
  readonly found: readonly SheetDifference[]
  readonly sheet: readonly RoundSlot[]
  readonly fields: readonly FieldDifference[]
}

export type ImportPlan = Omit<SheetPlan, 'rounds'> & {
  readonly rounds: readonly ImportedRound[]
  /** The names of rounds that stay, because they are in the sheet and nothing of them could be read. */
  readonly unread: readonly string[]
}

export const isShown = ({ kind }: SheetDifference): boolean => kind !== 'same'

/** What differs, round by round. */
export function differencesText(plan: ImportPlan, { options, screen }: CliContext): string {
  const { bold, removed } = screen.paint
  const parts = plan.rounds.flatMap(({ before, after, found, sheet, fields, changes }) => {
    const filled = new Set(filledSlots(sheet).map(placeKey))
    const lines = found
      .filter(isShown)
      .map((each) =>
        before === null
          ? `${plain(slotLabel(each))} → ${screen.paint.added(plain(contentWords(each.to)))}`
          : differenceText(each, filled, options.has('remove-missing'), screen.paint),
      )
    const others = changes.filter(({ what }) => /^(Bucket|Order of buckets)/.test(what))
    const ofFields = fields.flatMap((each) => {
      if (!maySetField(each, plan.tournament.role === 'host')) return closedLines(each)
      const isTaken = options.has('replace-links') || isFieldTakenAtFirst(each)
      return fieldLines(each, isTaken, screen.paint)
    })
    const text =
      [...lines, ...ofFields].map((line) => `${line}\n`).join('') + wordLines(others, screen.paint)
    if (text === '' && before !== null) return []
    return [`${bold(plain(after.name))}${before === null ? '  new' : ''}\n${text}`]
  })
  const gone = plan.removed.map(({ name }) => `${bold(plain(name))}  ${removed('removed')}\n`)
  const unread = plan.unread.map((name) => `${bold(plain(name))}  stays: it ${NOT_READ}\n`)
  return [...parts, ...gone, ...unread].join('\n')
}

const NOT_READ = 'is in the sheet, and was not read'

function fieldLines(
  { field, from, to }: FieldDifference,
  isTaken: boolean,
  paint: Paint,
): string[] {
  const before = roundFieldWords({ [field]: from })
  return [...roundFieldWords({ [field]: to })].flatMap(([label, text]) => {
    const was = plain(before.get(label) ?? '')
    const now = plain(text ?? '')
    if (was === now) return []
    if (was === '') return `${label}: ${paint.added(now)}`
    return isTaken
      ? `${label}: ${paint.removed(was)} → ${paint.added(now || 'none')}`
      : `${label} stays: ${was}; the sheet has ${now}`
  })
}

const closedLines = ({ field, to }: FieldDifference): string[] =>
  [...roundFieldWords({ [field]: to })].flatMap(([label, text]) =>
    text === null ? [] : `${label} left out: ${plain(text)}; hosts alone set it`,
  )

function differenceText(
  { kind, from, to, ...place }: SheetDifference,
  filled: ReadonlySet<string>,
  isRemoved: boolean,
  paint: Paint,
): string {
  const label = plain(slotLabel(place))
  const was = paint.removed(plain(contentWords(from)))
  if (kind === 'new') return `${label} added: ${paint.added(plain(contentWords(to)))}`
  if (kind === 'changed') return `${label}: ${was} → ${paint.added(plain(contentWords(to)))}`
  if (kind === 'missing') {
    return isRemoved ? `${label} removed: ${was}` : `${label} stays: it is missing in the sheet`
  }
  if (kind === 'unread') return `${label} stays: it ${NOT_READ}`
  return `${label} kept: the sheet ${filled.has(placeKey(place)) ? 'says less of it' : 'has no beatmap'}`
}
