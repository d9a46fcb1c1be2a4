import type { Effect, Request, Things } from './connection-model.ts'

/** What became of a sequence, as its client saw it. */
export type Seen = {
  /** How many bytes were sent. */
  readonly sent: number
  /** null: the client ended its side neither way. */
  readonly ended: 'half' | 'reset' | null
  /** How many bytes had been sent and received when the server began to drain; null: it did not. */
  readonly drained: { readonly sent: number; readonly received: number } | null
  readonly received: Buffer
  readonly isClosed: boolean
  readonly before: Things
  readonly after: Things
}

export type Verdict =
  | 'executed behind a close'
  | 'out of order'
  | 'closed needlessly'
  | 'not closed'
  | 'unanswered'
  | 'standing'
  | 'not executed'

export type Fault = { readonly verdict: Verdict; readonly what: string }

type Answer = {
  readonly status: number
  readonly closes: boolean
  readonly body: string
  /** Where it ends in what was received. */
  readonly end: number
}

/** Reads answers one by one: only the request says whether there is a body. */
function nextAnswer(text: string, at: number, isHead: boolean): Answer | null {
  const headEnd = text.indexOf('\r\n\r\n', at)
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text.slice(at, at + 13))?.[1])
  if (headEnd < 0 || !status) return null
  const head = text.slice(at, headEnd + 2).toLowerCase()
  const hasBody = !isHead && status !== 204 && status !== 304 && status >= 200
  const length = hasBody ? Number(/\r\ncontent-length: (\d+)\r/.exec(head)?.[1]) : 0
  const end = headEnd + 4 + length
  if (!(end <= text.length)) return null
  const body = text.slice(headEnd + 4, end)
  return { status, closes: head.includes('\r\nconnection: close\r'), body, end }
}

const apply = (things: Things, { slug, name }: Effect): Things => {
  const after = new Map(things)
  const at = slug ?? name!
  if (name === null) after.delete(at)
  else if (slug === null || after.has(at)) after.set(at, name)
  return after
}

const shown = (things: Things): string => [...things.values()].toSorted().join(' ')

/** Compares what was seen with what HTTP/1.1 says (RFC 9112); null: it is as it should be. */
export function judge(requests: readonly Request[], seen: Seen): Fault | null {
  const { sent, ended, drained } = seen
  const text = seen.received.toString('latin1')
  const fault = (verdict: Verdict, what: string): Fault => ({ verdict, what })
  if (!seen.isClosed) return fault('standing', 'the connection stands')
  let things = seen.before
  /** What may be there as well, when the client went without waiting for its answers. */
  const possible: Things[] = []
  let start = 0
  let at = 0
  let isLast = false
  for (const [index, request] of requests.entries()) {
    const end = start + request.bytes.length
    const isWhole = end <= sent
    if (start >= sent) break
    const headLength = request.bytes.indexOf('\r\n\r\n', 4) + 4
    const isHead = request.isHead && start + headLength <= sent
    const isLate = drained !== null && start >= drained.sent
    const isAsked = request.closes === 'yes' || isLate
    let answer = nextAnswer(text, at, isHead)
    if (answer?.status === 100 && request.asksToContinue) {
      at = answer.end
      answer = nextAnswer(text, at, isHead)
    }
    start = end
    if (answer === null) {
      if (ended !== 'reset' && isWhole) return fault('unanswered', `request ${index}`)
      possible.push(things)
      if (request.effect) {
        things = isWhole || request.effect.name === null ? apply(things, request.effect) : things
        possible.push(things)
      }
      if (isAsked || request.isLast) break
      continue
    }
    at = answer.end
    const { status, closes } = answer
    const isExpected =
      request.statuses.includes(status) || (!isWhole && (status === 400 || status === 408))
    const isOwnBody =
      !request.shows ||
      answer.status !== 200 ||
      answer.body.includes(JSON.stringify(things.get(request.shows)))
    if (!isExpected || !isOwnBody) {
      return fault('out of order', `request ${index} was answered ${status} ${answer.body}`)
    }
    if (isAsked && !closes) return fault('not closed', `after request ${index}`)
    const wasDraining = drained !== null && answer.end > drained.received
    const mayClose = isAsked || request.closes === 'either' || wasDraining || !isWhole
    if (closes && !mayClose) return fault('closed needlessly', `after request ${index}, ${status}`)
    if (status < 300 && request.effect) things = apply(things, request.effect)
    possible.length = 0
    // The body of a DELETE means nothing: it may be done before it is known that the rest will not come.
    if (!isWhole && status >= 400 && request.effect?.name === null) {
      possible.push(apply(things, request.effect))
    }
    isLast = request.isLast === true && !closes
    if (closes || isLast) break
  }
  // What is refused before its end comes may be followed by the refusal of the rest.
  const isRefused = /^HTTP\/1\.1 400 [^]*\r\nconnection: close\r/i.test(text.slice(at))
  if (at < text.length && !(isLast && isRefused)) {
    return fault('executed behind a close', `more came: ${text.slice(at, at + 200)}`)
  }
  const after = shown(seen.after)
  if ([things, ...possible].some((each) => shown(each) === after)) return null
  const verdict = seen.after.size > things.size ? 'executed behind a close' : 'not executed'
  return fault(verdict, `there is ${after} in place of ${shown(things)}`)
}
