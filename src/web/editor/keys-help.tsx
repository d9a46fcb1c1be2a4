import type { JSX } from 'preact'

const keys: readonly (readonly [keys: string, what: string])[] = [
  ['Alt ↑ / Alt ↓', 'Move the slot up or down, also into the next bucket'],
  ['↑ / ↓', 'Go to the slot above or below'],
  ['Enter', 'In a field: apply and go to the next row. On a handle: choose where to move the slot'],
  ['Del', 'On a handle: remove the slot'],
  ['Ctrl V', 'Paste anywhere outside a field'],
  ['Ctrl Z / Ctrl Shift Z', 'Undo and redo'],
  ['Ctrl S', 'Save'],
]

/** What works without a mouse. */
export const KeysHelp = (): JSX.Element => (
  <details class="edit-keys">
    <summary>Keyboard shortcuts</summary>
    <dl>
      {keys.map(([key, what]) => (
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
