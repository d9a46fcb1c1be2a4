import type { JSX } from 'preact'
import { useCopy } from '../use-copy.ts'
import { Button, type Tone } from './button.tsx'
import type { IconName } from './icon.tsx'

type Props = {
  readonly text: string
  /** What is copied, to name the button and to confirm: `pack key`. */
  readonly what: string
  /** Shown on the button; an icon alone without it. */
  readonly label?: string
  readonly tone?: Tone
  readonly icon?: IconName
  readonly id?: string
  /** Has the focus when the dialog around it opens. */
  readonly autofocus?: boolean
  readonly onCopied?: () => void
}

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Copies a text and says so. */
export const CopyButton = ({
  text,
  what,
  label,
  tone = 'plain',
  icon = 'copy',
  id,
  autofocus = false,
  onCopied,
}: Props): JSX.Element => {
  const words = {
    done: `${upperFirst(what)} copied`,
    refused: `Your browser blocked copying. Select the ${what} and copy it manually.`,
  }
  const { isDone, copy } = useCopy(text, words, onCopied)
  return (
    <Button
      id={id}
      tone={tone}
      icon={isDone ? 'check' : icon}
      autofocus={autofocus}
      aria-label={label === undefined ? `Copy ${what}` : undefined}
      onClick={() => void copy()}
    >
      {label}
    </Button>
  )
}
