import { useMemo, useState } from 'preact/hooks'
import { MAX_BODY_BYTES, MAX_ROUNDS, NAME_LENGTH } from '../../contract/bounds.ts'
import type { Round } from '../../contract/rounds.ts'
import { type ImportedPool, readImport } from '../../formats/import/read-import.ts'
import { bucketTable, foldCode, isDefaultTable } from '../../pool/buckets.ts'
import { useAction } from '../action.ts'
import { PastedLines } from '../editor/paste/paste-box.tsx'
import { count } from '../format.ts'
import { Button } from '../parts/buttons.tsx'
import { Dialog } from '../parts/dialogs.tsx'
import { PersonText, shownText } from '../parts/labels.tsx'
import { FailureLine } from '../parts/notices.tsx'
import { announce } from '../parts/toasts.tsx'
import type { RoundEntry, WorkspaceProps } from './model.ts'

type SheetProps = WorkspaceProps & { readonly text: string; readonly onClose: () => void }

/** Takes a whole sheet, and shows how it falls into rounds before anything is changed. */
export function SheetDialog({ workspace, text: pasted, onClose }: SheetProps) {
  const [text, setText] = useState(pasted)
  const { rounds } = workspace.tournament
  const read = useMemo(() => readImport(text), [text])
  const [names, setNames] = useState<ReadonlyMap<number, string>>(new Map())
  const [skipped, setSkipped] = useState<ReadonlySet<number>>(new Set())
  const { isBusy, error, run } = useAction()
  const isEmpty = text.trim() === ''
  const parts = read.pools.map((pasted, at) => partOf(pasted, at, names, rounds))
  const taken = parts.filter(({ at, slots }) => !skipped.has(at) && slots > 0)
  const problem = problemOf(taken, rounds)
  const refused = read.others.filter(({ outcome }) => outcome === 'refused')
  const take = (): void =>
    run(async () => {
      await putRounds(workspace, taken)
      const first = workspace.tournament.rounds.find(
        ({ name }) => foldCode(name) === foldCode(taken[0]?.name ?? ''),
      )
      announce(`${count(taken.length, 'round')} taken from the sheet`)
      if (first !== undefined) workspace.choose(first.id)
      onClose()
    })
  return (
    <Dialog
      title="Paste a whole sheet"
      isOpen
      onClose={onClose}
      kind="sheet"
      actions={
        <>
          <Button label="Cancel" onClick={onClose} />
          <Button
            tone="primary"
            busy={isBusy}
            disabled={taken.length === 0 || problem !== null}
            onClick={take}
          >
            Take {taken.length === 0 ? 'rounds' : count(taken.length, 'round')}
          </Button>
        </>
      }
    >
      <label class="sheet-label" for="sheet-text">
        Paste all rounds at once: spreadsheet rows with a column for the round, or a heading before
        each round.
      </label>
      <textarea
        id="sheet-text"
        class="field paste-field"
        rows={isEmpty ? 8 : 5}
        autofocus
        spellcheck={false}
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setNames(new Map())
          setSkipped(new Set())
        }}
      />
      {!isEmpty && (
        <p class="paste-summary" role="status">
          <b>{count(taken.length, 'round')}</b>,{' '}
          {count(
            taken.reduce((sum, { slots }) => sum + slots, 0),
            'slot',
          )}
        </p>
      )}
      {!isEmpty && (
        <ol class="sheet-rounds" role="list">
          {parts.map((part) => (
            <SheetRound
              key={part.at}
              part={part}
              isTaken={!skipped.has(part.at) && part.slots > 0}
              onName={(name) => setNames(new Map([...names, [part.at, name]]))}
              onTake={(isTaken) => {
                const next = new Set(skipped)
                if (isTaken) next.delete(part.at)
                else next.add(part.at)
                setSkipped(next)
              }}
            />
          ))}
        </ol>
      )}
      {refused.length > 0 && (
        <details open>
          <summary class="edit-danger">{count(refused.length, 'line')} in no round</summary>
          <PastedLines lines={refused} buckets={[]} />
        </details>
      )}
      <p class="edit-danger" role="alert">
        {!isEmpty && problem}
      </p>
      <FailureLine error={error}>Your sheet is still in the box.</FailureLine>
    </Dialog>
  )
}

