import { useEffect, useRef, useState } from 'preact/hooks'
import type { ErrorReply } from '../../contract/errors.ts'
import type { Examples } from '../../contract/openapi/types.ts'
import { Code } from './code.tsx'
import { pageData } from '../page-data.ts'
import { Button, LinkButton } from '../parts/buttons.tsx'
import { DefinitionList } from '../parts/definition-list.tsx'
import { Console, type ConsoleProps } from './console.tsx'
import {
  type EndpointHeaders,
  type EndpointReply,
  type Field,
  fieldsOf,
  parameterFields,
} from './document.ts'
import { ExamplePicker, firstExample, MethodLine, prose, StatusCode } from './text.tsx'

export function EndpointView(props: ConsoleProps) {
  const { endpoint, service, api } = props
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [])
  const parameters = parameterFields(endpoint)
  const common = new Set(api.commonHeaders.map(([name]) => name))
  return (
    <div class="call">
      <header class="call-head">
        <h1 ref={heading} tabIndex={-1}>
          {endpoint.summary}
        </h1>
        <p>
          <MethodLine method={endpoint.method} path={endpoint.path} />
        </p>
        <p>{prose(endpoint.description)}</p>
        <p class="call-jump">
          <Button label="Try it" onClick={goToConsole} />
        </p>
      </header>
      <section class="call-takes">
        <h2>Request</h2>
        {endpoint.needsKey && (
          <p>
            <code>Authorization: Bearer YOUR_KEY</code>, with a key for this service.
          </p>
        )}
        {parameters.length > 0 && <FieldTable fields={parameters} label="Parameters" />}
        {endpoint.body && (
          <>
            <h3>Body</h3>
            <p>{prose(endpoint.body.description)}</p>
            <FieldTable fields={fieldsOf(endpoint.body.schema)} label="Body fields" />
          </>
        )}
      </section>
      {service === pageData().service ? <Console {...props} /> : <OtherService {...props} />}
      <section class="call-replies">
        <h2>Responses</h2>
        {endpoint.replies.map((reply, at) => (
          <Reply key={reply.status} reply={reply} common={common} isOpen={at === 0} />
        ))}
      </section>
    </div>
  )
}

/** The fragment of the address names the call, so a link cannot lead there. */
function goToConsole(): void {
  const title = document.getElementById('console-title')
  title?.scrollIntoView()
  title?.focus({ preventScroll: true })
}

/** In place of the console: a page can call its own service only. */
function OtherService({ endpoint, service }: ConsoleProps) {
  const { poolsUrl, siteUrl } = pageData()
  const there = service === 'pools' ? poolsUrl : siteUrl
  return (
    <section class="console" aria-labelledby="console-title">
      <h2 id="console-title" tabIndex={-1}>
        Try it
      </h2>
      <p class="console-note">
        This service has its own keys and address, so this page cannot call it. Try this call on the
        service’s own site.
      </p>
      <p class="actions">
        <LinkButton href={`${there}/docs/reference#${endpoint.id}`}>
          Try it on that service’s site
        </LinkButton>
      </p>
    </section>
  )
}

/** `common`: the names of headers that are described elsewhere. */
type ReplyProps = { reply: EndpointReply; common: ReadonlySet<string>; isOpen: boolean }

function Reply({ reply, common, isOpen }: ReplyProps) {
  const { status, isError, description, schema, examples } = reply
  const headers = reply.headers.filter(([name]) => !common.has(name))
  return (
    <details class="reply" open={isOpen}>
      <summary>
        <StatusCode status={status} />
        <span>{prose(description)}</span>
      </summary>
      <div>
        {headers.length > 0 && <HeaderList headers={headers} />}
        {schema && !isError && (
          <FieldTable fields={fieldsOf(schema)} label={`Fields of the ${status} response`} />
        )}
        {Object.keys(examples).length > 0 &&
          (isError ? <ErrorCases examples={examples} /> : <Example examples={examples} />)}
        {!schema && headers.length === 0 && <p class="quiet-text">No body.</p>}
      </div>
    </details>
  )
}

export const HeaderList = ({ headers }: { headers: EndpointHeaders }) => (
  <DefinitionList
    class="header-list"
    entries={headers.map(([name, { description }]) => [<code>{name}</code>, prose(description)])}
  />
)

const ErrorCases = ({ examples }: { examples: Examples }) => (
  <DefinitionList
    class="reply-cases"
    entries={Object.values(examples).map(({ summary, value }) => {
      const { code, message } = (value as ErrorReply).error
      return [summary, [<code>{code}</code>, ` ${message}`]]
    })}
  />
)

function Example({ examples }: { examples: Examples }) {
  const [text, setText] = useState(() => firstExample(examples))
  return (
    <div class="reply-example">
      <ExamplePicker label="Example" examples={examples} onChoose={setText} />
      <Code text={text} what="example" />
    </div>
  )
}

const FieldTable = ({ fields, label }: { fields: readonly Field[]; label: string }) => (
  <table class="field-table" aria-label={label}>
    <tbody>
      {fields.map((field) => (
        <FieldRow key={field.path} {...field} />
      ))}
    </tbody>
  </table>
)

function FieldRow({ name, depth, isRequired, type, bounds, values, description }: Field) {
  const text = description !== '' && prose(description)
  const head = { scope: 'row', class: `depth-${Math.min(depth, 4)}` } as const
  if (name === null) {
    return (
      <tr class="field-shape">
        <th {...head}>{type}</th>
        <td>{text}</td>
      </tr>
    )
  }
  return (
    <tr>
      <th {...head}>
        <code>{name}</code>
        {!isRequired && <span class="field-optional">optional</span>}
      </th>
      <td>
        <span class="field-kind">
          {bounds === '' ? type : `${type}, ${bounds}`}
          {values.length > 0 && ':'}
          {values.flatMap((value) => [' ', <code key={value}>{value}</code>])}
        </span>
        {text && <span class="field-text">{text}</span>}
      </td>
    </tr>
  )
}
