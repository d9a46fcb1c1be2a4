import type { JSX } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { isWrite } from '../../contract/endpoint.ts'
import type { Parameter } from '../../contract/openapi/types.ts'
import type { ServiceName } from '../../contract/services.ts'
import { CodeBlock } from '../docs/code-block.tsx'
import { now } from '../format.ts'
import { pageData } from '../page-data.ts'
import { Button } from '../parts/buttons.tsx'
import { Answer } from './answer.tsx'
import type { Call } from './document.ts'
import {
  asCurl,
  asFetch,
  type Filled,
  findObstacle,
  type Obstacle,
  sendRequest,
  type WireAnswer,
  type WireRequest,
  writeRequest,
} from './request.ts'
import { ExamplePicker, writeJson } from './text.tsx'

type ConsoleProps = {
  readonly call: Call
  readonly service: ServiceName
  /** The service's address with its version. */
  readonly server: string
  readonly apiKey: string
  readonly onKey: (key: string) => void
  /** The slug of the last pack that was seen here. */
  readonly slug: string
  readonly onAnswer: (answer: WireAnswer) => void
}

type Sending =
  | { readonly phase: 'ready' }
  | { readonly phase: 'under way' }
  | { readonly phase: 'answered'; readonly answer: WireAnswer }
  | { readonly phase: 'unanswered' }

/** Makes a call for real, with somebody's own key. */
export function Console(props: ConsoleProps): JSX.Element {
  const { call, service, server, apiKey, onKey, slug, onAnswer } = props
  const [filled, fill] = useState<Filled>({
    parameters: { slug },
    body: call.body ? firstExample(call.body) : '',
  })
  const [obstacle, setObstacle] = useState<Obstacle | null>(null)
  const [sending, setSending] = useState<Sending>({ phase: 'ready' })
  const controller = useRef<AbortController | null>(null)
  useEffect(() => () => controller.current?.abort(), [])
  const request = writeRequest(call, filled)
  const key = call.needsKey ? apiKey.trim() : ''
  const problemOf = (field: string): string | null =>
    obstacle?.field === field ? obstacle.remedy : null

  const send = async (): Promise<void> => {
    const found = findObstacle(call, filled, key)
    setObstacle(found)
    if (found !== null) return
    const { signal } = (controller.current = new AbortController())
    setSending({ phase: 'under way' })
    try {
      const answer = await sendRequest(request, key, { now, signal })
      setSending({ phase: 'answered', answer })
      onAnswer(answer)
    } catch {
      if (!signal.aborted) setSending({ phase: 'unanswered' })
    }
  }

  const fieldOf = (parameter: Parameter): JSX.Element => (
    <ParameterField
      key={parameter.name}
      parameter={parameter}
      value={filled.parameters[parameter.name] ?? ''}
      problem={problemOf(parameter.name)}
      onChange={(value) =>
        fill({ ...filled, parameters: { ...filled.parameters, [parameter.name]: value } })
      }
    />
  )

  const headers = call.parameters.filter((parameter) => parameter.in === 'header')

  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send()
  }

  return (
    <section class="console" aria-labelledby="console-title" onKeyDown={press}>
      <h2 id="console-title" tabIndex={-1}>
        Try it
      </h2>
      {call.needsKey && <KeyField value={apiKey} problem={problemOf('key')} onChange={onKey} />}
      {call.parameters.filter((parameter) => parameter.in !== 'header').map(fieldOf)}
      {call.body && (
        <BodyField
          body={call.body}
          value={filled.body}
          onChange={(body) => fill({ ...filled, body })}
        />
      )}
      {headers.length > 0 && (
        <details class="console-more">
          <summary>Headers</summary>
          {headers.map(fieldOf)}
        </details>
      )}
      <div class="console-send">
        <Button
          tone={call.method === 'DELETE' ? 'danger' : 'primary'}
          busy={sending.phase === 'under way'}
          onClick={() => void send()}
        >
          Send
        </Button>
        <p class="console-note">{noteOf(call)}</p>
      </div>
      {sending.phase === 'answered' && <Answer answer={sending.answer} />}
      {sending.phase === 'unanswered' && (
        <p class="console-problem" role="alert">
          No answer came. Check your connection and send it again.
        </p>
      )}
      <SameCall
        request={request}
        server={server}
        keyName={call.needsKey ? `${service.toUpperCase()}_KEY` : null}
      />
    </section>
  )
}

