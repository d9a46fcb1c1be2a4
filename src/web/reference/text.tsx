import type { ComponentChildren } from 'preact'
import { API_PREFIX } from '../../contract/endpoint.ts'
import type { Examples } from '../../contract/openapi/types.ts'

/** A line with code between backticks. */
export const prose = (text: string): ComponentChildren =>
  text.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>))

/** Paragraphs, headings and code between backticks. */
export const proseBlocks = (text: string): ComponentChildren =>
  text
    .split(/\n{2,}/)
    .map((block) =>
      block.startsWith('## ') ? (
        <h2 key={block}>{block.slice(3)}</h2>
      ) : (
        <p key={block}>{prose(block)}</p>
      ),
    )

/** The request line of a call: `POST /api/v1/packs`. */
export const MethodLine = ({ method, path }: { method: string; path: string }) => (
  <span class="method-line">
    <span class={`method ${method.toLowerCase()}`}>{method}</span>{' '}
    <code>
      <span class="quiet-text">{API_PREFIX}</span>
      {path}
    </code>
  </span>
)

export const StatusCode = ({ status }: { status: string | number }) => (
  <b class={`status status-${String(status).charAt(0)}`}>{status}</b>
)

type ExamplePickerProps = {
  readonly label: string
  readonly examples: Examples
  /** Called with the JSON of the example. */
  readonly onChoose: (text: string) => void
}

/** Chooses among examples, the first one at first; only names the example if there is no choice. */
export function ExamplePicker({ label, examples, onChoose }: ExamplePickerProps) {
  const all = Object.values(examples)
  if (all.length < 2) return <p class="example-only">{all[0]?.summary}</p>
  return (
    <label class="example-picker">
      <span class="sr-only">{label}</span>
      <select
        class="field"
        onChange={({ currentTarget }) =>
          onChoose(writeJson(all[currentTarget.selectedIndex]?.value))
        }
      >
        {all.map(({ summary }) => (
          <option key={summary}>{summary}</option>
        ))}
      </select>
    </label>
  )
}

export const firstExample = (examples: Examples): string =>
  writeJson(Object.values(examples)[0]?.value)

/** The longest line to aim for, in characters: a slot fits at any depth. */
const WIDTH = 60

/**
 * Formats JSON. What fits is on one line, so that twenty slots are twenty lines.
 *
 * @param lead what is on the line before the value, indent and key, in characters.
 */
export function writeJson(value: unknown, indent = '', lead = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const [open, space, close] = isList ? ['[', '', ']'] : ['{', ' ', '}']
  const parts = Object.entries(value).map(([key, part]: [string, unknown]) => {
    const label = isList ? '' : `${JSON.stringify(key)}: `
    return label + writeJson(part, inner, inner.length + label.length)
  })
  if (parts.length === 0) return open + close
  const line = `${open}${space}${parts.join(', ')}${space}${close}`
  return lead + line.length < WIDTH && !line.includes('\n')
    ? line
    : `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`
}