type Part = {
  readonly at: number
  readonly pasted: ImportedPool
  readonly name: string
  readonly slots: number
  readonly refused: number
  /** The round that it replaces. */
  readonly replaces: Round | undefined
}

function partOf(
  pasted: ImportedPool,
  at: number,
  names: ReadonlyMap<number, string>,
  rounds: readonly Round[],
): Part {
  const name = names.get(at) ?? pasted.name ?? 'Round 1'
  return {
    at,
    pasted,
    name,
    slots: pasted.draft.slots.length,
    refused: pasted.lines.filter(({ outcome }) => outcome === 'refused').length,
    replaces: rounds.find((round) => foldCode(round.name.trim()) === foldCode(name.trim())),
  }
}

function problemOf(taken: readonly Part[], rounds: readonly Round[]): string | null {
  const names = taken.map(({ name }) => foldCode(name.trim()))
  const repeated = taken.find((_, at) => names.indexOf(names[at]!) !== at)
  if (taken.some(({ name }) => name.trim() === '')) return 'Each round needs a name.'
  if (repeated !== undefined) return `Two rounds are called ${shownText(repeated.name)}.`
  const total = rounds.length + taken.filter(({ replaces }) => replaces === undefined).length
  return total > MAX_ROUNDS ? `That would be ${total} rounds. The limit is ${MAX_ROUNDS}.` : null
}

type SheetRoundProps = {
  readonly part: Part
  readonly isTaken: boolean
  readonly onName: (name: string) => void
  readonly onTake: (isTaken: boolean) => void
}

function SheetRound({ part, isTaken, onName, onTake }: SheetRoundProps) {
  const { pasted, name, slots, refused, replaces } = part
  return (
    <li class={isTaken ? 'sheet-round' : 'sheet-round left-out'}>
      <div class="sheet-round-head">
        <input
          type="checkbox"
          aria-label={`Take ${shownText(name)}`}
          checked={isTaken}
          disabled={slots === 0}
          onChange={({ currentTarget }) => onTake(currentTarget.checked)}
        />
        <input
          class="field"
          aria-label="Name of the round"
          dir="auto"
          maxLength={NAME_LENGTH}
          value={name}
          onInput={({ currentTarget }) => onName(currentTarget.value)}
        />
        <span>
          {count(slots, 'slot')}
          {refused > 0 && <span class="edit-danger">, {count(refused, 'line')} with problems</span>}
        </span>
        <span class="quiet-text">
          {replaces === undefined ? (
            'New round'
          ) : (
            <>
              Replaces the {count(replaces.slots.length, 'slot')} of{' '}
              <PersonText text={replaces.name} />
            </>
          )}
        </span>
      </div>
      <details open={refused > 0}>
        <summary>Line by line</summary>
        <PastedLines lines={pasted.lines} buckets={bucketTable(pasted.draft.buckets)} />
      </details>
    </li>
  )
}

/** What a round becomes by the sheet: its pool is replaced, all else that is set of it stays. */
function entryOf({ name, pasted, replaces }: Part): RoundEntry {
  const { slots, buckets } = pasted.draft
  const { slots: _, buckets: __, ...facts } = replaces ?? { slots: [], name: name.trim() }
  const table = bucketTable(buckets)
  return {
    ...facts,
    slots: slots.map(({ mod, index, beatmapId }) => ({ mod, index, beatmapId })),
    ...(!isDefaultTable(table) && { buckets: [...table] }),
  }
}

/** One write where its body is small enough; else round by round. */
async function putRounds(
  workspace: WorkspaceProps['workspace'],
  taken: readonly Part[],
): Promise<void> {
  const byId = new Map(taken.flatMap((part) => (part.replaces ? [[part.replaces.id, part]] : [])))
  const added = taken.filter(({ replaces }) => replaces === undefined).map(entryOf)
  const all = (rounds: readonly Round[]): RoundEntry[] => [
    ...rounds.map((round) => {
      const part = byId.get(round.id)
      return part === undefined ? round : entryOf({ ...part, replaces: round })
    }),
    ...added,
  ]
  const size = new TextEncoder().encode(JSON.stringify(all(workspace.tournament.rounds))).length
  if (size < MAX_BODY_BYTES) await workspace.arrange(all)
  else for (const part of taken) await workspace.putEntry(entryOf(part))
}
