import type { Exchange } from './wire.ts'

/** What is tried, in the order of the report. `optional`: not every installation allows it. */
export const checks = {
  document: { says: 'writes that the document of the installation guards and repeats' },
  statuses: { says: 'answers of a kind whose status the document lists' },
  packs: { says: 'packs that came back by the rules' },
  rounds: { says: 'tournaments, rounds and what is said of them that came back by the rules' },
  refusals: { says: 'invalid requests that were refused and changed nothing' },
  races: { says: 'concurrent writes of which as many won as may' },
  lost: { says: 'lost answers after which the repeated request did nothing twice' },
  stale: { says: 'stale tags that were refused and changed nothing' },
  derived: { says: 'own tags that were valid after stats came', optional: true },
  guide: { says: 'programs of the guide that did what it says' },
  idle: { says: 'polls that were 304 while nothing changed' },
  parts: { says: 'services whose trials nothing broke off' },
  cleanup: { says: 'things that were made and removed' },
} as const satisfies Readonly<Record<string, { readonly says: string; readonly optional?: true }>>

export type Check = keyof typeof checks

export type Fault = {
  readonly check: Check
  readonly wrong: string
  readonly request?: object
  readonly answer?: object
}

const names = Object.keys(checks) as Check[]
const LONGEST = 2_000
const PRINTED = 10

/** What was tried, how often, and what was wrong. */
export class Report {
  readonly faults: Fault[] = []
  readonly notes: string[] = []
  readonly #tried = new Map<Check, number>(names.map((name) => [name, 0]))
  requests = 0

  /** Counts one try; `wrong` is null where it went well. */
  try(check: Check, wrong: string | null, exchange?: Exchange): void {
    this.#tried.set(check, this.tried(check) + 1)
    if (wrong === null) return
    this.faults.push({ check, wrong, ...(exchange !== undefined && shown(exchange)) })
  }

  tried(check: Check): number {
    return this.#tried.get(check) ?? 0
  }

  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text)
  }

  faultsOf(check: Check): number {
    return this.faults.filter((fault) => fault.check === check).length
  }

  /** What has to be tried and was not: there was no time for it. */
  get untried(): Check[] {
    return names.filter((name) => this.tried(name) === 0 && !('optional' in checks[name]))
  }

  get isClean(): boolean {
    return this.faults.length === 0 && this.untried.length === 0
  }

  get json(): object {
    const tried = names.map((name) => {
      const faults = this.faultsOf(name)
      return { check: name, says: checks[name].says, tried: this.tried(name), faults }
    })
    const { isClean, requests, notes, untried, faults } = this
    return { ok: isClean, requests, tried, untried, notes, faults }
  }

  get text(): string {
    const lines = names.map((name) => {
      const [tried, faults] = [this.tried(name), this.faultsOf(name)]
      return `${String(tried - faults).padStart(6)} of ${String(tried).padStart(5)}  ${checks[name].says}`
    })
    lines.push('', `${this.requests} requests`, ...this.notes)
    for (const name of this.untried) lines.push(`Not tried: ${checks[name].says}.`)
    for (const { check, wrong, request, answer } of this.faults.slice(0, PRINTED)) {
      lines.push('', `${check}: ${wrong}`)
      if (request !== undefined) lines.push(`  request ${JSON.stringify(request)}`)
      if (answer !== undefined) lines.push(`  answer  ${JSON.stringify(answer)}`)
    }
    const more = this.faults.length - PRINTED
    if (more > 0) lines.push('', `and ${more} more; --json prints all`)
    return lines.join('\n')
  }
}

/** The key is in neither of them. */
const shown = ({ request, answer }: Exchange): Pick<Fault, 'request' | 'answer'> => ({
  request: { ...request, body: cut(request.body) },
  ...(answer !== null && {
    answer: {
      status: answer.status,
      headers: Object.fromEntries(
        ['etag', 'location', 'x-request-id', 'x-ignored-fields'].flatMap((name) => {
          const value = answer.headers.get(name)
          return value === null ? [] : [[name, value]]
        }),
      ),
      body: cut(answer.text),
    },
  }),
})

const cut = (body: unknown): unknown => {
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
  return text.length <= LONGEST ? body : `${text.slice(0, LONGEST)}…`
}

/** Where two JSON values differ first, and how; null where they are equal. Order of fields does not count. */
export const differenceOf = (wanted: unknown, got: unknown, place = ''): string | null => {
  if (Object.is(wanted, got)) return null
  const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null
  if (!isNested(wanted) || !isNested(got) || Array.isArray(wanted) !== Array.isArray(got)) {
    return `${place === '' ? 'the whole' : place} is ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`
  }
  const inner = (value: object, name: string) => (value as Record<string, unknown>)[name]
  for (const name of new Set([...Object.keys(wanted), ...Object.keys(got)])) {
    const below = Array.isArray(wanted)
      ? `${place}[${name}]`
      : `${place}.${name}`.replace(/^\./, '')
    const difference = differenceOf(inner(wanted, name), inner(got, name), below)
    if (difference !== null) return difference
  }
  return null
}

/** What is wrong with a status or an error code. */
export const unlike = ({ answer }: Exchange, status: number, code?: string): string | null => {
  if (answer?.status !== status) return `${answer?.status ?? 'no answer'}, not ${status}`
  const got = answer.json?.error?.code
  return code === undefined || got === code ? null : `error.code is ${got}, not ${code}`
}
