import * as fc from 'fast-check'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import { describe, expect, it, test } from 'vitest'
import { AppError } from '../../src/contract/errors.ts'
import type { PackInput } from '../../src/contract/packs.ts'
import { endpointsOf, type ServiceName } from '../../src/contract/services.ts'
import { proposalOf, refuseTwice, remarkChangeOf, remarkOf } from '../../src/domain/discussion.ts'
import { contentOf } from '../../src/domain/packs.ts'
import { bodyReader } from '../../src/domain/reading/bodies.ts'
import { readPackInput } from '../../src/domain/reading/pack-input.ts'
import { roundContentOf, sheetOf, slotChangesOf } from '../../src/domain/rounds.ts'
import { assertLimit } from '../../src/domain/staff-changes.ts'
import type { SavedTournament } from '../../src/domain/tournaments.ts'
import { checkPatch, factsOf } from '../../src/domain/tournaments.ts'
import { anyOf } from '../support/any-of-schema.ts'
import { documents, operationsOf } from './documents.ts'
import { schemasOf } from './schemas.ts'

// What a document says of a body is what the service takes, but for what a schema cannot say.

const inexpressible = [
  // Of several parts together.
  /must be unique|must be at least (?:min|rankMin)|names? the same slot|is there twice|must be given once/,
  /must not be the same beatmap|must be different from|is the same as|must not hold the same|at most once/,
  /cannot be together|exclude each other|not both|at most 8 custom|more than 8|never .* with/,
  /must have a bucket|without a bucket|differ only in case/,
  /must not hold both|must be another number|must be another code/,
  // Of what is ignored: a slot that holds nothing else is not empty, which is null.
  /must have beatmapId or placeholder or details or link/,
  // Of a text as a whole.
  /must have at least one visible character|must not contain a slur|valid Unicode/,
]

type Reader = (body: never) => unknown

/** What a body is read by after its shape, of each operation that takes one. */
const rules: Readonly<Record<ServiceName, Readonly<Record<string, Reader>>>> = {
  packs: {
    createPack: (body: PackInput) => contentOf(body),
    replacePack: (body: PackInput) => contentOf(body),
    setHistoryPublic: () => {},
  },
  pools: {
    createTournament: factsOf,
    updateTournament: checkPatch,
    createRound: roundContentOf,
    replaceRound: roundContentOf,
    replaceRounds: sheetOf,
    changeSlots: slotChangesOf,
    releaseRound: () => {},
    setRole: ({ role, rounds = null }: { role: 'host'; rounds?: string[] | null }) => {
      const there = (rounds ?? []).map((id) => ({ id })) as unknown as SavedTournament['rounds']
      assertLimit({ rounds: there } as SavedTournament, role, rounds, true)
    },
    proposeCandidate: (body: Parameters<typeof proposalOf>[0] | { candidates: never[] }) => {
      const all = 'candidates' in body ? body.candidates : [body]
      refuseTwice(all.map((each) => proposalOf(each)))
    },
    voteOnCandidate: () => {},
    moveCandidate: () => {},
    addRemark: remarkOf,
    updateRemark: remarkChangeOf,
  },
}

const taking = (['packs', 'pools'] as const).flatMap((service) =>
  operationsOf(documents[service]).flatMap(([id, { requestBody }]) =>
    requestBody === undefined
      ? []
      : [{ service, id, schema: requestBody.content['application/json'].schema }],
  ),
)

test('each operation that takes a body is compared', () => {
  expect(taking.map(({ id }) => id).toSorted()).toEqual(
    Object.values(rules)
      .flatMap((each) => Object.keys(each))
      .toSorted(),
  )
})

type Value = null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value }

/** What programs send by mistake, anywhere. */
const odd: readonly Value[] = [
  null,
  true,
  0,
  1,
  2,
  -1,
  1.5,
  99,
  100,
  2_147_483_648,
  [],
  {},
  '',
  ' ',
  'now',
  'none',
  'a\u202eb',
  'a\u2066b',
  'a\u2028b',
  'a\u2029',
  'a\nb',
  'a\r\nb',
  'a\rb',
  'a\u0007b',
  'a\u0085b',
  '\u2027',
  '\ufeffa',
  '🏆',
  'זמן',
  'NM',
  'nM',
  'tb',
  'RC',
  'host',
  'pooler',
  'x'.repeat(12),
  'x'.repeat(13),
  'x'.repeat(65),
  'x'.repeat(101),
  'x'.repeat(501),
  'https://a.example/b',
  'http://a.example',
  'https://a@b.example',
  '2026-12-01T18:00:00Z',
  '2026-12-01',
  { beatmapId: 75 },
  { placeholder: 'later' },
  { min: 3 },
  { kind: 'free' },
]
const names = [
  'name',
  'mod',
  'index',
  'beatmapId',
  'placeholder',
  'details',
  'link',
  'note',
  'rounds',
  'role',
  'text',
  'settled',
  'at',
  'incomplete',
  'description',
  'year',
  'color',
  'mods',
]

