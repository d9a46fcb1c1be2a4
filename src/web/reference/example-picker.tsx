import type { JSX } from 'preact'
import type { Examples } from '../../contract/openapi/types.ts'

type Props = {
  readonly label: string
  readonly examples: Examples
  readonly chosen: string
  readonly onChoose: (name: string) => void
}

/** Chooses among examples; the name of the only one where there is no choice. */
export const ExamplePicker = ({ label, examples, chosen, onChoose }: Props): JSX.Element => {
  const names = Object.keys(examples)
  if (names.length < 2) return <p class="example-only">{examples[chosen]?.summary}</p>
  return (
    <label class="example-picker">
      <span class="sr-only">{label}</span>
      <select
        class="field"
        value={chosen}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      >
        {names.map((name) => (
          <option key={name} value={name}>
            {examples[name]?.summary}
          </option>
        ))}
      </select>
    </label>
  )
}
