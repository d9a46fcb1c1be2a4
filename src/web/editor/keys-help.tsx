import type { JSX } from 'preact'

const keys: readonly (readonly [keys: string, what: string])[] = [
  ['Alt ↑ / Alt ↓', 'move the slot one place, over the edge into the next bucket'],
  ['↑ / ↓', 'go to the slot above or below'],
  ['Enter', 'in a field: take it and go on below; on a handle: where to move'],
  ['Del', 'on a handle: remove the slot'],
  ['Ctrl V', 'paste anywhere outside a field'],
  ['Ctrl Z / Ctrl Shift Z', 'undo and redo'],
  ['Ctrl S', 'save'],
]

/** What works without a mouse. */
export const KeysHelp = (): JSX.Element => (
  <details class="edit-keys">
    <summary>Keys</summary>
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
    <p>On a Mac, Cmd stands in for Ctrl and Option for Alt.</p>
  </details>
)
