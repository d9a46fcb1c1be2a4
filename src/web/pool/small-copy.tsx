import type { JSX } from 'preact'
import { Icon } from '../parts/icon.tsx'
import { useCopy } from '../use-copy.ts'

type Props = {
  readonly text: string
  /** Shown: `ID`. */
  readonly label: string
  /** What is copied: `ID of NM1`. Begins with the label, so that it can be asked for by voice. */
  readonly what: string
}

/** Copies a text by one press, where there is little room. */
export const SmallCopy = ({ text, label, what }: Props): JSX.Element => {
  const { isDone, copy } = useCopy(text, {
    done: `${what} copied`,
    refused: `Your browser blocked copying. Copy this manually: ${text}`,
  })
  return (
    <button
      type="button"
      class="small-copy"
      title={`Copy ${text}`}
      aria-label={`${label}: copy ${what}`}
      onClick={() => void copy()}
    >
      {label}
      <Icon name={isDone ? 'check' : 'copy'} />
    </button>
  )
}
