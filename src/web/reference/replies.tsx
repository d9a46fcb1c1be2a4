import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Examples } from '../../contract/openapi/types.ts'
import type { ErrorReply } from '../../contract/errors.ts'
import { CodeBlock } from '../docs/code-block.tsx'
import type { Call, CallHeader, CallReply, Resolve } from './document.ts'
import { ExamplePicker } from './example-picker.tsx'
import { fieldsOf } from './fields.ts'
import { FieldTable } from './field-table.tsx'
import { Prose } from './prose.tsx'
import { writeJson } from './write-json.ts'

const isError = ({ status }: CallReply): boolean => Number(status) >= 400

export const HeaderList = ({ headers }: { readonly headers: readonly CallHeader[] }) => (
  <dl class="header-list">
    {headers.map(({ name, description }) => (
      <div key={name}>
        <dt>
          <code>{name}</code>
        </dt>
        <dd>
          <Prose text={description} />
        </dd>
      </div>
    ))}
  </dl>
)

const Example = ({ examples }: { readonly examples: Examples }): JSX.Element => {
  const [chosen, choose] = useState(Object.keys(examples)[0] ?? '')
  return (
    <div class="reply-example">
      <ExamplePicker label="Example" examples={examples} chosen={chosen} onChoose={choose} />
      <CodeBlock text={writeJson(examples[chosen]?.value)} what="example" />
    </div>
  )
}

/** What a refusal says, case by case. */
const Cases = ({ examples }: { readonly examples: Examples }): JSX.Element => (
  <dl class="reply-cases">
    {Object.entries(examples).map(([name, { summary, value }]) => {
      const { code, message } = (value as ErrorReply).error
      return (
        <div key={name}>
          <dt>{summary}</dt>
          <dd>
            <code>{code}</code> {message}
          </dd>
        </div>
      )
    })}
  </dl>
)

type ReplyProps = {
  readonly reply: CallReply
  readonly standing: ReadonlySet<string>
  readonly isOpen: boolean
  readonly resolve: Resolve
}

const Reply = ({ reply, standing, isOpen, resolve }: ReplyProps): JSX.Element => {
  const { status, description, schema, examples } = reply
  const headers = reply.headers.filter(({ name }) => !standing.has(name))
  const hasExamples = Object.keys(examples).length > 0
  return (
    <details class="reply" open={isOpen}>
      <summary>
        <b class={`status status-${status.charAt(0)}`}>{status}</b>
        <span>
          <Prose text={description} />
        </span>
      </summary>
      <div>
        {headers.length > 0 && <HeaderList headers={headers} />}
        {schema !== null && !isError(reply) && (
          <FieldTable
            fields={fieldsOf(schema, resolve)}
            label={`Fields of the ${status} response`}
          />
        )}
        {hasExamples &&
          (isError(reply) ? <Cases examples={examples} /> : <Example examples={examples} />)}
        {schema === null && headers.length === 0 && <p class="quiet-text">No body.</p>}
      </div>
    </details>
  )
}

type Props = {
  readonly call: Call
  readonly standing: readonly CallHeader[]
  readonly resolve: Resolve
}

/** Everything that a call can answer. */
export const Replies = ({ call, standing, resolve }: Props): JSX.Element => {
  const names = new Set(standing.map(({ name }) => name))
  return (
    <section class="call-replies">
      <h2>Responses</h2>
      {call.replies.map((reply, at) => (
        <Reply
          key={reply.status}
          reply={reply}
          standing={names}
          isOpen={at === 0}
          resolve={resolve}
        />
      ))}
    </section>
  )
}
