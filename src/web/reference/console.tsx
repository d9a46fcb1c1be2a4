import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { isWrite } from '../../contract/endpoint.ts'
import type { Parameter } from '../../contract/openapi/types.ts'
import type { ServiceName } from '../../contract/services.ts'
import { now } from '../format.ts'
import { Button } from '../parts/buttons.tsx'
import { Answer } from './answer.tsx'
import { BodyField, firstExample, ParameterField } from './console-fields.tsx'
import type { Call } from './document.ts'
import { KeyField } from './key-field.tsx'
import {
  type Filled,
  findObstacle,
  type Obstacle,
  sendRequest,
  type WireAnswer,
  writeRequest,
} from './request.ts'
import { SameCall } from './same-call.tsx'

type Sending =
  | { readonly phase: 'ready' }
  | { readonly phase: 'under way' }
  | { readonly phase: 'answered'; readonly answer: WireAnswer }
  | { readonly phase: 'unanswered' }

type Props = {
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

/** Makes a call for real, with somebody's own key. */
export const Console = (props: Props): JSX.Element => {
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

const noteOf = ({ method, needsKey }: Call): string => {
  if (!needsKey) return 'Does not count toward any limit.'
  if (method === 'DELETE') return 'This deletes the pack and counts toward your writes.'
  return isWrite(method)
    ? 'This changes your packs and counts toward your writes.'
    : 'Counts toward your requests.'
}
