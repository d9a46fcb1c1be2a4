import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { Parameter } from '../../contract/openapi/types.ts'
import type { Call } from './document.ts'
import { ExamplePicker } from './example-picker.tsx'
import { writeJson } from './write-json.ts'

type FieldProps = {
  readonly parameter: Parameter
  readonly value: string
  readonly problem: string | null
  readonly onChange: (value: string) => void
}

/** `for example q7Jm2_xT0a`. */
const exampleOf = ({ schema }: Parameter): string => {
  const [example] = [schema['examples'] ?? []].flat()
  return typeof example === 'string' || typeof example === 'number' ? `for example ${example}` : ''
}

/** Takes what stands in the path, the query or a header. */
export const ParameterField = ({
  parameter,
  value,
  problem,
  onChange,
}: FieldProps): JSX.Element => {
  const id = useId()
  const { name, required } = parameter
  return (
    <div class="console-field">
      <label for={id}>
        <code>{name}</code>
        {!required && <span class="field-optional">optional</span>}
      </label>
      <input
        id={id}
        class="field"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        required={required}
        placeholder={exampleOf(parameter)}
        value={value}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {problem !== null && (
        <p id={`${id}-problem`} class="console-problem">
          {problem}
        </p>
      )}
    </div>
  )
}

type Body = NonNullable<Call['body']>

type BodyProps = {
  readonly body: Body
  readonly value: string
  readonly onChange: (value: string) => void
}

/** The text of an example. */
const exampleText = ({ examples }: Body, name: string): string => writeJson(examples[name]?.value)

const firstName = ({ examples }: Body): string => Object.keys(examples)[0] ?? ''

/** What a body begins as. */
export const firstExample = (body: Body): string => exampleText(body, firstName(body))

/** Takes a body as text, to begin with one of the examples. */
export const BodyField = ({ body, value, onChange }: BodyProps): JSX.Element => {
  const id = useId()
  const [chosen, choose] = useState(firstName(body))
  return (
    <div class="console-field">
      <div class="body-head">
        <label for={id}>Body</label>
        <ExamplePicker
          label="Start with"
          examples={body.examples}
          chosen={chosen}
          onChoose={(name) => {
            choose(name)
            onChange(exampleText(body, name))
          }}
        />
      </div>
      <textarea
        id={id}
        class="field body-field"
        rows={12}
        spellcheck={false}
        autocapitalize="off"
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
  )
}
