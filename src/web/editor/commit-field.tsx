import { useSignal } from '@preact/signals'
import type { InputHTMLAttributes, JSX } from 'preact'
import { useId, useLayoutEffect } from 'preact/hooks'
import { announce } from '../parts/toasts.tsx'
import { stepInColumn } from './focus.ts'
import type { Reading } from './read-fields.ts'

type Props<T> = Pick<InputHTMLAttributes, 'id' | 'aria-label' | 'inputMode' | 'maxLength'> & {
  readonly class?: string
  /** The text while nobody types. */
  readonly text: string
  readonly read: (text: string) => Reading<T>
  /** Called with what was typed on Enter, and when the field loses the focus. */
  readonly onCommit: (value: T) => void
}

/**
 * A field whose text counts once it is finished. What is wrong with it is shown while one types; a
 * text that means nothing is replaced by the one before, as on Escape. In a column of the lanes
 * (`data-column`), arrow keys go up and down, and Enter goes to the next field below.
 */
export function CommitField<T>({
  text,
  read,
  onCommit,
  class: className = '',
  ...rest
}: Props<T>): JSX.Element {
  /** null while nobody types. */
  const typing = useSignal<string | null>(null)
  const typed = typing.value
  const isSettled = typed === null || typed === text
  const reading = isSettled ? null : read(typed)
  const reason = typed === '' ? null : reasonIn(reading)
  const reasonId = useId()

  const end = (): void => {
    typing.value = null
  }
  // The text changes by an undo, or because the slot is another.
  useLayoutEffect(end, [text])

  const commit = (): boolean => {
    // Enter commits and moves the focus: the blur that follows has nothing left to commit.
    const last = typing.value === null ? null : reading
    end()
    if (last === null) return true
    if ('value' in last) onCommit(last.value)
    else if (reason !== null) announce(`Not changed: ${reason}`, 'danger')
    return 'value' in last
  }

  return (
    <span class="commit-field">
      <input
        {...rest}
        {...attributesOf(reason, reasonId)}
        class={`field ${className}`}
        value={typed ?? text}
        // Nothing is half typed: undo means the whole edit then.
        data-is-settled={isSettled ? '' : undefined}
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

function reasonIn(reading: Reading<unknown> | null): string | null {
  return reading !== null && 'reason' in reading ? reading.reason : null
}

/** The attributes of a field with a `Reason`, into which codes, numbers and links are typed. */
function attributesOf(reason: string | null, reasonId: string) {
  return {
    autocomplete: 'off',
    spellcheck: false,
    'aria-invalid': reason === null ? undefined : true,
    'aria-describedby': reason === null ? undefined : reasonId,
  } as const
}

type ReasonProps = { readonly id: string; readonly text: string | null; readonly class?: string }

/** Why the text of a field means nothing. */
export function Reason({ id, text, class: className = '' }: ReasonProps): JSX.Element | null {
  if (text === null) return null
  return (
    <span id={id} class={`commit-reason${className}`} role="status">
      {text}
    </span>
  )
}

/** The state of a form with one field, which adds what the field means when it is submitted. */
export function useEntry<T>(read: (text: string) => Reading<T>, onAdd: (value: T) => void) {
  const typed = useSignal('')
  const text = typed.value
  const reading = text.trim() === '' ? null : read(text)
  const reason = reasonIn(reading)
  const reasonId = useId()
  const clear = (): void => {
    typed.value = ''
  }
  return {
    text,
    clear,
    reason: { id: reasonId, text: reason },
    field: {
      ...attributesOf(reason, reasonId),
      value: text,
      onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => {
        typed.value = currentTarget.value
      },
    },
    submit: (event: Event): void => {
      event.preventDefault()
      if (reading === null || !('value' in reading)) return
      onAdd(reading.value)
      clear()
    },
  }
}
