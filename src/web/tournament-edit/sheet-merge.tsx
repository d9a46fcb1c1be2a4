import * as texts from '#texts/round'
import { useCallback } from 'preact/hooks'
import { NO_SLOT } from '../../contract/bounds.ts'
import type { DraftDifference } from '../../contract/draft-history.ts'
import type { Bucket } from '../../contract/pools.ts'
import type { Round, SlotContent } from '../../contract/rounds.ts'
import type { Place } from '../../pool/pool.ts'
import { plainRoundSlot } from '../../pool/round-fields.ts'
import {
  type FieldDifference,
  isFieldTakenAtFirst,
  isSettled,
  isTakenAtFirst,
  type SheetDifference,
  sheetDifferences,
  takenFields,
} from '../../pool/sheet-merge.ts'
import { slotText } from '../pool/slot-words.ts'
import { bucketTable, isCustom, isDefaultTable, placeKey, slotLabel } from '../../pool/slots.ts'
import {
  bucketCell,
  type Change,
  contentText,
  fieldCell,
  slotCell,
  textOf,
} from '../editing/changes.ts'
import type { ReadPool } from '../editing/paste/read-source.ts'
import { fieldNames } from '../field-names.ts'
import { formatList, formatSentences } from '../format.ts'
import { useLoad } from '../load.ts'
import { pageData } from '../page-data.ts'
import { Button } from '../parts/buttons.tsx'
import { PersonText, shownText } from '../parts/labels.tsx'
import { poolsCall } from '../pools-api.ts'
import type { WorkspaceProps } from './model.ts'
import type { RoundEntry } from './rounds.ts'
import { fieldsOf, fieldText, noRound } from './sheet-fields.tsx'
import { type ShownPart, type ShownRound, withDecision } from './sheet-parts.ts'

/** What a sheet would change of a round, as the round was shown, and what of it is taken (D-83). */
export type SheetMerge = {
  readonly differences: readonly SheetDifference[]
  readonly taken: readonly SheetDifference[]
  /** Those that the reader may set; of others, whether there are any. */
  readonly fields: readonly FieldDifference[]
  readonly isClosed: boolean
  readonly takenFields: readonly FieldDifference[]
}

export function mergeOf(
  round: Omit<ShownRound, 'id'>,
  { round: sheet, roundFields }: Pick<ReadPool, 'round' | 'roundFields'>,
  decided: ShownPart['decided'],
  isHost: boolean,
): SheetMerge {
  const differences = sheetDifferences(round, sheet)
  const { fields, isClosed } = fieldsOf(round, roundFields, isHost)
  const taken = differences.filter(
    (each) => !isSettled(each.kind) && (decided.get(placeKey(each)) ?? isTakenAtFirst(each)),
  )
  const takenFields = fields.filter((each) => decided.get(each.field) ?? isFieldTakenAtFirst(each))
  return { differences, taken, fields, isClosed, takenFields }
}

/** Whether there is something to decide. */
export const differs = ({ differences, fields }: SheetMerge): boolean =>
  fields.length > 0 || differences.some(({ kind }) => !isSettled(kind))

export const takesAnything = ({ taken, takenFields }: SheetMerge): boolean =>
  taken.length + takenFields.length > 0

/** A step of its own: what others change of the slots is not in its way. */
export const fieldChangesOf = ({ takenFields }: SheetMerge): Change[] =>
  takenFields.map(({ field, from, to }) => ({
    cell: fieldCell(field),
    from: from === undefined ? null : textOf(from),
    to: textOf(to),
  }))

