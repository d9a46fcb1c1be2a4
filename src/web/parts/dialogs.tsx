import type { ComponentChildren, JSX } from 'preact'
import { useId, useLayoutEffect, useReducer, useRef } from 'preact/hooks'
import { Button } from './buttons.tsx'

type Props = {
  readonly title: string
  readonly isOpen: boolean
  /** Asked for by Escape, the cross or a press outside. */
  readonly onClose: () => void
  /** `sheet` comes from the foot of a small window. */
  readonly kind?: 'box' | 'sheet'
  readonly children: ComponentChildren
  readonly actions?: ComponentChildren
}

/**
 * A native modal dialog: keeps the focus inside, and gives it back when it closes. It closes when
 * `isOpen` says so and not before: whoever is asked to close it may ask back.
 */
export function Dialog({
  title,
  isOpen,
  onClose,
  kind = 'box',
  children,
  actions,
}: Props): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const [, lookAgain] = useReducer((looks: number) => looks + 1, 0)
  // After every look: a browser closes a dialog over the page's head when Escape is pressed twice.
  // Before effects: what is behind an open dialog cannot be given the focus.
  useLayoutEffect(() => {
    const isShown = dialog.current?.open
    if (isOpen && !isShown) dialog.current?.showModal()
    if (!isOpen && isShown) dialog.current?.close()
  })
  return (
    <dialog
      ref={dialog}
      class={`dialog ${kind}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={() => {
        if (!isOpen) return
        onClose()
        lookAgain(undefined)
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      {isOpen && (
        <div class="dialog-inside">
          <header>
            <h2 id={titleId}>{title}</h2>
            <Button tone="quiet" icon="close" aria-label="Close" onClick={onClose} />
          </header>
          <div class="dialog-body">{children}</div>
          {actions && <footer class="actions">{actions}</footer>}
        </div>
      )}
    </dialog>
  )
}

type ConfirmProps = Pick<Props, 'title' | 'isOpen' | 'children'> & {
  /** What the button does: `Delete the pack`. */
  readonly action: string
  readonly tone?: 'primary' | 'danger'
  readonly busy?: boolean
  readonly disabled?: boolean
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

/** Asks before something that cannot be undone. */
export const ConfirmDialog = ({
  action,
  tone = 'danger',
  busy = false,
  disabled = false,
  onConfirm,
  onCancel,
  ...rest
}: ConfirmProps): JSX.Element => (
  <Dialog
    {...rest}
    onClose={onCancel}
    actions={
      <>
        <Button onClick={onCancel}>Cancel</Button>
        <Button tone={tone} busy={busy} disabled={disabled} onClick={onConfirm}>
          {action}
        </Button>
      </>
    }
  />
)
