import * as texts from '#texts/common'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { AskedAction } from '../action.ts'
import { Button } from './buttons.tsx'
import { FailureLine } from './notices.tsx'
import { isTypedIn } from './typed-text.ts'

type DialogProps = {
  readonly title: string
  readonly isOpen: boolean
  /** Asked for by Escape or the cross, twice where something is entered inside, or by a press outside where nothing is. */
  readonly onClose: () => void
  /** What is entered inside is there when it is opened again, or counts at once. */
  readonly isKept?: boolean
  /** `sheet` comes from the foot of a small window; `wide` has room for differences. */
  readonly kind?: 'box' | 'sheet' | 'wide'
  readonly children: ComponentChildren
  readonly actions?: ComponentChildren
}

/** A native modal dialog. It closes only when `isOpen` says so: `onClose` may ask back first. */
export function Dialog(props: DialogProps) {
  const { title, isOpen, onClose, isKept = false, kind = 'box', children, actions } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const [, renderAgain] = useState({})
  const isTyped = useRef(false)
  const [isAsking, setAsking] = useState(false)
  // A person who selects a text may let go outside: that is a click on the dialog, too.
  const pressed = useRef<EventTarget | null>(null)
  // After every render: a browser closes a dialog by itself when Escape is pressed twice.
  // Before effects: what is under an open dialog cannot be given the focus.
  useLayoutEffect(() => {
    const isShown = dialog.current?.open
    if (isOpen && !isShown) dialog.current?.showModal()
    if (!isOpen && isShown) dialog.current?.close()
    if (isOpen) return
    isTyped.current = false
    setAsking(false)
  })
  // One that is removed while it is open leaves the focus nowhere; closed, it gives it back.
  useLayoutEffect(() => {
    const element = dialog.current
    return () => element?.close()
  }, [])
  const close = (): void => {
    if (!isKept && !isAsking && isTypedIn(dialog.current!)) setAsking(true)
    else onClose()
  }
  return (
    <dialog
      ref={dialog}
      class={`dialog ${kind}`}
      aria-labelledby={titleId}
      data-is-kept={isKept ? '' : undefined}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onClose={() => {
        // The event comes a frame late: the dialog may have been opened again meanwhile, or be gone.
        if (!isOpen || dialog.current?.open !== false) return
        onClose()
        renderAgain({})
      }}
      onInput={() => {
        isTyped.current = true
        setAsking(false)
      }}
      onPointerDown={({ target }) => void (pressed.current = target)}
      onClick={({ target }) => {
        const isOutside = [target, pressed.current].every((each) => each === dialog.current)
        if (isOutside && !isTyped.current) onClose()
      }}
    >
      {isOpen && (
        <div class="dialog-inside">
          <header>
            <h2 id={titleId}>{title}</h2>
            <Button tone="quiet" icon="close" aria-label={texts.close} onClick={close} />
          </header>
          <div class="dialog-body">{children}</div>
          {(actions || isAsking) && (
            <footer class="actions">
              {isAsking && (
                <p class="dialog-typed" role="alert">
                  {texts.typedNotSaved}
                </p>
              )}
              {actions}
            </footer>
          )}
        </div>
      )}
    </dialog>
  )
}

type ConfirmProps = Pick<DialogProps, 'title' | 'isOpen' | 'isKept' | 'kind' | 'children'> & {
  /** What the button does: `Delete the pack`. */
  readonly action: string
  readonly tone?: 'primary' | 'danger'
  readonly busy?: boolean
  readonly disabled?: boolean
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog(props: ConfirmProps) {
  const { action, tone = 'danger', busy = false, disabled, onConfirm, onCancel, ...rest } = props
  const actions = (
    <>
      <Button label={texts.cancel} onClick={onCancel} />
      <Button label={action} tone={tone} busy={busy} disabled={disabled} onClick={onConfirm} />
    </>
  )
  return <Dialog {...rest} onClose={onCancel} actions={actions} />
}

type AskedProps = Omit<ConfirmProps, 'action' | 'isOpen' | 'busy' | 'onCancel'> & {
  /** What is asked about, and how it goes. */
  readonly action: Omit<AskedAction<unknown>, 'ask'>
  /** What the button does: `Delete the pack`. */
  readonly button: string
  /** What is as it was before, where the action failed. */
  readonly kept: ComponentChildren
  readonly onCancel?: () => void
}

/** Confirms an action that `useAskedAction` asks about, and says why it failed. */
export const AskedDialog = ({ action, button, kept, children, ...rest }: AskedProps) => (
  <ConfirmDialog
    onCancel={action.close}
    {...rest}
    action={button}
    isOpen={action.asked !== null}
    busy={action.isBusy}
  >
    {children}
    <FailureLine error={action.error}>{kept}</FailureLine>
  </ConfirmDialog>
)