/** As the editor's store makes them: one step of the round, with the buckets that come with the slots. */
export function changesOf(
  { taken }: SheetMerge,
  round: Pick<Round, 'buckets'>,
  buckets: readonly Bucket[],
): Change[] {
  const there = new Set((round.buckets ?? []).map(({ code }) => code))
  const needed = new Set(taken.flatMap(({ mod, to }) => (to === NO_SLOT ? [] : (mod ?? []))))
  const added = buckets.filter(isCustom).filter(({ code }) => !there.has(code) && needed.has(code))
  return [
    ...added.map((bucket) => ({ cell: bucketCell(bucket.code), from: null, to: textOf(bucket) })),
    ...taken.map(({ mod, index, from, to }) => ({
      cell: slotCell({ mod, index }),
      from: valueOf(from),
      to: valueOf(to),
    })),
  ]
}

const valueOf = (content: SlotContent): string | null =>
  content === NO_SLOT ? null : contentText(content ?? {})

/** A round that the sheet has and the tournament has not. */
export function entryOf(
  {
    name,
    pasted,
  }: { readonly name: string; readonly pasted: Pick<ReadPool, 'round' | 'roundFields'> },
  isHost: boolean,
): RoundEntry {
  const { slots, buckets } = pasted.round
  const table = bucketTable(buckets)
  return {
    name: name.trim(),
    slots: slots.map(plainRoundSlot),
    ...(!isDefaultTable(table) && { buckets: [...table] }),
    ...takenFields(fieldsOf(noRound, pasted.roundFields, isHost).fields),
  }
}

type SheetDifferencesProps = WorkspaceProps & {
  readonly merge: SheetMerge
  readonly part: ShownPart
  readonly onDecide: (part: ShownPart) => void
}

/**
 * What differs, to be taken all together or one by one. What the sheet leaves out is removed by a press of its own;
 * what changed while it was shown is taken one by one only.
 */
