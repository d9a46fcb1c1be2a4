import type { JSX } from 'preact'
import { API_PREFIX } from '../../contract/endpoint.ts'
import type { Examples } from '../../contract/openapi/types.ts'

/** A line with code between backticks. */
export const Prose = ({ text }: { readonly text: string }): JSX.Element => (
  <>{text.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>))}</>
)

/** What a document says at its head: paragraphs, headings and code between backticks. */
export const ProseBlocks = ({ text }: { readonly text: string }): JSX.Element => (
  <>
    {text.split(/\n{2,}/).map((block) =>
      block.startsWith('## ') ? (
        <h2 key={block}>{block.slice(3)}</h2>
      ) : (
        <p key={block}>
          <Prose text={block} />
        </p>
      ),
    )}
  </>
)

/** How a call begins: `POST /api/v1/packs`. */
export const MethodLine = ({ method, path }: Record<'method' | 'path', string>): JSX.Element => (
  <span class="method-line">
    <span class={`method ${method.toLowerCase()}`}>{method}</span>{' '}
    <code>
      <span class="quiet-text">{API_PREFIX}</span>
      {path}
    </code>
  </span>
)

/** JSON for people: what fits into a line stands on one, so that twenty slots are twenty lines. */
export const writeJson = (value: unknown): string => write(value, '', 0)

/** The longest line to aim for, in characters: a slot fits, as deep as it stands. */
const WIDTH = 60

/**
 * @param lead what stands on the line before the value, indent and key, in characters.
 */
function write(value: unknown, indent: string, lead: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const [open, space, close] = isList ? ['[', '', ']'] : ['{', ' ', '}']
  const parts = Object.entries(value).map(([key, part]: [string, unknown]) => {
    const label = isList ? '' : `${JSON.stringify(key)}: `
    return label + write(part, inner, inner.length + label.length)
  })
  if (parts.length === 0) return open + close
  const line = `${open}${space}${parts.join(', ')}${space}${close}`
  return lead + line.length < WIDTH && !line.includes('\n')
    ? line
    : `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`
}

type ExamplePickerProps = {
  readonly label: string
  readonly examples: Examples
  readonly chosen: string
  readonly onChoose: (name: string) => void
}

/** Chooses among examples; the name of the only one where there is no choice. */
export function ExamplePicker({
  label,
  examples,
  chosen,
  onChoose,
}: ExamplePickerProps): JSX.Element {
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
