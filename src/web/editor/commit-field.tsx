import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useId, useLayoutEffect } from 'preact/hooks'
import { announce } from '../parts/toasts.tsx'
import type { Reading } from './read-fields.ts'
import { stepInColumn } from './spots.ts'

type Props<T> = {
  readonly id?: string
  /** Left out where a label stands around it. */
  readonly label?: string
  /** Arrow keys go up and down in it, and Enter goes on to the next field below. */
  readonly column?: string
  readonly inputMode?: 'numeric' | 'url'
  readonly maxLength?: number
  /** What stands there while nobody types. */
  readonly text: string
  readonly read: (text: string) => Reading<T>
  /** Takes what was typed, once one leaves the field or presses Enter. */
  readonly onCommit: (value: T) => void
  readonly class?: string
}

/**
 * A field whose text counts once it is finished. What is wrong with it is told while one types; a
 * text that stands for nothing is not taken, and the one before comes back. So does it on Escape.
 */
export function CommitField<T>({
  text,
  read,
  onCommit,
  label,
  column,
  class: className = '',
  ...rest
}: Props<T>): JSX.Element {
  /** null while nobody types. */
  const typing = useSignal<string | null>(null)
  const typed = typing.value
  const reasonId = useId()
  const reading = typed === null || typed === text ? null : read(typed)
  const reason = reading !== null && 'reason' in reading && typed !== '' ? reading.reason : null

  const end = (): void => {
    typing.value = null
  }
  // The text may have become another one by an undo, or because the slot is another.
  useLayoutEffect(end, [text])

  const commit = (): boolean => {
    // Enter commits and moves the focus on: the blur that follows has nothing left to take.
    const isTyped = typing.value !== null
    end()
    if (!isTyped || reading === null) return true
    if ('value' in reading) {
      onCommit(reading.value)
      return true
    }
    if (typed !== '') announce(`Not changed: ${reading.reason}`, 'danger')
    return false
  }

  return (
    <span class="commit-field">
      <input
        {...rest}
        class={`field ${className}`}
        autocomplete="off"
        spellcheck={false}
        value={typed ?? text}
        // Nothing is half typed: undo means the whole edit then.
        data-is-settled={typed === null || typed === text ? '' : undefined}
        aria-invalid={reason === null ? undefined : true}
        aria-label={label}
        data-column={column}
        aria-describedby={reason === null ? undefined : reasonId}
        onInput={({ currentTarget }) => {
          typing.value = currentTarget.value
        }}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && typed !== null) {
            event.stopPropagation()
            end()
          } else if (event.key === 'Enter') {
            event.preventDefault()
            if (commit()) stepInColumn(event.currentTarget, 1)
          }
        }}
      />
      <Reason id={reasonId} text={reason} />
    </span>
  )
}

type ReasonProps = { readonly id: string; readonly text: string | null; readonly class?: string }

/** Why the text of a field stands for nothing. */
export function Reason({ id, text, class: className = '' }: ReasonProps): JSX.Element | null {
  if (text === null) return null
  return (
    <span id={id} class={`commit-reason${className}`} role="status">
      {text}
    </span>
  )
}

/** A text that is typed to add something: what it stands for is added when the form is submitted. */
export function useEntry<T>(read: (text: string) => Reading<T>, onAdd: (value: T) => void) {
  const typed = useSignal('')
  const text = typed.value
  const reading = text.trim() === '' ? null : read(text)
  return {
    text,
    reason: reading !== null && 'reason' in reading ? reading.reason : null,
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => {
      typed.value = currentTarget.value
    },
    clear: (): void => {
      typed.value = ''
    },
    submit: (event: Event): void => {
      event.preventDefault()
      if (reading === null || !('value' in reading)) return
      onAdd(reading.value)
      typed.value = ''
    },
  }
}
