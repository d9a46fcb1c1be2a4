import type { JSX } from 'preact'
import type { Field } from './fields.ts'
import { Prose } from './prose.tsx'

/** `integer, 1 to 99`; the values themselves where they are few. */
const Kind = ({ type, bounds, values }: Field): JSX.Element => (
  <span class="field-kind">
    {[type, bounds].filter((part) => part !== '').join(', ')}
    {values.length > 0 && ': '}
    {values.map((value, at) => (
      <>
        {at > 0 && ' '}
        <code key={value}>{value}</code>
      </>
    ))}
  </span>
)

const Row = ({ field }: { readonly field: Field }): JSX.Element => {
  const depth = `depth-${Math.min(field.depth, 4)}`
  if (field.name === null) {
    return (
      <tr class="field-shape">
        <th scope="row" class={depth}>
          {field.type}
        </th>
        <td>
          <Prose text={field.description} />
        </td>
      </tr>
    )
  }
  return (
    <tr>
      <th scope="row" class={depth}>
        <code>{field.name}</code>
        {!field.isRequired && <span class="field-optional">optional</span>}
      </th>
      <td>
        <Kind {...field} />
        {field.description !== '' && (
          <span class="field-text">
            <Prose text={field.description} />
          </span>
        )}
      </td>
    </tr>
  )
}

type Props = { readonly fields: readonly Field[]; readonly label: string }

/** What an object holds, or what a call takes. */
export const FieldTable = ({ fields, label }: Props): JSX.Element => (
  <table class="field-table" aria-label={label}>
    <tbody>
      {fields.map((field) => (
        <Row key={field.path} field={field} />
      ))}
    </tbody>
  </table>
)