type Change = { readonly at: number; readonly to: Value | undefined; readonly name: string | null }

const anyChange: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(),
  to: fc.option(fc.constantFrom(...odd), { nil: undefined, freq: 4 }),
  name: fc.option(fc.constantFrom(...names), { freq: 3 }),
})

const isObject = (value: unknown): value is Record<string, Value> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What is drawn has every field, also those that exclude one another. */
function withOneFilling(value: Value): Value {
  if (Array.isArray(value)) return value.map(withOneFilling)
  if (!isObject(value)) return value
  const { placeholder, ...others } = value
  const kept = placeholder === undefined || 'beatmapId' in others ? others : value
  return Object.fromEntries(Object.entries(kept).map(([key, of]) => [key, withOneFilling(of)]))
}

/** The body with one part replaced, left out, or added. */
function changed(body: Value, { at, to, name }: Change): Value {
  const copy = structuredClone(body)
  const places: { readonly of: Record<string, Value>; readonly key: string }[] = []
  const objects: Record<string, Value>[] = []
  const look = (value: Value): void => {
    if (isObject(value)) objects.push(value)
    if (typeof value !== 'object' || value === null) return
    const of = value as Record<string, Value>
    for (const key of Object.keys(of)) {
      places.push({ of, key })
      look(of[key]!)
    }
  }
  look(copy)
  if (name !== null && to !== undefined) {
    objects[at % objects.length]![name] = to
    return copy
  }
  const place = places[at % places.length]
  if (place === undefined) return copy
  if (to !== undefined) place.of[place.key] = to
  else if (isObject(place.of)) delete place.of[place.key]
  return copy
}

describe.each(taking)('the body of $id, $service', ({ service, id, schema }) => {
  const { components } = documents[service]
  const document = Compile({ ...schema, components } as never)
  const body = (endpointsOf[service] as Record<string, { body?: TSchema }>)[id]!.body!
  const read =
    service === 'packs' && id !== 'setHistoryPublic' ? readPackInput : bodyReader(body).read
  const refusalOf = (value: unknown): string | null => {
    try {
      rules[service][id]!(read(value) as never)
      return null
    } catch (error) {
      if (error instanceof AppError) return error.message
      throw error
    }
  }

  it('is taken if the document allows it, and refused if not (D-44)', () => {
    const seen = { taken: 0, refused: 0 }
    fc.assert(
      fc.property(
        (anyOf(body) as fc.Arbitrary<Value>).map(withOneFilling),
        fc.array(anyChange, { maxLength: 3 }),
        (drawn, changes) => {
          const value = changes.reduce(changed, drawn)
          const refusal = refusalOf(value)
          if (document.Check(value)) {
            seen.taken += 1
            if (refusal === null || inexpressible.some((rule) => rule.test(refusal))) return
            expect.fail(`${refusal}: ${JSON.stringify(value)}`)
          }
          seen.refused += 1
          if (refusal === null) expect.fail(`taken: ${JSON.stringify(value)}`)
        },
      ),
      { numRuns: 400 },
    )
    expect(seen.taken).toBeGreaterThan(20)
    expect(seen.refused).toBeGreaterThan(10)
  })
})

describe.each(['packs', 'pools'] as const)(
  'what generators of clients read of the %s document',
  (service) => {
    const schemas = schemasOf(documents[service])
    const inBodies = schemas.filter(([place]) => place.startsWith('#/components/schemas/'))

    it('has no default in a body: those that know one make the field required', () => {
      for (const [place, schema] of inBodies) expect(schema, place).not.toHaveProperty('default')
    })

    it('has no bounds beside a choice of numbers', () => {
      for (const [place, schema] of inBodies) {
        if ('enum' in schema) expect(schema, place).not.toHaveProperty('minimum')
      }
    })

    it('has no line separator in a pattern, escaped or not: written out it ends a regular expression', () => {
      for (const [place, { pattern }] of schemas) {
        if (typeof pattern !== 'string') continue
        expect(pattern, place).not.toMatch(/[\u2028\u2029]|\\u202[89]/)
        const written = pattern.replaceAll(/\\u([0-9a-f]{4})/g, (_, hex: string) =>
          String.fromCodePoint(Number.parseInt(hex, 16)),
        )
        expect(written, place).not.toMatch(/[\n\r\u2028\u2029]/)
      }
    })

    it('has patterns that say the same with the flag u as without it', () => {
      for (const [place, { pattern }] of schemas) {
        if (typeof pattern !== 'string' || pattern.includes('\\p')) continue
        for (const text of ['a🏆', '🏆', 'a\u2028b', 'a\u202eb', 'a‧b', ' é ', 'a\nb', 'NM', '']) {
          const [one, other] = [new RegExp(pattern, 'u').test(text), new RegExp(pattern).test(text)]
          expect(one, `${place} ${JSON.stringify(text)}`).toBe(other)
        }
      }
    })
  },
)
