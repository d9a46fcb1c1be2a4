import * as words from '#texts/common'
import * as texts from '#texts/round'
import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useLayoutEffect, useState } from 'preact/hooks'
import { MAX_BODY_BYTES } from '../../contract/bounds.ts'
import type { CustomBucket } from '../../contract/pools.ts'
import type { Round } from '../../contract/rounds.ts'
import { foldCode, foldName } from '../../pool/slots.ts'
import { useAction } from '../action.ts'
import { countAll, ImportState, openQuestions } from '../editing/paste/import-state.ts'
import {
  FileButton,
  ImportNotes,
  ImportObstacle,
  ImportSource,
  ImportSummary,
  NewBuckets,
  TAKE_ID,
} from '../editing/paste/import-view.tsx'
import { Button } from '../parts/buttons.tsx'
import { Dialog } from '../parts/dialogs.tsx'
import { FailureLine } from '../parts/notices.tsx'
import { announce } from '../parts/toasts.tsx'
import { orLeave } from '../tournament-staff/roles.ts'
import type { WorkspaceProps } from './model.ts'
import type { RoundEntry } from './rounds.ts'
import { changesOf, entryOf, fieldChangesOf, takesAnything } from './sheet-merge.tsx'
import {
  isSame,
  partOf,
  problemOf,
  SameRounds,
  SheetLines,
  type SheetPart,
  SheetRound,
} from './sheet-round.tsx'
import { useShownParts } from './sheet-parts.ts'

type SheetProps = WorkspaceProps & { readonly text: string; readonly onClose: () => void }

/** Takes a whole sheet, and shows how it falls into rounds before anything is changed. */
export function SheetDialog({ workspace, text: pasted, onClose }: SheetProps) {
  const typed = workspace.typed.text('sheet')
  const state = useImport(pasted, typed, workspace.slug)
  const { rounds } = workspace.tournament
  const isHost = workspace.rights.value.hosts
  const read = state.read.value
  const [names, setNames] = useState<ReadonlyMap<number, string>>(new Map())
  const shown = useShownParts()
  const { isBusy, error, run } = useAction(orLeave(workspace.tournament))
  const obstacleId = useId()
  const parts = (read?.pools ?? []).map((pasted, at) => {
    const name = names.get(at) ?? pasted.name ?? texts.firstRound
    const there = rounds.find((round) => foldName(round.name) === foldName(name))
    const part = shown.see(at, name, there && workspace.opened.asShown(there))
    return partOf(pasted, at, name, part, isHost)
  })
  const filled = parts.filter(({ isEmpty }) => !isEmpty)
  const taken = filled.filter(({ shown }) => shown.isTaken)
  const same = parts.filter(isSame)
  const problem = problemOf(taken, rounds)
  // Those of which something is taken; a new round comes whole.
  const changing = taken.filter(({ merge }) => merge === undefined || takesAnything(merge))
  const pools = taken.map(({ pasted }) => pasted)
  const open = read === null ? 0 : openQuestions(read, pools)
  const lines = countAll(read === null ? [] : [...pools.map((pool) => pool.lines), read.others])
  // What is shown of the last text is not taken for this one.
  const isRead = !state.isBehind.value && state.looking.value === 0
  const isReady =
    changing.length > 0 && open === 0 && problem === null && isRead && state.isPartTaken(lines)
  const summary = {
    rounds: filled.length,
    slots: taken.reduce((sum, { slots }) => sum + slots, 0),
    b: (children: ComponentChildren) => <b>{children}</b>,
  }
  const restart = (): void => {
    setNames(new Map())
    shown.clear()
  }
  const take = (): void =>
    run(async () => {
      await takeSheet(workspace, changing)
      const first = workspace.tournament.rounds.find(
        ({ name }) => foldName(name) === foldName(changing[0]?.name ?? ''),
      )
      const isAdded = changing.every(({ replaces }) => replaces === undefined)
      const done = isAdded ? texts.roundsAdded : texts.roundsUpdated
      announce(done({ n: changing.length }))
      typed.value = ''
      if (first !== undefined) workspace.choose(first.id)
      onClose()
    })
  // A press is remembered until all is read and looked up, unless something is changed or decided meanwhile.
  const [due, setDue] = useState<object | null>(null)
  useEffect(() => void (due !== null && isReady && take()), [due])
  return (
    <Dialog
      title={texts.pasteWholeSheet}
      isOpen
      onClose={onClose}
      kind="sheet"
      actions={
        <>
          <ImportObstacle state={state} open={open} lines={lines} id={obstacleId} />
          <FileButton
            onOpen={(file) => {
              restart()
              void state.open(file)
            }}
          />
          <Button
            label={words.cancel}
            onClick={() => {
              typed.value = ''
              onClose()
            }}
          />
          <Button
            id={TAKE_ID}
            tone="primary"
            busy={isBusy}
            // It keeps the focus while beatmaps are looked up.
            aria-disabled={!isReady}
            aria-describedby={obstacleId}
            onClick={() => void state.whenRead().then((all) => all && setDue({}))}
          >
            {takeText(changing)}
          </Button>
        </>
      }
    >
      <label class="sheet-label" for="sheet-text">
        {texts.pasteHow}
      </label>
      <ImportSource state={state} id="sheet-text" rows={5} autofocus onType={restart} />
      <ImportSummary state={state} lines={lines}>
        {taken.length < filled.length
          ? texts.sheetSummaryOfTaken({ ...summary, taken: taken.length })
          : texts.sheetSummary(summary)}
      </ImportSummary>
      {read !== null && (
        <>
          <ImportNotes state={state} read={read} />
          <NewBuckets state={state} buckets={newBuckets(taken)} />
          {same.length > 0 && <SameRounds same={same} isAll={same.length === parts.length} />}
          <ol class="sheet-rounds" role="list">
            {parts
              .filter((part) => !same.includes(part))
              .map((part) => (
                <SheetRound
                  key={part.at}
                  part={part}
                  state={state}
                  read={read}
                  isTaken={taken.includes(part)}
                  workspace={workspace}
                  onDecide={(made) => shown.decide(part.at, part.name, made)}
                  onName={(name) => setNames(new Map([...names, [part.at, name]]))}
                />
              ))}
          </ol>
          {read.others.refused > 0 && (
            <details open>
              <summary class="edit-danger">
                {texts.linesInNoRound({ n: read.others.refused })}
              </summary>
              <SheetLines state={state} read={read} lines={read.others} buckets={[]} />
            </details>
          )}
        </>
      )}
      <p class="edit-danger" role="alert">
        {taken.length > 0 && problem}
      </p>
      <FailureLine error={error}>{texts.sheetKept}</FailureLine>
    </Dialog>
  )
}

