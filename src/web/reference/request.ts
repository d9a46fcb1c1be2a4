import { API_PREFIX } from '../../contract/endpoint.ts'
import type { Call } from './document.ts'

/** What somebody filled in for a call. */
export type Filled = {
  /** By the parameter's name; empty ones are left out of the request. */
  readonly parameters: Readonly<Record<string, string>>
  readonly body: string
}

/** Why a call cannot be sent as it is: which field, and what to do. */
export type Obstacle = { readonly field: string; readonly remedy: string }

/** What an HTTP header can carry without further ado. */
const sendable = /^[\x20-\x7e]*$/

/** What keeps a call from being sent at all. Whether it is right is for the service to say. */
export function findObstacle(call: Call, filled: Filled, key: string): Obstacle | null {
  if (call.needsKey && !/^[\x21-\x7e]*$/.test(key)) {
    return { field: 'key', remedy: 'This key contains invalid characters. Copy it again.' }
  }
  for (const { name, required, in: place } of call.parameters) {
    const value = (filled.parameters[name] ?? '').trim()
    if (required && value === '') return { field: name, remedy: `Enter the ${name}.` }
    if (place === 'header' && !sendable.test(value)) {
      return { field: name, remedy: 'Headers can contain only ASCII characters.' }
    }
  }
  return null
}

/** A call as it goes over the wire, but for the key. */
export type WireRequest = {
  readonly method: string
  /** With its query: `/packs?page=2`. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** null where none is sent. */
  readonly body: string | null
}

export function writeRequest(call: Call, filled: Filled): WireRequest {
  const path = filledOf(call, filled, 'path').reduce(
    (sofar, [name, value]) => sofar.replace(`{${name}}`, encodeURIComponent(value)),
    call.path,
  )
  const query = new URLSearchParams(filledOf(call, filled, 'query').map((pair) => [...pair]))
  return {
    method: call.method,
    path: query.size === 0 ? path : `${path}?${query.toString()}`,
    headers: {
      ...(call.body && { 'Content-Type': 'application/json' }),
      ...Object.fromEntries(filledOf(call, filled, 'header')),
    },
    body: call.body === null ? null : filled.body,
  }
}

const filledOf = ({ parameters }: Call, filled: Filled, place: string) =>
  parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name }) => [name, (filled.parameters[name] ?? '').trim()] as const)
    .filter(([, value]) => value !== '')

/**
 * The call for a shell, with `$PACKS_KEY` in the place of the key.
 *
 * @param server the service's address with its version.
 * @param keyName null where no key is needed.
 */
export const asCurl = (
  { method, path, headers, body }: WireRequest,
  server: string,
  keyName: string | null,
): string =>
  [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(server + path)}`,
    ...(keyName === null ? [] : [`-H "Authorization: Bearer $${keyName}"`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`-d ${quoted(body)}`]),
  ].join(' \\\n  ')

/** A text as a shell takes it whole. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The call in JavaScript. The body is written as an object where it is one. */
export function asFetch(
  { method, path, headers, body }: WireRequest,
  server: string,
  keyName: string | null,
): string {
  const all = [
    ...(keyName === null ? [] : [`    Authorization: \`Bearer \${process.env.${keyName}}\`,`]),
    ...Object.entries(headers).map(([name, value]) => `    '${name}': ${asLiteral(value)},`),
  ]
  const written =
    body !== null && isJson(body) ? `JSON.stringify(${body.trim().replaceAll('\n', '\n  ')})` : null
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(all.length === 0 ? [] : ['  headers: {', ...all, '  },']),
    ...(body === null ? [] : [`  body: ${written ?? asLiteral(body)},`]),
  ]
  const address = asLiteral(server + path)
  return options.length === 0
    ? `const response = await fetch(${address})`
    : [`const response = await fetch(${address}, {`, ...options, '})'].join('\n')
}

const asLiteral = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** What came back. */
export type WireAnswer = {
  readonly status: number
  readonly statusText: string
  readonly milliseconds: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

/**
 * Sends a call to this page's own service. Nothing but the key that is given goes with it.
 *
 * @param now tells the time, in milliseconds.
 * @throws TypeError when no answer came; `AbortError` when `signal` ended it.
 */
export async function sendRequest(
  { method, path, headers, body }: WireRequest,
  key: string,
  { now, signal }: { readonly now: () => number; readonly signal: AbortSignal },
): Promise<WireAnswer> {
  const begun = now()
  const response = await fetch(API_PREFIX + path, {
    method,
    headers: { ...headers, ...(key !== '' && { Authorization: `Bearer ${key}` }) },
    ...(body !== null && { body }),
    credentials: 'omit',
    // What the browser keeps would hide what the service says.
    cache: 'no-store',
    signal,
  })
  const text = await response.text()
  return {
    status: response.status,
    statusText: response.statusText,
    milliseconds: now() - begun,
    headers: [...response.headers],
    body: text,
  }
}
