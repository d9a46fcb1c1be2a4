import type { ComponentChildren } from 'preact'
import { API_PREFIX } from '../../contract/endpoint.ts'
import type { Examples } from '../../contract/openapi/types.ts'

/** A line with code between backticks. */
export const prose = (text: string): ComponentChildren =>
  text.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>))

/** Paragraphs, headings and code between backticks. */
export const proseBlocks = (text: string): ComponentChildren =>
  text.split(/\n{2,}/).map((block) => {
    const isHeading = block.startsWith('## ')
    return isHeading ? <h2 key={block}>{block.slice(3)}</h2> : <p key={block}>{prose(block)}</p>
  })

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

type PickerProps = { label: string; examples: Examples; onChoose: (json: string) => void }

/** Chooses among examples, the first one at first; only names the example if there is no choice. */
export function ExamplePicker({ label, examples, onChoose }: PickerProps) {
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

/** Formats JSON; what fits is on one line. `lead`: characters on the line before the value. */
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
