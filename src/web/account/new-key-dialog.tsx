import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'

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
              Close for good
            </Button>
            {/* Where "Done" was, for those who press twice. */}
            <Button id={BACK} onClick={() => setAsking(false)}>
              Back to the key
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
        <span>Copy it now. We keep no copy, so it cannot be shown again.</span>
      </p>
      <code class="account-new-key">{value}</code>
      <CopyButton
        id={COPY}
        autofocus
        tone={isCopied ? 'plain' : 'primary'}
        text={value ?? ''}
        what="API key"
        label={isCopied ? 'Copy again' : 'Copy the key'}
        onCopied={() => setCopied(true)}
      />
      {isAsking && (
        <p class="failure-line" role="alert">
          {isCopied
            ? 'You have copied it. Is it where you need it? It cannot be shown again.'
            : 'You have not copied it. Once closed it is lost, and you have to make another.'}
        </p>
      )}
    </Dialog>
  )
}
