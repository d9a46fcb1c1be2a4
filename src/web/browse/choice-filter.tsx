import type { ComponentChildren, JSX } from 'preact'

type Props<T extends string> = {
  readonly label: string
  readonly note: string
  readonly all: readonly T[]
  readonly chosen: readonly T[]
  readonly show: (choice: T) => ComponentChildren
  readonly onChange: (chosen: readonly T[]) => void
}

/** Some out of a few, each a box to tick. */
export const ChoiceFilter = <T extends string>({
  label,
  note,
  all,
  chosen,
  show,
  onChange,
}: Props<T>): JSX.Element => (
  <fieldset class="choice-filter">
    <legend>
      <span class="filter-label">{label}</span> <span class="filter-note">{note}</span>
    </legend>
    <div class="choices">
      {all.map((choice) => (
        <label key={choice}>
          <input
            type="checkbox"
            checked={chosen.includes(choice)}
            onChange={({ currentTarget }) =>
              onChange(
                all.filter((other) =>
                  other === choice ? currentTarget.checked : chosen.includes(other),
                ),
              )
            }
          />
          {show(choice)}
        </label>
      ))}
    </div>
  </fieldset>
)
