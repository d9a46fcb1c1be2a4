import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../src/contract/endpoint.ts'
import { errorReasons } from '../src/contract/error-reasons.ts'
import { errorCodes, poolsErrorCodes } from '../src/contract/errors.ts'
import { endpointsOf, type ServiceName, serviceNames } from '../src/contract/services.ts'

const folder = new URL('./api/', import.meta.url)
const tests = new Map(
  readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]),
)
const docs = readFileSync(new URL('../docs/api.md', import.meta.url), 'utf8')

const endpoints = serviceNames.flatMap((service) =>
  Object.entries(endpointsOf[service]).map(([id, endpoint]) => ({ service, id, endpoint })),
)
const statusesOf = ({ success, errors }: Endpoint): number[] => [success.status, ...errors]

const nameOf = (id: string): string => id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const names = endpoints.map(({ id }) => nameOf(id))
const isOf = (file: string, stem: string): boolean =>
  file === `${stem}.test.ts` || file.startsWith(`${stem}-`)

/**
 * What tests an operation: `create-pack.test.ts`, `create-pack-limit.test.ts`. An operation of the
 * second service has files of its own that begin with the service, or shares those of the first.
 */
const testsOf = (service: ServiceName, id: string): string => {
  const name = nameOf(id)
  // `get-tournament-checks.test.ts` is of the operation with the longer name.
  const longer = names.filter((other) => other.startsWith(`${name}-`))
  const find = (stem: string): string[] =>
    [...tests].flatMap(([file, text]) =>
      isOf(file, stem) && !longer.some((other) => isOf(file, other)) ? [text] : [],
    )
  const own = find(`${service}-${name}`)
  return (own.length > 0 ? own : find(name)).join('\n')
}

/** The rows of the tables in a part of the documentation, each as its cells. */
const rowsOf = (heading: string): string[][] => {
  const section = docs.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('|'))
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

const numbersIn = (text: string): number[] => (text.match(/\b\d{3}\b/g) ?? []).map(Number)

describe('every endpoint and status of the contract', () => {
  it.each(endpoints)('has tests: $service $id', ({ service, id, endpoint }) => {
    const headings = testsOf(service, id).matchAll(/^ *describe\('(\d{3}) /gm)
    const tested = new Set([...headings].map(([, status]) => Number(status)))
    expect(tested).toEqual(new Set(statusesOf(endpoint)))
  })

  it.each([
    ['packs', 'Packs service'],
    ['pools', 'Tournament-pools service'],
  ] as const)('has its row in the documentation, and no other has: %s', (service, heading) => {
    const expected = Object.values(endpointsOf[service]).map((endpoint) => [
      `\`${endpoint.method} ${endpoint.path}${endpoint.paged ? '?page=' : ''}\``,
      statusesOf(endpoint),
    ])
    const documented = rowsOf(heading)
      .filter(([call = '']) => /^`[A-Z]/.test(call))
      .map(([call, , success = '', errors = '']) => [
        call,
        [...numbersIn(success), ...numbersIn(errors)],
      ])
    expect(documented).toEqual(expected)
  })
})

describe('every error code', () => {
  const all = [...tests.values()].join('\n')

  it.each(Object.keys(poolsErrorCodes))('has a test: %s', (code) => {
    expect(all).toMatch(new RegExp(`expectError\\([^;]*?'${code}'`))
  })

  it('has its row in the documentation, and no other has', () => {
    const rows = (codes: object) =>
      Object.entries(codes).map(([code, { status }]) => [String(status), `\`${code}\``])
    const ofErrors = (heading: string) =>
      rowsOf(heading).flatMap(([status = '', code = '']) =>
        /^\d{3}$/.test(status) ? [[status, code]] : [],
      )
    expect(ofErrors('Errors')).toEqual(rows(errorCodes))
    const known = rows(errorCodes).map(String)
    const more = rows(poolsErrorCodes).filter((row) => !known.includes(String(row)))
    expect(ofErrors('Tournament-pools service')).toEqual(more)
  })

  it('has its reasons in the documentation, and no other has (D-87)', () => {
    const documented = rowsOf('Tournament-pools service').filter(
      ([reason = '', code = '']) => reason.startsWith('`') && code.slice(1, -1) in errorReasons,
    )
    const expected = Object.entries(errorReasons).flatMap(([code, reasons]) =>
      Object.entries(reasons).map(([reason, meaning]) => [`\`${reason}\``, `\`${code}\``, meaning]),
    )
    expect(documented).toEqual(expected)
  })
})
