import type { RoundSlot } from '../../../contract/rounds.ts'
import { filledSlots } from '../../../pool/round-fields.ts'
import { type LinkDifference, linkName, type SheetDifference } from '../../../pool/sheet-merge.ts'
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
  readonly links: readonly LinkDifference[]
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
  const parts = plan.rounds.flatMap(({ before, after, found, sheet, links, changes }) => {
    const filled = new Set(filledSlots(sheet).map(placeKey))
    const lines = found
      .filter(isShown)
      .map((each) =>
        before === null
          ? `${plain(slotLabel(each))} → ${screen.paint.added(plain(contentWords(each.to)))}`
          : differenceText(each, filled, options.has('remove-missing'), screen.paint),
      )
    const others = changes.filter(({ what }) => /^(Bucket|Order of buckets)/.test(what))
    const ofLinks = links.map((each) => linkText(each, options.has('replace-links'), screen.paint))
    const text =
      [...lines, ...ofLinks].map((line) => `${line}\n`).join('') + wordLines(others, screen.paint)
    if (text === '' && before !== null) return []
    return [`${bold(plain(after.name))}${before === null ? '  new' : ''}\n${text}`]
  })
  const gone = plan.removed.map(({ name }) => `${bold(plain(name))}  ${removed('removed')}\n`)
  const unread = plan.unread.map((name) => `${bold(plain(name))}  stays: it ${NOT_READ}\n`)
  return [...parts, ...gone, ...unread].join('\n')
}

const NOT_READ = 'is in the sheet, and was not read'

function linkText(difference: LinkDifference, isReplaced: boolean, paint: Paint): string {
  const { from, to } = difference
  const label = linkName(difference)
  const added = paint.added(plain(to))
  if (from === undefined) return `${label}: ${added}`
  const was = plain(from)
  return isReplaced
    ? `${label}: ${paint.removed(was)} → ${added}`
    : `${label} stays: ${was}; the sheet has ${plain(to)}`
}

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
