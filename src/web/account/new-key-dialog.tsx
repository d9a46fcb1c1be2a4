import * as texts from '#texts/account'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { listen } from '../browser.ts'
import { Button } from '../parts/buttons.tsx'
import { CopyButton } from '../parts/copying.tsx'
import { Dialog } from '../parts/dialogs.tsx'
import { Icon } from '../parts/icons.tsx'

const BACK = 'new-key-back'
const COPY = 'new-key-copy'

type NewKey = {
  readonly newKey: string | null
  readonly setNewKey: (key: null) => void
}

/** Shows a new key, once. Closing the dialog or leaving the page asks for confirmation. */
export function NewKeyDialog({ newKey, setNewKey }: NewKey) {
  const [isCopied, setCopied] = useState(false)
  const [isAsking, setAsking] = useState(false)
  useLayoutEffect(() => {
    if (newKey === null) return undefined
    return listen({ beforeunload: (event) => event.preventDefault() })
  }, [newKey])
  // On what is safe to press, whichever button had the focus before.
  useEffect(() => document.getElementById(isAsking ? BACK : COPY)?.focus(), [isAsking])
  const done = (): void => {
    setAsking(false)
    setCopied(false)
    setNewKey(null)
  }
  return (
    <Dialog
      title={texts.newKey}
      isOpen={newKey !== null}
      onClose={() => setAsking(!isAsking)}
      actions={
        isAsking ? (
          <>
            <Button tone="danger" label={texts.closeAnyway} onClick={done} />
            {/* In the place of "Done", in case of a double click. */}
            <Button id={BACK} label={texts.goBack} onClick={() => setAsking(false)} />
          </>
        ) : (
          <Button
            tone={isCopied ? 'primary' : 'plain'}
            label={texts.done}
            onClick={() => (isCopied ? done() : setAsking(true))}
          />
        )
      }
    >
      <p class="account-warning">
        <Icon name="alert" />
        <span>{texts.copyNow}</span>
      </p>
      <code class="account-new-key">{newKey}</code>
      <CopyButton
        id={COPY}
        autofocus
        tone={isCopied ? 'plain' : 'primary'}
        text={newKey ?? ''}
        copied={texts.keyCopied}
        label={isCopied ? texts.copyAgain : texts.copyKey}
        onCopied={() => setCopied(true)}
      />
      {isAsking && (
        <p class="failure-line" role="alert">
          {isCopied ? texts.leaveCopied : texts.leaveUncopied}
        </p>
      )}
    </Dialog>
  )
}