type Body = NonNullable<Call['body']>

const firstExample = (body: Body): string => exampleText(body, firstName(body))

const exampleText = ({ examples }: Body, name: string): string => writeJson(examples[name]?.value)

const firstName = ({ examples }: Body): string => Object.keys(examples)[0] ?? ''

type FieldProps = {
  readonly parameter: Parameter
  readonly value: string
  readonly problem: string | null
  readonly onChange: (value: string) => void
}

function ParameterField({ parameter, value, problem, onChange }: FieldProps): JSX.Element {
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

/** `for example q7Jm2_xT0a`. */
function exampleOf({ schema }: Parameter): string {
  const [example] = [schema['examples'] ?? []].flat()
  return typeof example === 'string' || typeof example === 'number' ? `for example ${example}` : ''
}

type KeyFieldProps = {
  readonly value: string
  /** What is wrong with it; null when nothing is. */
  readonly problem: string | null
  readonly onChange: (key: string) => void
}

/** Takes a key, hidden unless asked to show it. It lives in this page's memory and nowhere else. */
function KeyField({ value, problem, onChange }: KeyFieldProps): JSX.Element {
  const [isShown, show] = useState(false)
  const { keyPrefix } = pageData()
  return (
    <div class="console-field">
      <label for="console-key">API key</label>
      <div class="key-row">
        <input
          id="console-key"
          class="field"
          {...(isShown ? { type: 'text' as const } : { type: 'password' as const })}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder={`${keyPrefix}_…`}
          value={value}
          aria-invalid={problem !== null}
          aria-describedby="console-key-note"
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
        <Button tone="quiet" aria-pressed={isShown} onClick={() => show(!isShown)}>
          {isShown ? 'Hide' : 'Show'}
          <span class="sr-only"> the key</span>
        </Button>
      </div>
      <p id="console-key-note" class={problem === null ? 'console-note' : 'console-problem'}>
        {problem ?? (
          <>
            The key stays on this page and is forgotten when you leave. Create one on{' '}
            <a href="/account">your account page</a>.
          </>
        )}
      </p>
    </div>
  )
}

type BodyProps = {
  readonly body: Body
  readonly value: string
  readonly onChange: (value: string) => void
}

function BodyField({ body, value, onChange }: BodyProps): JSX.Element {
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

function noteOf({ method, needsKey }: Call): string {
  if (!needsKey) return 'Does not count toward any limit.'
  if (method === 'DELETE') return 'This deletes the pack and counts toward your writes.'
  return isWrite(method)
    ? 'This changes your packs and counts toward your writes.'
    : 'Counts toward your requests.'
}

type SameCallProps = {
  readonly request: WireRequest
  readonly server: string
  readonly keyName: string | null
}

const ways = [
  ['curl', 'command', asCurl],
  ['fetch', 'code', asFetch],
] as const

/** The call as one would make it elsewhere; never with the key itself. */
function SameCall({ request, server, keyName }: SameCallProps): JSX.Element {
  const [chosen, choose] = useState(0)
  const [, what, write] = ways[chosen] ?? ways[0]
  return (
    <div class="same-call">
      <div class="same-call-ways" role="group" aria-labelledby="same-call-title">
        <h3 id="same-call-title">Code</h3>
        {ways.map(([name], at) => (
          <button
            key={name}
            type="button"
            class="way"
            aria-pressed={at === chosen}
            onClick={() => choose(at)}
          >
            {name}
          </button>
        ))}
      </div>
      <CodeBlock text={write(request, server, keyName)} what={what} />
    </div>
  )
}
