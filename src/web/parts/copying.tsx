import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Button, type Tone } from './buttons.tsx'
import type { IconName } from './icons.tsx'
import { announce } from './toasts.tsx'

type CopyButtonProps = {
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

/** Copies a text and says so. */
export function CopyButton({
  text,
  what,
  label,
  tone = 'plain',
  icon = 'copy',
  id,
  autofocus = false,
  onCopied,
}: CopyButtonProps): JSX.Element {
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

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const CONFIRMED_MS = 2_000

/** Copies a text and says so in these words; `isDone` for a moment after it was copied. */
export function useCopy(
  text: string,
  { done, refused }: { readonly done: string; readonly refused: string },
  onCopied?: () => void,
) {
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    if (!isDone) return undefined
    const timer = setTimeout(() => setDone(false), CONFIRMED_MS)
    return () => clearTimeout(timer)
  }, [isDone])

  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setDone(true)
      onCopied?.()
      announce(done)
    } catch {
      announce(refused, 'danger')
    }
  }
  return { isDone, copy }
}
