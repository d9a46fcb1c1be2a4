import { useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from './icons.tsx'

type SearchFieldProps = {
  /** What is searched, for screen readers. */
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly maxLength: number
  readonly onType: (text: string) => void
  readonly id?: string
  readonly name?: string
  readonly class?: string
}

/** A field that narrows a list while one types. */
export function SearchField({
  label,
  onType,
  class: name = 'search-field',
  ...field
}: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  // What was typed before the script took over the page.
  useLayoutEffect(() => {
    const { value = '' } = input.current ?? {}
    if (value !== field.value) onType(value)
  }, [])
  return (
    <label class={name}>
      <span class="sr-only">{label}</span>
      <Icon name="search" />
      <input
        ref={input}
        {...field}
        class="field"
        type="search"
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
    </label>
  )
}
