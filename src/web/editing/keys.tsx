import type { Turned, Way } from './steps.ts'
import { explain } from '../site-failure.ts'
import { Button } from '../parts/buttons.tsx'
import { announce } from '../parts/toasts.tsx'

type Store = {
  /** What the next undo takes back; null when there is nothing. */
  readonly undoes: string | null
  readonly redoes: string | null
} & Readonly<Record<Way, () => Turned | null | Promise<Turned | null>>>

export const UndoButtons = ({ store }: { readonly store: Store }) => (
  <>
    <Button
      {...stepProps('undo', 'Undo', store.undoes, 'Ctrl+Z')}
      onClick={() => void step(store, 'undo')}
    />
    <Button
      {...stepProps('redo', 'Redo', store.redoes, 'Ctrl+Shift+Z')}
      onClick={() => void step(store, 'redo')}
    />
  </>
)

/** Takes the last step back, or makes it again, and says what that was. */
async function step(store: Store, what: Way): Promise<void> {
  try {
    const made = await store[what]()
    if (made === null) announce(`Nothing to ${what}`)
    else announce(turnedWords(made, what), made.isDone ? 'plain' : 'danger')
  } catch (error) {
    announce(`Cannot ${what}: ${explain(error)}`, 'danger')
  }
}

/** How many are named of what stays. */
const MOST_NAMES = 8

function turnedWords({ label, isDone, kept, isNothing }: Turned, what: Way): string {
  const more = kept.length - MOST_NAMES
  const names = [...kept.slice(0, MOST_NAMES), ...(more > 0 ? [`${more} more`] : [])].join(', ')
  if (isNothing) return `Cannot ${what} “${label}”: changed elsewhere since (${names})`
  const words = `${what === 'undo' ? 'Undone' : 'Redone'}: ${label}`
  return isDone ? words : `${words}, except ${names}, changed elsewhere since`
}

function stepProps(icon: 'undo' | 'redo', name: string, step: string | null, keys: string) {
  return {
    tone: 'quiet',
    icon,
    'aria-label': step === null ? name : `${name}: ${step}`,
    title: step === null ? `Nothing to ${icon}` : `${name}: ${step} (${keys})`,
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

type Keys = readonly (readonly [keys: string, what: string])[]

const laneKeys: Keys = [
  ['Alt ↑ / Alt ↓', 'Move the slot up or down, also into the next bucket'],
  ['↑ / ↓', 'Go to the slot above or below'],
  ['Enter', 'In a field: apply and go to the next row. On a handle: choose where to move the slot'],
  ['Del', 'On a handle: remove the slot'],
]

/** The keys of the lanes, and `more`. */
export const KeysHelp = ({ more }: { readonly more: Keys }) => (
  <details class="edit-keys">
    <summary>Keyboard shortcuts</summary>
    <dl>
      {[...laneKeys, ...more].map(([key, what]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
    <p>On a Mac, use Cmd for Ctrl and Option for Alt.</p>
  </details>
)
