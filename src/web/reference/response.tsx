import { useEffect, useRef } from 'preact/hooks'
import { errorIn, readCount } from '../../client/request.ts'
import * as quotas from '../../contract/quotas.ts'
import { Code } from './code.tsx'
import { count } from '../format.ts'
import { DefinitionList } from '../parts/definition-list.tsx'
import { Meter } from '../parts/meter.tsx'
import { parseJson, type WireResponse } from './request.ts'
import { StatusCode, writeJson } from './text.tsx'

export function ResponseView(response: WireResponse) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => element.current?.scrollIntoView({ block: 'nearest' }), [])
  const { status, statusText, milliseconds, headers, body } = response
  const json = parseJson(body)
  const error = errorIn(json)
  const advice = adviceOf(response)
  return (
    <div ref={element} class="answer">
      <div role="status">
        <p class="answer-status">
          <StatusCode status={status} />
          <b>{statusText}</b>
          <span class="quiet-text">in {Math.round(milliseconds)} ms</span>
        </p>
        {error && (
          <p class="answer-error">
            <code>{String(error.code)}</code>
            <span>{error.message}</span>
          </p>
        )}
        {advice && <p class="console-note">{advice}</p>}
      </div>
      <Quota headers={headers} />
      {body === '' ? (
        <p class="console-note">No body.</p>
      ) : (
        <div class="answer-body">
          <Code text={json === undefined ? body : writeJson(json)} what="answer" />
        </div>
      )}
      <details class="answer-headers">
        <summary>{count([...headers].length, 'header')}</summary>
        <DefinitionList entries={[...headers]} />
      </details>
    </div>
  )
}

/** What to do about a status, if the message does not say it. */
function adviceOf({ status, headers }: WireResponse): string | null {
  const wait = readCount(headers, 'retry-after')
  if (wait !== null) return `Wait ${count(wait, 'second')} and try again.`
  return status === 304 ? 'Not modified since the response with that ETag.' : null
}

/** The quotas by their size; they all differ (spec 8). */
const quotaNames = new Map([
  [quotas.REQUESTS_PER_MINUTE, 'Requests'],
  [quotas.WRITES_PER_MINUTE, 'Writes'],
  [quotas.FAILURES_PER_MINUTE, 'Failed attempts'],
])

function Quota({ headers }: { headers: Headers }) {
  const limit = readCount(headers, 'ratelimit-limit')
  const left = readCount(headers, 'ratelimit-remaining')
  const reset = readCount(headers, 'ratelimit-reset')
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
