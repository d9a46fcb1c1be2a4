import { Icon } from './icons.tsx'

type SearchFieldProps = {
  /** What is searched, for screen readers. */
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly maxLength: number
  readonly onType: (text: string) => void
  readonly id?: string
  readonly class?: string
}

/** A field that narrows a list while one types. */
export const SearchField = ({
  label,
  onType,
  class: name = 'search-field',
  ...field
}: SearchFieldProps) => (
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
