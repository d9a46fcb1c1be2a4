import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from './buttons.tsx'
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

type FrontSearchProps = Pick<SearchFieldProps, 'label' | 'placeholder' | 'maxLength'> & {
  /** The path of the page that finds, which gets the text as `q`. */
  readonly action: string
  readonly start: string
  readonly button: string
}

/** The search of a front page: without a script, a form like any other. */
export function FrontSearch({ action, start, button, ...field }: FrontSearchProps) {
  const [value, setValue] = useState(start)
  return (
    <form class="front-search" role="search" action={action}>
      <SearchField {...field} name="q" value={value} onType={setValue} />
      <Button type="submit" label={button} />
    </form>
  )
}
