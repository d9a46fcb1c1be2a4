import type { InputHTMLAttributes, SelectHTMLAttributes } from 'preact'
import { rulesets } from '../../contract/mods.ts'
import { formatRuleset } from '../format.ts'

type TextInputProps = Pick<
  InputHTMLAttributes,
  'id' | 'aria-label' | 'aria-invalid' | 'aria-describedby' | 'autocapitalize' | 'autofocus'
> &
  Pick<
    InputHTMLAttributes,
    'inputMode' | 'maxLength' | 'placeholder' | 'required' | 'spellcheck'
  > & {
    readonly value: string
    /** What is typed outlasts the page. */
    readonly 'data-is-kept'?: ''
    readonly onText: (text: string) => void
  }

/** A line of text in any language, which browsers do not complete. */
export const TextInput = ({ onText, ...props }: TextInputProps) => (
  <input
    dir="auto"
    autocomplete="off"
    {...props}
    class="field"
    onInput={({ currentTarget }) => onText(currentTarget.value)}
  />
)

type SelectProps<V extends string> = Pick<
  SelectHTMLAttributes,
  'aria-label' | 'title' | 'name' | 'disabled'
> & {
  readonly value: V
  readonly options: readonly (readonly [value: V, text: string])[]
  readonly onPick: (value: V) => void
}

/** One of several values, each with its text. */
export const Select = <V extends string>({ options, onPick, ...props }: SelectProps<V>) => (
  <select
    {...props}
    class="field"
    onChange={({ currentTarget }) => onPick(currentTarget.value as V)}
  >
    {options.map(([value, text]) => (
      <option key={value} value={value}>
        {text}
      </option>
    ))}
  </select>
)

export const rulesetOptions = rulesets.map((ruleset) => [ruleset, formatRuleset(ruleset)] as const)
