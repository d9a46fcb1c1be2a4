import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { type Opened, readKey } from './read-key.ts'

type Refused = Extract<Opened, { state: 'refused' }>

/** Where a key is pasted, alone or in a whole message. A key that is whole opens at once. */
export const KeyForm = (): JSX.Element => {
  const [text, setText] = useState('')
  const [refusal, setRefusal] = useState<Refused | null>(null)
  const [fieldId, refusalId] = [useId(), useId()]

  const read = (pasted: string, isFinal: boolean): void => {
    setText(pasted)
    setRefusal(null)
    const opened = readKey(pasted)
    if (opened.state === 'open') location.hash = opened.packKey
    else if (opened.state === 'refused' && isFinal) setRefusal(opened)
  }
  return (
    <form
      class="key-form"
      onSubmit={(event) => {
        event.preventDefault()
        read(text, true)
      }}
    >
      <label for={fieldId}>Pack key, or text that contains one</label>
      <textarea
        id={fieldId}
        class="field"
        rows={4}
        required
        autocomplete="off"
        spellcheck={false}
        placeholder="pk1.…"
        value={text}
        aria-invalid={refusal !== null}
        aria-describedby={refusalId}
        onInput={({ currentTarget }) => read(currentTarget.value, false)}
      />
      <p id={refusalId} class="failure-line" role="alert">
        {refusal && `${refusal.title}. ${refusal.remedy}`}
      </p>
      <Button type="submit" tone="primary" icon="key">
        Open
      </Button>
    </form>
  )
}
