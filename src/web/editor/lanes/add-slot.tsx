import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { Lane } from './lanes.ts'
import { laneName } from './lane-words.ts'
import { readBeatmap } from '../read-beatmap.ts'

type Props = {
  readonly lane: Lane
  /** What the next slot would be called. */
  readonly label: string
  readonly onAdd: (beatmapId: number) => void
}

/** Adds a slot by hand: an id or a link, then Enter. */
export const AddSlot = ({ lane, label, onAdd }: Props): JSX.Element => {
  const [text, setText] = useState('')
  const reasonId = useId()
  const reading = text.trim() === '' ? null : readBeatmap(text)
  const reason = reading !== null && 'reason' in reading ? reading.reason : null
  const add = (): void => {
    if (reading === null || !('value' in reading)) return
    onAdd(reading.value)
    setText('')
  }
  return (
    <form
      class="edit-add"
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <button
        type="submit"
        class="edit-add-button"
        aria-label={`Add ${label}`}
        onClick={(event) => {
          if (text.trim() === '') event.currentTarget.form?.querySelector('input')?.focus()
        }}
      >
        + {label}
      </button>
      <input
        id={`edit-add-${lane.mod ?? ''}`}
        class="field edit-add-field"
        data-column="beatmap"
        data-is-settled={text === '' ? '' : undefined}
        aria-label={`Add beatmap to ${laneName(lane.mod)}`}
        aria-invalid={reason === null ? undefined : true}
        aria-describedby={reason === null ? undefined : reasonId}
        placeholder="Beatmap id or link"
        inputMode="url"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && setText('')}
      />
      {reason !== null && (
        <span id={reasonId} class="commit-reason" role="status">
          {reason}
        </span>
      )}
    </form>
  )
}
