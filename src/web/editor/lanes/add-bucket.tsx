import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { MAX_CUSTOM_BUCKETS } from '../../../contract/bounds.ts'
import type { Bucket } from '../../../contract/bucket.ts'
import { isCustom } from '../../../pool/buckets.ts'
import { Button } from '../../parts/button.tsx'
import { readCode } from '../read-fields.ts'

type Props = {
  readonly buckets: readonly Bucket[]
  readonly onAdd: (code: string) => void
}

/** Adds a bucket of the host's own. */
export const AddBucket = ({ buckets, onAdd }: Props): JSX.Element => {
  const [text, setText] = useState('')
  const noteId = useId()
  const isFull = buckets.filter(isCustom).length >= MAX_CUSTOM_BUCKETS
  const reading = text.trim() === '' ? null : readCode(text, buckets, null)
  const reason = reading !== null && 'reason' in reading ? reading.reason : null
  const note = isFull ? `A pack can have at most ${MAX_CUSTOM_BUCKETS} custom buckets.` : reason
  return (
    <form
      class="lane-add-bucket"
      onSubmit={(event) => {
        event.preventDefault()
        if (reading === null || !('value' in reading)) return
        onAdd(reading.value)
        setText('')
      }}
    >
      <label>
        <span>Custom bucket</span>
        <input
          id="edit-buckets"
          class="field"
          placeholder="RC"
          autocomplete="off"
          spellcheck={false}
          maxLength={24}
          readOnly={isFull}
          value={text}
          aria-invalid={reason === null ? undefined : true}
          aria-describedby={note === null ? undefined : noteId}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <Button type="submit" icon="plus" disabled={isFull}>
        Add bucket
      </Button>
      {note !== null && (
        <span id={noteId} class={`commit-reason${isFull ? ' quiet-text' : ''}`} role="status">
          {note}
        </span>
      )}
    </form>
  )
}
