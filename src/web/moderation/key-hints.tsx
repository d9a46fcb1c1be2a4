import type { JSX } from 'preact'

const hints = [
  [['↑', '↓'], 'row'],
  [['←', '→'], 'button'],
  [['Enter'], 'open'],
  [['H'], 'hide or unhide'],
  [['P'], 'pin or unpin'],
  [['/'], 'search'],
] as const

const moveHint = [['Alt ↑', 'Alt ↓'], 'move the pin'] as const

/** The keys of the table. They work while one of its rows has the focus. */
export const KeyHints = ({ isOrdered }: { readonly isOrdered: boolean }): JSX.Element => (
  <p class="key-hints">
    {(isOrdered ? [...hints, moveHint] : hints).map(([keys, what]) => (
      <span key={what}>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}{' '}
        {what}
      </span>
    ))}
  </p>
)
