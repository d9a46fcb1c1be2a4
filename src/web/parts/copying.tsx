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

export function CopyButton(props: CopyButtonProps) {
  const { text, what, icon = 'copy', onCopied, ...rest } = props
  const remedy = `Select the ${what} and copy it manually.`
  const { isDone, copy } = useCopy({ text, what, remedy, onCopied })
  return (
    <Button
      {...rest}
      icon={isDone ? 'check' : icon}
      aria-label={rest.label === undefined ? `Copy ${what}` : undefined}
      onClick={copy}
    />
  )
}

type CopyProps = Pick<CopyButtonProps, 'text' | 'what'> & {
  /** What to do where the browser does not let a page copy. */
  readonly remedy: string
  readonly onCopied?: (() => void) | undefined
}

/** Copies a text and says so; `isDone` for a moment after it was copied. */
export function useCopy({ text, what, remedy, onCopied }: CopyProps) {
  const [isDone, setDone] = useBrief<true>(2_000)
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setDone(true)
      onCopied?.()
      announce(`${what.charAt(0).toUpperCase()}${what.slice(1)} copied`)
    } catch {
      announce(`Your browser blocked copying. ${remedy}`, 'danger')
    }
  }
  return { isDone: isDone === true, copy: () => void copy() }
}
