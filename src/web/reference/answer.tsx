import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { ErrorReply } from '../../contract/errors.ts'
import {
  FAILURES_PER_MINUTE,
  REQUESTS_PER_MINUTE,
  WRITES_PER_MINUTE,
} from '../../contract/quotas.ts'
import { CodeBlock } from '../docs/code-block.tsx'
import { count } from '../format.ts'
import { Meter } from '../parts/meter.tsx'
import type { WireAnswer } from './request.ts'
import { writeJson } from './text.tsx'

/** An answer of the service as it came. */
export function Answer({ answer }: { readonly answer: WireAnswer }): JSX.Element {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => element.current?.scrollIntoView({ block: 'nearest' }), [answer])
  const body = parse(answer.body)
  const error = errorOf(body)
  const advice = adviceOf(answer)
  const { status, statusText, milliseconds } = answer
  return (
    <div ref={element} class="answer">
      <div role="status">
        <p class="answer-status">
          <b class={`status status-${String(status).charAt(0)}`}>{status}</b>
          <b>{statusText}</b>
          <span class="quiet-text">in {Math.round(milliseconds)} ms</span>
        </p>
        {error && (
          <p class="answer-error">
            <code>{error.code}</code>
            <span>{error.message}</span>
          </p>
        )}
        {advice && <p class="console-note">{advice}</p>}
      </div>
      <Quota answer={answer} />
      <Body text={answer.body} body={body} />
      <Headers {...answer} />
    </div>
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const errorOf = (body: unknown): ErrorReply['error'] | null =>
  typeof body === 'object' && body !== null && 'error' in body ? (body as ErrorReply).error : null

/** What to do about a status, where that is not in the message already. */
function adviceOf(answer: WireAnswer): string | null {
  const wait = numberOf(answer, 'retry-after')
  if (wait !== null) return `Wait ${count(wait, 'second')} and try again.`
  if (answer.status === 304) return 'Not modified since the response with that ETag.'
  return null
}

function numberOf(answer: WireAnswer, name: string): number | null {
  const value = headerOf(answer, name)
  return value === null ? null : Number(value)
}

const headerOf = ({ headers }: WireAnswer, name: string): string | null =>
  headers.find(([each]) => each === name)?.[1] ?? null

/** What the quota of an answer is about, by its size: the three differ (spec 8). */
const quotaNames = new Map<number, string>([
  [REQUESTS_PER_MINUTE, 'Requests'],
  [WRITES_PER_MINUTE, 'Writes'],
  [FAILURES_PER_MINUTE, 'Failed attempts'],
])

function Quota({ answer }: { readonly answer: WireAnswer }): JSX.Element | null {
  const limit = numberOf(answer, 'ratelimit-limit')
  const left = numberOf(answer, 'ratelimit-remaining')
  const reset = numberOf(answer, 'ratelimit-reset')
  if (limit === null || left === null || reset === null) return null
  return (
    <Meter
      label={quotaNames.get(limit) ?? 'Quota'}
      value={left}
      max={limit}
      text={`${left} of ${limit} left, resets in ${reset} s`}
    />
  )
}

const Body = ({ text, body }: { readonly text: string; readonly body: unknown }): JSX.Element =>
  text === '' ? (
    <p class="console-note">No body.</p>
  ) : (
    <div class="answer-body">
      <CodeBlock text={body === undefined ? text : writeJson(body)} what="answer" />
    </div>
  )

const Headers = ({ headers }: WireAnswer): JSX.Element => (
  <details class="answer-headers">
    <summary>{count(headers.length, 'header')}</summary>
    <dl>
      {headers.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  </details>
)
