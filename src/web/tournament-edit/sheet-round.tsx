import * as texts from '#texts/round'
import { MAX_ROUNDS, NAME_LENGTH } from '../../contract/bounds.ts'
import type { Bucket } from '../../contract/pools.ts'
import type { Round } from '../../contract/rounds.ts'
import { bucketTable, foldName } from '../../pool/slots.ts'
import { ImportLines } from '../editing/paste/import-lines.tsx'
import type { ImportState } from '../editing/paste/import-state.ts'
import { ImportDoubts } from '../editing/paste/import-view.tsx'
import type { ReadImport, ReadLines, ReadPool } from '../editing/paste/read-source.ts'
import { formatList } from '../format.ts'
import { TextInput } from '../parts/inputs.tsx'
import { PersonText, shownText } from '../parts/labels.tsx'
import { Sentences } from '../parts/sentences.tsx'
import { slotText } from '../pool/slot-words.ts'
import type { WorkspaceProps } from './model.ts'
import { NewFields } from './sheet-fields.tsx'
import { differs, mergeOf, sameText, SheetDifferences, type SheetMerge } from './sheet-merge.tsx'
import type { ShownPart } from './sheet-parts.ts'

/** A part of a sheet: a new round, or the changes of one that is there. */
export type SheetPart = ReturnType<typeof partOf>

export function partOf(
  pasted: ReadPool,
  at: number,
  name: string,
  shown: ShownPart,
  isHost: boolean,
) {
  const { round, decided } = shown
  return {
    at,
    pasted,
    name,
    shown,
    slots: pasted.slots + pasted.planned.length,
    /** Whether it can have no slots, however its questions are answered, and is no whole round. */
    isEmpty: pasted.slots + pasted.planned.length + pasted.open.length === 0 && !pasted.isApiRound,
    /** The round that it is merged with; undefined: a new one. */
    replaces: round,
    merge: round && mergeOf(round, pasted, decided, isHost),
  }
}

/** Whether there is nothing to decide of it, and nothing to read. */
export const isSame = ({ merge, shown, pasted }: SheetPart): boolean =>
  merge !== undefined &&
  !differs(merge) &&
  !shown.isOther &&
  pasted.open.length + pasted.lines.refused === 0

type SameRoundsProps = { readonly same: readonly SheetPart[]; readonly isAll: boolean }

export const SameRounds = ({ same, isAll }: SameRoundsProps) => (
  <p class="quiet-text">
    <Sentences
      of={[
        isAll && texts.nothingToChange,
        texts.roundsMatch({
          n: same.length,
          rounds: (
            <PersonText text={formatList(same.map(({ name, merge }) => sameText(name, merge!)))} />
          ),
        }),
      ]}
    />
  </p>
)

/** Why these parts cannot be saved together; null if they can. */
export function problemOf(taken: readonly SheetPart[], rounds: readonly Round[]): string | null {
  const names = taken.map(({ name }) => foldName(name))
  const repeated = taken.find((_, at) => names.indexOf(names[at]!) !== at)
  if (taken.some(({ name }) => name.trim() === '')) return texts.roundNeedsName
  if (repeated !== undefined) return texts.twoRoundsCalled({ round: shownText(repeated.name) })
  const total = rounds.length + taken.filter(({ replaces }) => replaces === undefined).length
  return total > MAX_ROUNDS ? texts.tooManyRounds({ n: total, most: MAX_ROUNDS }) : null
}

type SheetRoundProps = WorkspaceProps & {
  readonly part: SheetPart
  readonly state: ImportState
  readonly read: ReadImport
  readonly isTaken: boolean
  readonly onDecide: (part: ShownPart) => void
  readonly onName: (name: string) => void
}

export function SheetRound(props: SheetRoundProps) {
  const { workspace, part, state, read, isTaken, onDecide, onName } = props
  const { pasted, name, slots, isEmpty, replaces, merge, shown } = part
  const { lines, open } = pasted
  const { refused } = lines
  return (
    <li class={isTaken ? 'sheet-round' : 'sheet-round left-out'}>
      <div class="sheet-round-head">
        <label class="sheet-take">
          <input
            type="checkbox"
            aria-label={texts.includeRound({ round: shownText(name) })}
            checked={isTaken}
            disabled={isEmpty}
            onChange={({ currentTarget }) => onDecide({ ...shown, isTaken: currentTarget.checked })}
          />
        </label>
        <TextInput
          aria-label={texts.nameOfRound}
          maxLength={NAME_LENGTH}
          value={name}
          onText={onName}
        />
        <span>
          {texts.slotCount({ n: slots })}
          <ImportDoubts open={open.length} refused={refused} />
        </span>
        <span class="quiet-text">
          {replaces === undefined ? texts.newRound : takenText(replaces, merge!)}
        </span>
      </div>
      {shown.isOther && (
        <p class="edit-danger">
          {replaces === undefined ? texts.roundGoneSince : texts.roundAddedSince}
        </p>
      )}
      {merge ? (
        <SheetDifferences workspace={workspace} merge={merge} part={shown} onDecide={onDecide} />
      ) : (
        <NewFields roundFields={pasted.roundFields} isHost={workspace.rights.value.hosts} />
      )}
      <details open={refused > 0 || lines.shown.some((line) => 'question' in line)}>
        <summary>{texts.lineByLine}</summary>
        <SheetLines
          state={state}
          read={read}
          lines={lines}
          buckets={bucketTable(pasted.round.buckets)}
        />
      </details>
    </li>
  )
}

function takenText({ name }: Round, { taken, takenFields }: SheetMerge) {
  const n = taken.length + takenFields.length
  const round = <PersonText text={name} />
  return n === 0 ? texts.changesRound({ round }) : texts.changesRoundSelected({ round, n })
}

type SheetLinesProps = Pick<SheetRoundProps, 'state' | 'read'> & {
  readonly lines: ReadLines
  readonly buckets: readonly Bucket[]
}

export function SheetLines({ state, read, lines, buckets }: SheetLinesProps) {
  return (
    <div class="paste-lines" tabIndex={0} role="region" aria-label={texts.result}>
      <ImportLines
        state={state}
        lines={lines}
        questions={read.questions}
        buckets={buckets}
        planned={slotText}
      />
    </div>
  )
}