/** New rounds are added; others are changed. */
function takeText(taken: readonly SheetPart[]): string {
  if (taken.some(({ replaces }) => replaces !== undefined)) return texts.applyChanges
  return texts.addRounds({ n: taken.length })
}

/** Reads while the dialog is open. Closed by Escape or by a press beside it, it has the same text when it is opened again. */
function useImport(pasted: string, typed: Signal<string>, slug: string) {
  const [state] = useState(() => {
    const made = new ImportState(() => ({ isOfRounds: true }), slug)
    made.text.value = pasted === '' ? typed.value : pasted
    return made
  })
  useLayoutEffect(() => {
    const end = state.text.subscribe((text) => void (typed.value = text))
    return () => {
      end()
      state.stop()
    }
  }, [])
  return state
}

/** Those of all rounds: a code that several have gets the same mods in each. */
function newBuckets(taken: readonly SheetPart[]): readonly CustomBucket[] {
  const all = taken.flatMap(({ pasted }) => pasted.round.newBuckets)
  return [...new Map(all.map((bucket) => [foldCode(bucket.code), bucket])).values()]
}

/** As one step: new rounds are added, and those that are there are changed as far as the person has taken it. */
async function takeSheet(
  workspace: WorkspaceProps['workspace'],
  taken: readonly SheetPart[],
): Promise<void> {
  const changes = taken.flatMap(({ replaces, merge, pasted }) => {
    if (replaces === undefined || merge === undefined) return []
    const ofSlots = changesOf(merge, replaces, pasted.round.buckets ?? [])
    const both = [ofSlots, fieldChangesOf(merge)].filter((each) => each.length > 0)
    return both.map((each) => ({ id: replaces.id, changes: each }))
  })
  const made: Round[] = []
  let isMade = false
  try {
    await addRounds(
      workspace,
      taken
        .filter(({ replaces }) => replaces === undefined)
        .map((part) => entryOf(part, workspace.rights.value.hosts)),
      made,
    )
    isMade = true
  } finally {
    // Those that were made before one could not be are undone, too.
    await workspace.takeChanges(texts.pasteSheet, isMade ? changes : [], made)
  }
}

/** @param made where those that are made go, one by one. */
async function addRounds(
  workspace: WorkspaceProps['workspace'],
  added: readonly RoundEntry[],
  made: Round[],
): Promise<void> {
  const all = [...workspace.tournament.rounds, ...added]
  const size = new TextEncoder().encode(JSON.stringify(all)).length
  // One write where its body is small enough; else round by round.
  if (added.length === 0) return
  if (size < MAX_BODY_BYTES) {
    made.push(...(await workspace.arrange((rounds) => [...rounds, ...added])))
  } else for (const entry of added) made.push(await workspace.addEntry(entry))
}
