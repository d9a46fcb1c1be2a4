import { API_PREFIX } from '../../contract/endpoint.ts'
import type { Endpoint } from './document.ts'

/** The values of parameters by name; empty ones are left out of the request. */
type Values = Readonly<Record<string, string>>

/** Finds what keeps a call from being sent at all. Whether its values are valid, the service says. */
export function findObstacle(endpoint: Endpoint, values: Values, key: string) {
  if (endpoint.needsKey && !/^[\x21-\x7e]*$/.test(key)) {
    return { field: 'key', remedy: 'This key contains invalid characters. Copy it again.' }
  }
  for (const { name, required, in: place } of endpoint.parameters) {
    const value = (values[name] ?? '').trim()
    if (required && value === '') return { field: name, remedy: `Enter the ${name}.` }
    if (place === 'header' && !/^[\x20-\x7e]*$/.test(value)) {
      return { field: name, remedy: 'Headers can contain only ASCII characters.' }
    }
  }
  return null
}

export type WireRequest = ReturnType<typeof writeRequest>

/** A call as it is sent, but for the key. */
export function writeRequest(endpoint: Endpoint, values: Values, body: string) {
  const valuesIn = (place: string): [name: string, value: string][] =>
    endpoint.parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name }): [string, string] => [name, (values[name] ?? '').trim()])
      .filter(([, value]) => value !== '')
  const path = valuesIn('path').reduce(
    (sofar, [name, value]) => sofar.replace(`{${name}}`, encodeURIComponent(value)),
    endpoint.path,
  )
  const query = new URLSearchParams(valuesIn('query'))
  return {
    method: endpoint.method,
    /** With its query: `/packs?page=2`. */
    path: query.size === 0 ? path : `${path}?${query.toString()}`,
    headers: {
      ...(endpoint.body && { 'Content-Type': 'application/json' }),
      ...Object.fromEntries(valuesIn('header')),
    } as Values,
    body: endpoint.body ? body : null,
  }
}

/** The call for a shell, with a variable in place of the key; `keyName` is null if none is needed. */
export function asCurl(request: WireRequest, server: string, keyName: string | null): string {
  const { method, path, headers, body } = request
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(server + path)}`,
    ...(keyName === null ? [] : [`-H "Authorization: Bearer $${keyName}"`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`-d ${quoted(body)}`]),
  ].join(' \\\n  ')
}

/** A text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The call in JavaScript. The body is an object if it is valid JSON. */
export function asFetch(request: WireRequest, server: string, keyName: string | null): string {
  const { method, path, headers, body } = request
  const headerLines = [
    ...(keyName === null ? [] : [`    Authorization: \`Bearer \${process.env.${keyName}}\`,`]),
    ...Object.entries(headers).map(([name, value]) => `    '${name}': ${asLiteral(value)},`),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headerLines.length === 0 ? [] : ['  headers: {', ...headerLines, '  },']),
    ...(body === null ? [] : [`  body: ${bodyCode(body)},`]),
  ]
  const address = asLiteral(server + path)
  return options.length === 0
    ? `const response = await fetch(${address})`
    : [`const response = await fetch(${address}, {`, ...options, '})'].join('\n')
}

const asLiteral = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

const bodyCode = (body: string): string =>
  parseJson(body) === undefined
    ? asLiteral(body)
    : `JSON.stringify(${body.trim().replaceAll('\n', '\n  ')})`

/** Returns undefined if a text is not valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export type WireResponse = Awaited<ReturnType<typeof sendRequest>>

/** Sends a call to the service of this site, with the given key and no cookie. Throws as `fetch`. */
export async function sendRequest(request: WireRequest, key: string, signal: AbortSignal) {
  const { method, path, headers, body } = request
  const begun = performance.now()
  const response = await fetch(API_PREFIX + path, {
    method,
    headers: { ...headers, ...(key !== '' && { Authorization: `Bearer ${key}` }) },
    body,
    credentials: 'omit',
    // A cached response would hide what the service responds.
    cache: 'no-store',
    signal,
  })
  const { status, statusText, headers: received } = response
  const text = await response.text()
  return {
    status,
    statusText,
    headers: received,
    body: text,
    milliseconds: performance.now() - begun,
  }
}
