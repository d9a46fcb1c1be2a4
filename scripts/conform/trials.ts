import { randomUUID } from 'node:crypto'
import { differenceOf, type Report, unlike } from './report.ts'
import type { Cut, Exchange, Service } from './wire.ts'

/** A write of the document: `PUT /packs/{slug}`, at an address with a body. */
export type Write = {
  readonly operation: string
  readonly path: string
  readonly body?: unknown
  /** Of what its address names, where its tag is read. */
  readonly read?: string
}

/** The ways in which the answer of a request is lost; `kept`: it arrives, and is not trusted. */
const losses = ['kept', 'answered', 'sent'] as const satisfies readonly (Cut | 'kept')[]

/** Lost answers and stale tags of single writes, by the rules of `Idempotency-Key` and `If-Match` (D-86). */
export class Trials {
  /** The operations that were tried. */
  readonly lost = new Set<string>()
  readonly stale = new Set<string>()
  readonly #service: Service
  readonly #report: Report
  #turn: number

  /** @param turn which way of losing an answer comes first. */
  constructor(service: Service, report: Report, turn: number) {
    this.#service = service
    this.#report = report
    this.#turn = turn
  }

  async tagOf(path: string): Promise<string> {
    return (await this.#service.get(path)).answer?.headers.get('etag') ?? ''
  }

  async #send(method: string, path: string, body: unknown, headers: Record<string, string>) {
    const asking = { headers, ...(body !== undefined && { body }) }
    const loss = losses[this.#turn++ % losses.length]!
    if (loss === 'kept') return this.#service.ask(method, path, asking)
    await this.#service.lose(method, path, loss, asking)
    return null
  }

  /**
   * A POST of which the answer is lost, repeated with the same key.
   *
   * @param list returns the ids of what there is of the kind that it makes.
   * @returns the answer to the repeated request.
   */
  async post({ operation, path, body }: Write, list: () => Promise<string[]>): Promise<Exchange> {
    this.lost.add(operation)
    const before = await list()
    const headers = { 'idempotency-key': randomUUID() }
    const first = await this.#send('POST', path, body, headers)
    const again = await this.#service.ask('POST', path, {
      headers,
      ...(body !== undefined && { body }),
    })
    const made = (await list()).filter((id) => !before.includes(id))
    const isMade = again.answer !== null && again.answer.status < 300
    let wrong = isMade ? null : `the repeated request is ${again.answer?.status ?? 'not answered'}`
    wrong ??= made.length === 1 ? null : `the repeated request left ${made.length} of them`
    if (wrong === null && !again.answer!.text.includes(made[0]!)) {
      wrong = `the answer does not name ${made[0]}, which was made`
    }
    if (wrong === null && first !== null) wrong = sameAnswer(first, again)
    this.#report.try('lost', wrong === null ? null : `${operation}: ${wrong}`, again)
    return again
  }

  /**
   * Another write of which the answer is lost, repeated with the same tag.
   *
   * @param differs returns what of the state is not as the write says; null where nothing is.
   */
  async write(
    { operation, path, body, read }: Write,
    differs: () => Promise<string | null>,
  ): Promise<void> {
    this.lost.add(operation)
    const method = methodOf(operation)
    const headers: Record<string, string> =
      read === undefined ? {} : { 'if-match': await this.tagOf(read) }
    const first = await this.#send(method, path, body, headers)
    const again = await this.#service.ask(method, path, {
      headers,
      ...(body !== undefined && { body }),
    })
    const status = again.answer?.status ?? 0
    let wrong: string | null = null
    if (first !== null && first.answer!.status >= 300) {
      wrong = `with the tag of what it names it is ${first.answer!.status}`
    } else if (status >= 300 && status !== 412 && !(status === 404 && method === 'DELETE')) {
      wrong = `the repeated request is ${status}`
    }
    wrong ??= await differs()
    this.#report.try('lost', wrong === null ? null : `${operation}: ${wrong}`, first ?? again)
  }

  /**
   * Writes with a tag that is not the current one: each is refused and changes nothing.
   *
   * @param change of what they name, which makes its tag stale; null where this account cannot change it: then
   *   the tag is one that never was.
   */
  async refuse(
    read: string,
    writes: readonly Write[],
    change: (() => Promise<Exchange>) | null,
  ): Promise<void> {
    let stale = '"never"'
    if (change !== null) {
      stale = await this.tagOf(read)
      const changed = await change()
      if ((changed.answer?.status ?? 500) >= 300) {
        return this.#report.try('stale', `a change of ${read} was refused`, changed)
      }
    }
    const before = await this.#service.get(read)
    for (const { operation, path, body } of writes) {
      this.stale.add(operation)
      const headers = { 'if-match': stale }
      const asking = { headers, ...(body !== undefined && { body }) }
      const refused = await this.#service.ask(methodOf(operation), path, asking)
      const after = await this.#service.get(read)
      const wrong =
        unlike(refused, 412, 'precondition_failed') ??
        differenceOf(before.answer?.json, after.answer?.json)
      this.#report.try('stale', wrong === null ? null : `${operation}: ${wrong}`, refused)
    }
  }
}

const methodOf = (operation: string): string => operation.split(' ', 1)[0]!

const sameAnswer = (first: Exchange, again: Exchange): string | null => {
  const [one, other] = [first.answer!, again.answer!]
  if (one.status !== other.status) return `${one.status} at first, then ${other.status}`
  const location = (answer: typeof one) => answer.headers.get('location')
  return (
    differenceOf(location(one), location(other), 'Location') ?? differenceOf(one.json, other.json)
  )
}
