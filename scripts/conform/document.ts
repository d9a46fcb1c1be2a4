import type { Report } from './report.ts'
import type { Trials } from './trials.ts'
import type { Service } from './wire.ts'

/** The writes that a service itself says it has: `PUT /packs/{slug}`, with the headers that they take. */
export const readWrites = async (
  service: Service,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const document = (await service.get('/openapi.json')).answer?.json
  const writes = new Map<string, readonly string[]>()
  for (const [path, item] of Object.entries<PathItem>(document?.paths ?? {})) {
    for (const [method, operation] of Object.entries(item)) {
      if (!['post', 'put', 'patch', 'delete'].includes(method)) continue
      const headers = (operation.parameters ?? [])
        .map((part) => resolved(document, part))
        .filter((parameter) => parameter.in === 'header')
        .map(({ name = '' }) => name.toLowerCase())
      writes.set(`${method.toUpperCase()} ${path}`, headers)
    }
  }
  return writes
}

/**
 * The operation of a request by its method and the path below `/api/v1`, as `GET /packs/{slug}`, whether a status may come
 * of it, and which headers with that; undefined where the document describes none.
 */
export const operationOf = (
  document: { readonly paths: Readonly<Record<string, PathItem>> },
  method: string,
  path: string,
) => {
  const steps = path.replace(/[?#].*$/, '').split('/')
  const fits = (template: string) => {
    const parts = template.split('/')
    return (
      parts.length === steps.length &&
      parts.every((part, at) => part === steps[at] || (part.startsWith('{') && steps[at] !== ''))
    )
  }
  // `/beatmaps/usage` is no `/beatmaps/{id}`.
  const [found] = Object.keys(document.paths)
    .filter(fits)
    .toSorted((a, b) => a.split('{').length - b.split('{').length)
  const described =
    document.paths[found ?? '']?.[(method === 'HEAD' ? 'GET' : method).toLowerCase()]
  if (described === undefined) return undefined
  // While nothing may be changed, or the data is away, 503 is the answer of the service, not of an operation.
  const isListed = (status: number) => status === 503 || String(status) in described.responses
  /** Of what the framing of HTTP does not add by itself. */
  const unlisted = (status: number, names: Iterable<string>): string[] => {
    const reply = described.responses[status]
    if (reply === undefined) return []
    const { headers = {} } = resolved(document, reply)
    const listed = new Set([...Object.keys(headers), ...framing].map((name) => name.toLowerCase()))
    return [...names].filter((name) => !listed.has(name.toLowerCase()))
  }
  return { name: `${method} ${found}`, isListed, unlisted }
}

const framing = [
  'Connection',
  'Content-Length',
  'Content-Type',
  'Date',
  'Keep-Alive',
  'Transfer-Encoding',
]

/** Each answer had a status that the document lists for its operation. */
export const judgeStatuses = async (service: Service, report: Report): Promise<void> => {
  const document = (await service.get('/openapi.json')).answer?.json
  if (document?.paths === undefined) return
  for (const { request, answer } of service.answered.values()) {
    const operation = operationOf(document, request.method, request.path)
    if (operation === undefined || answer === null) continue
    const wrong = `${service.name}: ${operation.name}: the document does not list ${answer.status}`
    report.try('statuses', operation.isListed(answer.status) ? null : wrong, { request, answer })
  }
}

type Parameter = { readonly $ref?: string; readonly in?: string; readonly name?: string }
type Answered = { readonly $ref?: string; readonly headers?: object }
type Described = {
  readonly parameters?: readonly Parameter[]
  readonly responses: Readonly<Record<string, Answered>>
}
type PathItem = Readonly<Record<string, Described>>

const resolved = <T extends { readonly $ref?: string }>(document: unknown, part: T): T => {
  if (part.$ref === undefined) return part
  let node = document
  for (const step of part.$ref.split('/').slice(1)) node = (node as Record<string, unknown>)[step]
  return node as T
}

/** Each write of the document takes the header that makes it safe (D-86), and was tried. */
export const judgeDocument = (
  service: Service,
  writes: ReadonlyMap<string, readonly string[]>,
  trials: Trials,
  report: Report,
  without: readonly string[],
): void => {
  if (writes.size === 0) report.try('document', `${service.name}: the document names no writes`)
  for (const [operation, headers] of writes) {
    const isPost = operation.startsWith('POST ')
    const header = isPost ? 'idempotency-key' : 'if-match'
    const isTried = trials.lost.has(operation) && (isPost || trials.stale.has(operation))
    let wrong = headers.includes(header)
      ? null
      : `the document does not say that it takes ${header}`
    if (!isTried && !without.includes(operation)) wrong ??= 'this program has no trial of it'
    report.try('document', wrong === null ? null : `${service.name}: ${operation}: ${wrong}`)
  }
}
