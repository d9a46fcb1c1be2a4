import * as texts from '#texts/editing'
import { useState } from 'preact/hooks'
import { loadedPart } from '../parts/loaded-part.tsx'
import type { KeyListProps } from './key-list.tsx'
import type { Turned, Way } from './steps.ts'
import { explain, isUnknown } from '../site-failure.ts'
import { Button } from '../parts/buttons.tsx'
import { announce } from '../parts/toasts.tsx'
import { listNames } from './names.ts'

type Store = {
  /** What the next undo takes back; null when there is nothing. */
  readonly undoes: string | null
  readonly redoes: string | null
} & Readonly<Record<Way, () => Turned | null | Promise<Turned | null>>>

export const UndoButtons = ({ store }: { readonly store: Store }) => (
  <>
    <Button {...stepProps('undo', store.undoes)} onClick={() => void step(store, 'undo')} />
    <Button {...stepProps('redo', store.redoes)} onClick={() => void step(store, 'redo')} />
  </>
)

const words = {
  undo: {
    name: texts.undo,
    nothing: texts.nothingToUndo,
    step: texts.undoStep,
    keys: texts.undoStepKeys,
    failed: texts.cannotUndo,
    changed: texts.cannotUndoChanged,
    done: texts.undone,
    part: texts.undonePart,
  },
  redo: {
    name: texts.redo,
    nothing: texts.nothingToRedo,
    step: texts.redoStep,
    keys: texts.redoStepKeys,
    failed: texts.cannotRedo,
    changed: texts.cannotRedoChanged,
    done: texts.redone,
    part: texts.redonePart,
  },
}

/** Takes the last step back, or makes it again, and says what that was. */
async function step(store: Store, what: Way): Promise<void> {
  try {
    const made = await store[what]()
    if (made === null) announce(words[what].nothing)
    else announce(turnedWords(made, what), made.isDone ? 'plain' : 'danger')
  } catch (error) {
    const reason = explain(error)
    announce(isUnknown(error) ? reason : words[what].failed({ reason }), 'danger')
  }
}

/** How many are named of what stays. */
const MOST_NAMES = 8

function turnedWords({ label: step, isDone, kept, isNothing }: Turned, what: Way): string {
  const { changed, done, part } = words[what]
  const names = listNames(kept, MOST_NAMES)
  if (isNothing) return changed({ step, names })
  return isDone ? done({ step }) : part({ step, names })
}

function stepProps(what: Way, step: string | null) {
  const { name, nothing, step: named, keys } = words[what]
  return {
    tone: 'quiet',
    icon: what,
    'aria-label': step === null ? name : named({ step }),
    title: step === null ? nothing : keys({ step }),
    'aria-disabled': step === null,
  } as const
}

/** Ctrl+Z, Ctrl+Shift+Z and Ctrl+Y, unless a field or a dialog has them for itself. */
export function pressUndo(event: KeyboardEvent, store: Store): void {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event
  const letter = key.toLowerCase()
  if ((!ctrlKey && !metaKey) || altKey || (letter !== 'z' && letter !== 'y')) return
  if (isInDialog(target) || undoesItself(target)) return
  event.preventDefault()
  void step(store, letter === 'y' || shiftKey ? 'redo' : 'undo')
}

/** A text that is pasted outside of any field, or of a dialog. */
export function takePasted(event: ClipboardEvent, take: (text: string) => void): void {
  const text = event.clipboardData?.getData('text/plain') ?? ''
  const { defaultPrevented, target } = event
  if (defaultPrevented || isField(target) || isInDialog(target) || text.trim() === '') return
  event.preventDefault()
  take(text)
}

export function isField(target: EventTarget | null): target is HTMLElement {
  return (
    target instanceof HTMLElement &&
    target.matches('textarea, select, input:not([type=radio], [type=checkbox], [type=file])')
  )
}

/** A field in which something is half typed undoes its own typing. */
function undoesItself(target: EventTarget | null): boolean {
  return isField(target) && target.dataset['isSettled'] === undefined
}

export function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('dialog') !== null
}

const KeyList = loadedPart(async () => (await import('./key-list.tsx')).KeyList)

/** The keys of an editor. */
export function KeysHelp(props: KeyListProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="edit-keys" onToggle={() => setOpen(true)}>
      <summary>{texts.keysTitle}</summary>
      {isOpen && <KeyList {...props} />}
    </details>
  )
}
