import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ErrorReply } from '../../contract/errors.ts'
import type { Examples } from '../../contract/openapi/types.ts'
import type { ServiceName } from '../../contract/services.ts'
import { CodeBlock } from '../docs/code-block.tsx'
import { pageData } from '../page-data.ts'
import { Button, LinkButton } from '../parts/buttons.tsx'
import { Console } from './console.tsx'
import type { Api, Call, CallHeader, CallReply, Resolve } from './document.ts'
import { fieldsOf, FieldTable, parameterFields } from './fields.tsx'
import { ExamplePicker, MethodLine, Prose, writeJson } from './text.tsx'

type CallViewProps = Omit<Parameters<typeof Console>[0], 'server'> & { readonly api: Api }

/** One call: what it takes, a console to try it, and what it answers. */
export function CallView({
  api: { server, standing, resolve },
  ...props
}: CallViewProps): JSX.Element {
  const { call, service } = props
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [])
  const parameters = parameterFields(call, resolve)
  return (
    <div class="call">
      <header class="call-head">
        <h1 ref={heading} tabIndex={-1}>
          {call.summary}
        </h1>
        <p>
          <MethodLine method={call.method} path={call.path} />
        </p>
        <p>
          <Prose text={call.description} />
        </p>
        <p class="call-jump">
          <Button onClick={goToConsole}>Try it</Button>
        </p>
      </header>
      <section class="call-takes">
        <h2>Request</h2>
        {call.needsKey && (
          <p>
            <code>Authorization: Bearer YOUR_KEY</code>, with a key for this service.
          </p>
        )}
        {parameters.length > 0 && <FieldTable fields={parameters} label="Parameters" />}
        {call.body && (
          <>
            <h3>Body</h3>
            <p>
              <Prose text={call.body.description} />
            </p>
            <FieldTable fields={fieldsOf(call.body.schema, resolve)} label="Body fields" />
          </>
        )}
      </section>
      {service === pageData().service ? (
        <Console {...props} server={server} />
      ) : (
        <Elsewhere call={call} service={service} />
      )}
      <Replies call={call} standing={standing} resolve={resolve} />
    </div>
  )
}

/** The part of the address behind `#` says which call it is, so a link cannot lead there. */
function goToConsole(): void {
  const title = document.getElementById('console-title')
  title?.scrollIntoView()
  title?.focus({ preventScroll: true })
}

/** In the place of the console: a page may talk to its own service alone. */
function Elsewhere({ call, service }: { readonly call: Call; readonly service: ServiceName }) {
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
        <LinkButton href={`${there}/docs/reference#${call.id}`}>
          Try it on that service’s site
        </LinkButton>
      </p>
    </section>
  )
}

type RepliesProps = {
  readonly call: Call
  readonly standing: readonly CallHeader[]
  readonly resolve: Resolve
}

function Replies({ call, standing, resolve }: RepliesProps): JSX.Element {
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

type ReplyProps = {
  readonly reply: CallReply
  readonly standing: ReadonlySet<string>
  readonly isOpen: boolean
  readonly resolve: Resolve
}

function Reply({ reply, standing, isOpen, resolve }: ReplyProps): JSX.Element {
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

const isError = ({ status }: CallReply): boolean => Number(status) >= 400

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

function Example({ examples }: { readonly examples: Examples }): JSX.Element {
  const [chosen, choose] = useState(Object.keys(examples)[0] ?? '')
  return (
    <div class="reply-example">
      <ExamplePicker label="Example" examples={examples} chosen={chosen} onChoose={choose} />
      <CodeBlock text={writeJson(examples[chosen]?.value)} what="example" />
    </div>
  )
}
