import type { ComponentProps } from 'preact'
import { Button } from './buttons.tsx'
import { announce, useBrief } from './toasts.tsx'

type CopyButtonProps = Pick<ComponentProps<typeof Button>, 'tone' | 'icon' | 'id' | 'autofocus'> & {
  readonly text: string
  /** What is copied, to name the button and to confirm: `pack key`. */
  readonly what: string
  /** Shown on the button; an icon alone without it. */
  readonly label?: string
  readonly onCopied?: () => void
}

/** Copies a text and says so. */
export function CopyButton(props: CopyButtonProps) {
  const { text, what, label, icon = 'copy', onCopied, ...rest } = props
  const done = `${what.charAt(0).toUpperCase()}${what.slice(1)} copied`
  const refused = `Your browser blocked copying. Select the ${what} and copy it manually.`
  const { isDone, copy } = useCopy(text, { done, refused }, onCopied)
  return (
    <Button
      {...rest}
      icon={isDone ? 'check' : icon}
      aria-label={label === undefined ? `Copy ${what}` : undefined}
      onClick={copy}
    >
      {label}
    </Button>
  )
}

/** Copies a text and confirms it in these words; `isDone` for a moment after it was copied. */
export function useCopy(
  text: string,
  { done, refused }: { readonly done: string; readonly refused: string },
  onCopied?: () => void,
) {
  const [isDone, setDone] = useBrief<true>(2_000)
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
  return { isDone: isDone === true, copy: () => void copy() }
}
