import * as texts from '#texts/common'
import type { ComponentProps } from 'preact'
import { Button } from './buttons.tsx'
import { announce, useBrief } from './toasts.tsx'

type CopyButtonProps = Pick<ComponentProps<typeof Button>, 'tone' | 'icon' | 'id' | 'autofocus'> & {
  readonly text: string
  /** Announced once it is copied: `Pack key copied`. */
  readonly copied: string
  /** Shown on the button; an icon alone without it. */
  readonly label?: string
  /** The name of a button without a label: `Copy pack key`. */
  readonly name?: string
  readonly onCopied?: () => void
}

export function CopyButton(props: CopyButtonProps) {
  const { text, copied, name, icon = 'copy', onCopied, ...rest } = props
  const { isDone, copy } = useCopy({ text, copied, onCopied })
  return <Button {...rest} icon={isDone ? 'check' : icon} aria-label={name} onClick={copy} />
}

type CopyProps = Pick<CopyButtonProps, 'text' | 'copied'> & {
  /** What to do where the browser does not let a page copy. */
  readonly remedy?: string
  readonly onCopied?: (() => void) | undefined
}

/** Copies a text and says so; `isDone` for a moment after it was copied. */
export function useCopy({ text, copied, remedy = texts.copyByHand, onCopied }: CopyProps) {
  const [isDone, setDone] = useBrief<true>(2_000)
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setDone(true)
      onCopied?.()
      announce(copied)
    } catch {
      announce(texts.copyBlocked({ remedy }), 'danger')
    }
  }
  return { isDone: isDone === true, copy: () => void copy() }
}
