import { useEffect, useState } from 'preact/hooks'
import { later } from '../browser.ts'
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
  return (
    <label class={name}>
      <span class="sr-only">{label}</span>
      <Icon name="search" />
      <input
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

/** Browsers allow an entry of the history to change only so often. */
const PAUSE_MS = 200

/** The search of a front page: without a script, a form like any other. Its entry of the history has what is typed. */
export function FrontSearch({ action, start, button, ...field }: FrontSearchProps) {
  const [value, setValue] = useState(start)
  useEffect(() => {
    const { typed } = (history.state ?? {}) as { readonly typed?: string }
    if (typed !== undefined) setValue((now) => (now === start ? typed : now))
  }, [])
  const remember = (): void => history.replaceState({ ...history.state, typed: value }, '')
  useEffect(() => later(PAUSE_MS, remember), [value])
  return (
    <form class="front-search" role="search" action={action} onSubmit={remember}>
      <SearchField {...field} name="q" value={value} onType={setValue} />
      <Button type="submit" label={button} />
    </form>
  )
}