export function SheetDifferences({ workspace, merge, part, onDecide }: SheetDifferencesProps) {
  const { differences, taken, fields } = merge
  const open = differences.filter(({ kind }) => !isSettled(kind))
  const changed = open.filter((each) => part.changed.has(placeKey(each)))
  const steady = open.filter((each) => !changed.includes(each))
  const added = steady.filter(isTakenAtFirst)
  const missing = steady.filter((each) => !isTakenAtFirst(each))
  const isReplaced = steady.some(({ kind }) => kind === 'changed')
  const nameOf = useChangers(workspace.slug, part.round, isReplaced || changed.length > 0)
  const decide = (which: readonly SheetDifference[], isTaken: boolean): void =>
    onDecide(withDecision(part, which.map(placeKey), isTaken))
  return (
    <div class="sheet-differences">
      <p class="quiet-text">{summaryOf(merge)}</p>
      {merge.isClosed && <p class="quiet-text">{texts.linksOfHosts}</p>}
      {open.length > 1 && (
        <p class="actions">
          {added.length > 0 && (
            <Button tone="quiet" label={texts.selectAll} onClick={() => decide(added, true)} />
          )}
          {missing.length > 0 && (
            <Button
              tone="quiet"
              label={texts.removeMissing({ n: missing.length })}
              onClick={() => decide(missing, true)}
            />
          )}
          <Button tone="quiet" label={texts.selectNone} onClick={() => decide(open, false)} />
        </p>
      )}
      <ul role="list">
        {open.map((each) => (
          <li key={placeKey(each)}>
            <label>
              <input
                type="checkbox"
                checked={taken.includes(each)}
                onChange={({ currentTarget }) => decide([each], currentTarget.checked)}
              />
              <b>{shownText(slotLabel(each))}</b> <span>{kindTexts[each.kind]}</span>{' '}
              <PersonText text={differenceText(each)} />
              {changed.includes(each) ? (
                <Meanwhile by={nameOf(each)} now={each.from} />
              ) : (
                each.kind === 'changed' && <SetBy by={nameOf(each)} />
              )}
            </label>
          </li>
        ))}
        {fields.map((each) => (
          <li key={each.field}>
            <label>
              <input
                type="checkbox"
                checked={merge.takenFields.includes(each)}
                onChange={({ currentTarget }) =>
                  onDecide(withDecision(part, [each.field], currentTarget.checked))
                }
              />
              <b>{fieldNames[each.field]}</b> <span>{kindTexts[each.kind]}</span>{' '}
              <PersonText text={fieldText(each)} />
              {part.changed.has(each.field) && (
                <span class="edit-danger">{texts.linkChangedMeanwhile}</span>
              )}
            </label>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** `2 slots differ. 1 is the same. 7 are not in the sheet. In the sheet, not read: NM3 stays.` */
function summaryOf({ differences }: Pick<SheetMerge, 'differences'>): string {
  const of = (...kinds: readonly SheetDifference['kind'][]): SheetDifference[] =>
    differences.filter(({ kind }) => kinds.includes(kind))
  const [same, missing] = [of('same').length, of('missing').length]
  const kept = listOf(of('kept'))
  const unread = listOf(of('unread'))
  return formatSentences([
    texts.slotsDiffer({ n: of('new', 'changed').length }),
    ...(same > 0 ? [texts.slotsSame({ n: same })] : []),
    ...(kept.n > 0 ? [texts.slotsKeep(kept)] : []),
    ...(missing > 0 ? [texts.slotsMissing({ n: missing })] : []),
    ...(unread.n > 0 ? [texts.slotsUnread(unread)] : []),
  ])
}

const listOf = (slots: readonly Place[]) => ({
  n: slots.length,
  slots: formatList(slots.map(slotLabel)),
})

/** The round, with its slots that keep what is there, although the sheet says less of them. */
export function sameText(round: string, { differences }: Pick<SheetMerge, 'differences'>): string {
  const kept = listOf(differences.filter(({ kind }) => kind === 'kept'))
  return kept.n === 0 ? round : texts.roundKeeps({ round, ...kept })
}

type MeanwhileProps = { readonly by: string | undefined; readonly now: SlotContent }

function Meanwhile({ by, now: there }: MeanwhileProps) {
  const now = <PersonText text={contentWords(there)} />
  return (
    <span class="edit-danger">
      {by === undefined
        ? texts.changedMeanwhile({ now })
        : texts.changedMeanwhileBy({ now, person: <PersonText text={by} /> })}
    </span>
  )
}

/** Whose work the sheet would replace, unless it is the reader's own. */
const SetBy = ({ by }: Pick<MeanwhileProps, 'by'>) =>
  by !== undefined &&
  by !== pageData().viewer?.username && (
    <span class="quiet-text">{texts.setBy({ person: <PersonText text={by} /> })}</span>
  )

/** Who changed a slot of the round last, as far as its history says. */
function useChangers(slug: string, round: Round | undefined, isAsked: boolean) {
  const { id, updatedAt } = round ?? {}
  const load = useCallback(
    async (signal: AbortSignal) => {
      if (id === undefined || !isAsked) return []
      return (await poolsCall('getDraftHistory', { slug, round: id, query: { page: 1 }, signal }))
        .versions
    },
    [slug, id, updatedAt, isAsked],
  )
  const versions = useLoad(load).value ?? []
  return (place: Place): string | undefined => {
    const label = slotLabel(place)
    const isOfSlot = (each: DraftDifference): boolean =>
      ('at' in each && each.at === label) || (each.kind === 'moved' && each.from === label)
    return versions.find(({ changes }) => changes.some(isOfSlot))?.savedBy
  }
}

const kindTexts: Readonly<Record<SheetDifference['kind'], string>> = {
  new: texts.isNew,
  changed: texts.isChanged,
  missing: texts.isMissing,
  same: texts.isSame,
  kept: texts.isKept,
  unread: texts.isUnread,
}

function differenceText({ kind, from, to }: SheetDifference): string {
  if (kind === 'new') return contentWords(to)
  return kind === 'missing' ? contentWords(from) : `${contentWords(from)} → ${contentWords(to)}`
}

const contentWords = (content: SlotContent): string =>
  content === NO_SLOT ? texts.noSlot : slotText(content ?? {})
