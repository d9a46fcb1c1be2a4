import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  differences,
  type Expectation,
  expectations,
  type SeenAnswer,
} from '../../src/adapters/platform/expectations.ts'
import { provocations, startFullStandin } from './provoked.ts'
import type { Running } from './running.ts'

// The answers of the platform, each provoked at the stand-in.

let standin: Running
let stop: () => Promise<undefined>

beforeAll(async () => {
  standin = await startFullStandin((end) => {
    stop = end
  })
})
afterAll(() => stop())

beforeEach(async () => {
  for (const path of ['faults', 'beatmaps', 'visitor']) {
    await fetch(`${standin.url}/standin/${path}`, { method: 'DELETE' })
  }
  // All windows of its limits are over.
  standin.time.now += 3_600_000
})

const provoke = async (number: number): Promise<readonly SeenAnswer[]> => {
  const seen = await provocations[number]!(standin)
  return Array.isArray(seen) ? seen : [seen as SeenAnswer]
}

test('the list has 74 answers, each with its source, and each is provoked', () => {
  const numbers = Array.from({ length: 74 }, (_, at) => at + 1)
  expect(expectations.map(({ number }) => number)).toEqual(numbers)
  expect(Object.keys(provocations).map(Number)).toEqual(numbers)
  for (const { source, when } of expectations) expect(`${source}${when}`).not.toMatch(/^$/)
})

const changes = (answer: SeenAnswer, { type, limit, body, headers = {} }: Expectation) => {
  const changed: SeenAnswer[] = [{ ...answer, status: answer.status + 1 }]
  const withHeaders = (change: (headers: Headers) => void) => {
    const copy = new Headers(answer.headers)
    change(copy)
    changed.push({ ...answer, headers: copy })
  }
  if (type !== 'any') withHeaders((copy) => copy.set('content-type', 'text/plain'))
  if (type === 'json') withHeaders((copy) => copy.set('cache-control', 'public'))
  if (headers['retry-after'] === undefined) withHeaders((copy) => copy.set('retry-after', '7'))
  withHeaders((copy) => copy.set('x-ratelimit-limit', '61'))
  if (limit === null) withHeaders((copy) => copy.set('x-ratelimit-remaining', '1'))
  else withHeaders((copy) => copy.delete('x-ratelimit-remaining'))
  for (const [name, pattern] of Object.entries(headers)) {
    if (pattern === 'any') continue
    withHeaders((copy) => (pattern === null ? copy.set(name, 'x') : copy.delete(name)))
  }
  if (body === undefined) return changed
  const json = JSON.parse(answer.text) as Record<string, unknown>
  for (const [key, pattern] of Object.entries(body as object)) {
    if (key === '…' || !(key in json)) continue
    const { [key]: _left, ...others } = json
    changed.push({ ...answer, text: JSON.stringify(others) })
    changed.push({
      ...answer,
      text: JSON.stringify({ ...json, [key]: pattern === 'list' ? 'x' : [[]] }),
    })
  }
  if (!('…' in (body as object))) {
    changed.push({ ...answer, text: JSON.stringify({ ...json, more: 1 }) })
  }
  changed.push({ ...answer, text: '<p>' })
  return changed
}

describe.each(expectations)('$number, $route: $when', (expected) => {
  test('is what the stand-in answers; another answer would be noticed', async () => {
    const seen = await provoke(expected.number)
    if (expected.status === null) expect(seen).toEqual([])
    else expect(seen).not.toEqual([])
    for (const answer of seen) {
      expect(differences(expected, answer)).toEqual([])
      for (const changed of changes(answer, expected)) {
        expect(differences(expected, changed)).not.toEqual([])
      }
    }
  })
})
