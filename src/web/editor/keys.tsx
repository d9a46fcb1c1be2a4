import { Button } from '../parts/buttons.tsx'

/** What the next undo takes back and the next redo brings again, in words; null when there is nothing. */
type Steps = { readonly undoes: string | null; readonly redoes: string | null }

type Undoable = { undo(): void; redo(): void }

export const UndoButtons = ({ steps, of }: { readonly steps: Steps; readonly of: Undoable }) => (
  <>
    <Button {...stepProps('undo', 'Undo', steps.undoes, 'Ctrl+Z')} onClick={() => of.undo()} />
    <Button
      {...stepProps('redo', 'Redo', steps.redoes, 'Ctrl+Shift+Z')}
      onClick={() => of.redo()}
    />
  </>
)

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
export function pressUndo(event: KeyboardEvent, of: Undoable): void {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event
  const letter = key.toLowerCase()
  if ((!ctrlKey && !metaKey) || altKey || (letter !== 'z' && letter !== 'y')) return
  if (isInDialog(target) || undoesItself(target)) return
  event.preventDefault()
  if (letter === 'y' || shiftKey) of.redo()
  else of.undo()
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
