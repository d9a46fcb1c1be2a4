import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button, CopyButton } from '../parts/buttons.tsx'
import { Dialog } from '../parts/dialogs.tsx'
import { Icon } from '../parts/icons.tsx'

type Props = {
  /** The key; null: there is none to show. */
  readonly value: string | null
  /** The reader is done with it. It cannot be shown again. */
  readonly onDone: () => void
}

/** Asks back when somebody leaves the page, too. */
const useLeaveGuard = (isOn: boolean): void =>
  useLayoutEffect(() => {
    if (!isOn) return undefined
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isOn])

const BACK = 'new-key-back'
const COPY = 'new-key-copy'

/** The focus stays on what is safe to press, whichever button it was on before. */
const useSafeFocus = (isAsking: boolean): void => {
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) document.getElementById(isAsking ? BACK : COPY)?.focus()
    isFirst.current = false
  }, [isAsking])
}

/** Shows a new key, this once. However it is closed, nobody loses the key by a slip. */
export const NewKeyDialog = ({ value, onDone }: Props): JSX.Element => {
  const [isCopied, setCopied] = useState(false)
  const [isAsking, setAsking] = useState(false)
  useLeaveGuard(value !== null)
  useSafeFocus(isAsking)
  const done = (): void => {
    setAsking(false)
    setCopied(false)
    onDone()
  }
  return (
    <Dialog
      title="Your new API key"
      isOpen={value !== null}
      onClose={() => setAsking(!isAsking)}
      actions={
        isAsking ? (
          <>
            <Button tone="danger" onClick={done}>
              Close anyway
            </Button>
            {/* Where "Done" was, for those who press twice. */}
            <Button id={BACK} onClick={() => setAsking(false)}>
              Go back
            </Button>
          </>
        ) : (
          <Button
            tone={isCopied ? 'primary' : 'plain'}
            onClick={() => (isCopied ? done() : setAsking(true))}
          >
            Done
          </Button>
        )
      }
    >
      <p class="account-warning">
        <Icon name="alert" />
        <span>Copy this key now. We do not store it, so it cannot be shown again.</span>
      </p>
      <code class="account-new-key">{value}</code>
      <CopyButton
        id={COPY}
        autofocus
        tone={isCopied ? 'plain' : 'primary'}
        text={value ?? ''}
        what="API key"
        label={isCopied ? 'Copy again' : 'Copy key'}
        onCopied={() => setCopied(true)}
      />
      {isAsking && (
        <p class="failure-line" role="alert">
          {isCopied
            ? 'You copied the key. Make sure it is saved: it cannot be shown again.'
            : 'You have not copied the key yet. If you close this now, you will have to create another one.'}
        </p>
      )}
    </Dialog>
  )
}
