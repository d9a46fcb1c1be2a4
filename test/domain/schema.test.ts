import { type TSchema, Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import {
  CODE_PATTERN,
  HTTPS_LINK_PATTERN,
  RANK_PATTERN,
  YEAR_PATTERN,
} from '../../src/contract/bounds.ts'
import type { AppError } from '../../src/contract/errors.ts'
import type { EndpointTable } from '../../src/contract/endpoint.ts'
import { endpointsOf, serviceNames } from '../../src/contract/services.ts'
import { sessionEndpointsOf } from '../../src/contract/session-api.ts'
import { sentenceOf } from '../../src/domain/invalid-input.ts'
import {
  askLikely,
  ignoredFieldsHeader,
  isObject,
  join,
  problemFinder,
  shapeChecker,
  shown,
} from '../../src/domain/reading/schema.ts'
import type { Schema } from '../support/any-of-schema.ts'
import { fieldsOf, outsideBounds } from '../support/refused-values.ts'
import { thrown } from './a-tournament.ts'

const problemsOf = (schema: TSchema, value: unknown, place = '') =>
  problemFinder(schema)(value, place).map(sentenceOf)
const ofField = (schema: TSchema, value: unknown) =>
  problemsOf(Type.Object({ field: schema }), { field: value })

/** What a sender has to be told of a field, in any words: its choices, its form, or its bounds. */
function factsOf(schema: Schema): readonly string[] {
  const { const: only, enum: choices, pattern, examples = [] } = schema
  if (choices !== undefined || only !== undefined) return (choices ?? [only]).map(String)
  if (pattern === CODE_PATTERN) return ['1 to 12 letters or digits']
  if (pattern === RANK_PATTERN) return ['1 to 99999999']
  if (pattern === YEAR_PATTERN) return ['1000 to 2999']
  if (pattern !== undefined)
    return (examples.length > 0 ? examples : [pattern]).map(String).slice(0, 1)
  const { minimum, maximum, maxLength, minItems, maxItems } = schema
  return [minimum, maximum, maxLength, minItems, maxItems]
    .flatMap((bound) => bound ?? [])
    .map(String)
}

describe('what is accepted in place of a value (D-14)', () => {
  const tables = serviceNames.flatMap((name) => [endpointsOf[name], sessionEndpointsOf[name]])
  const fields = new Map(
    tables
      .flatMap((endpoints: EndpointTable) => Object.values(endpoints))
      .flatMap(({ body, query }) => [body ?? [], query ?? []].flat().flatMap(fieldsOf))
      .map(({ place, schema }) => [`${place}: ${JSON.stringify(schema)}`, schema]),
  )

  it.each([...fields])('is said of %s', (_, field) => {
    const find = problemFinder(Type.Object({ field }))
    const sentencesOf = (value: unknown) =>
      find({ field: value }, '')
        .filter(({ place }) => place === 'field')
        .map(sentenceOf)
    const facts = factsOf(field)
    for (const value of [7.5, true, {}, '!']) {
      for (const sentence of sentencesOf(value)) {
        expect(facts.filter((fact) => !sentence.includes(fact))).toEqual([])
      }
    }
    for (const sentence of outsideBounds(field).flatMap(sentencesOf)) {
      const isOfLength = /^field must have \d+ to \d+ characters$| twice$/.test(sentence)
      expect(isOfLength || facts.some((fact) => sentence.includes(fact))).toBe(true)
    }
  })
})

describe('what is wrong with a value, and the remedy (D-14)', () => {
  it.each([
    [Type.String(), 1, 'field must be a string'],
    [Type.Integer(), '1', 'field must be a whole number'],
    [Type.Number(), true, 'field must be a number'],
    [Type.Boolean(), 0, 'field must be true or false'],
    [Type.Array(Type.String()), {}, 'field must be a list'],
    [Type.Object({}), [], 'field must be an object'],
    [Type.Null(), 1, 'field must be null'],
    [Type.Integer({ minimum: 1, maximum: 99 }), 0, 'field must be from 1 to 99'],
    [Type.Integer({ minimum: 1, maximum: 99 }), 100, 'field must be from 1 to 99'],
    [Type.String({ minLength: 1, maxLength: 3 }), '', 'field must have 1 to 3 characters'],
    [Type.String({ minLength: 1, maxLength: 3 }), 'four', 'field must have 1 to 3 characters'],
    [Type.String({ minLength: 3, maxLength: 3 }), 'four', 'field must have 3 characters'],
    [Type.String({ maxLength: 3 }), 'four', 'field must have at most 3 characters'],
    [Type.Array(Type.Any(), { minItems: 1, maxItems: 2 }), [], 'field must have 1 to 2 items'],
    [Type.Array(Type.Any(), { minItems: 2, maxItems: 2 }), [1], 'field must have 2 items'],
    [Type.Array(Type.Any(), { maxItems: 2 }), [1, 2, 3], 'field must have at most 2 items'],
    [
      Type.Array(Type.Any(), { uniqueItems: true }),
      [1, 1],
      'field must not hold the same item twice',
    ],
    [Type.Union([Type.String(), Type.Number()]), true, 'field must be a string'],
    [Type.Object({}, { maxProperties: 0 }), { a: 1 }, 'field is not valid'],
    [Type.Enum(['a', 'b']), 'c', 'field must be one of a, b'],
    [Type.Enum(['a']), 'c', 'field must be a'],
    [Type.Literal('a'), 'b', 'field must be a'],
    [Type.Any({ pattern: '^a$', examples: ['a'] }), 'b', 'field must be of the form a'],
    [
      Type.String({ pattern: '^a$', maxLength: 1, examples: ['a'] }),
      'ab',
      'field must be of the form a',
    ],
    [Type.String({ pattern: '^a$' }), 'b', 'field must match \\^a'],
  ] as const)('%j, %j: %s', (schema, value, sentence) => {
    expect(ofField(schema, value)[0]).toMatch(new RegExp(`^${sentence}`))
    expect(ofField(schema, value)).toHaveLength(1)
  })

  it('says of a code and of a link what these are', () => {
    const code = Type.String({ pattern: CODE_PATTERN })
    expect(ofField(code, 'a b')[0]).toContain('letters')
    expect(ofField(code, 1)).toEqual(['field must be a string of 1 to 12 letters or digits'])
    const link = Type.String({ minLength: 1, pattern: HTTPS_LINK_PATTERN, maxLength: 20 })
    expect(ofField(link, 'http://a.test')[0]).toContain('https')
    expect(ofField(link, '')[0]).toContain('https')
    expect(ofField(link, `https://${'a'.repeat(20)}.test`)).toEqual([
      'field must have 1 to 20 characters',
    ])
  })

  it('of an optional field that is null says to leave it out', () => {
    const schema = Type.Object({ a: Type.Optional(Type.String()), b: Type.String() })
    expect(problemsOf(schema, { a: null, b: null })).toEqual([
      'a must not be null: leave it out',
      'b must be a string',
    ])
  })

  it('of a field that a closed object does not have, too', () => {
    const closed = Type.Object({ code: Type.String() }, { additionalProperties: false })
    expect(problemsOf(closed, { code: 'NM', color: 1 }, 'buckets[0]')).toEqual([
      'buckets[0].color must be left out',
    ])
    expect(problemsOf(closed, { code: 'NM', 'a/b~c': 1 })).toEqual(['a/b~c must be left out'])
  })

  it('names each place once, in the order of the body, in lists and under what it is within', () => {
    const slot = Type.Object({ index: Type.Integer({ minimum: 1, maximum: 99 }) })
    const list = Type.Object({ slots: Type.Array(slot), name: Type.String() })
    expect(
      problemsOf(
        list,
        { slots: [{ index: 1 }, { index: 0 }, { index: 1.5 }], name: 1 },
        'rounds[2]',
      ),
    ).toEqual([
      'rounds[2].slots[1].index must be from 1 to 99',
      'rounds[2].slots[2].index must be a whole number from 1 to 99',
      'rounds[2].name must be a string',
    ])
    expect(problemsOf(list, 7)).toEqual(['the body must be an object with slots and name'])
    expect(problemsOf(list, { slots: [], name: '' })).toEqual([])
  })
})

describe('a number in place of a link (D-14)', () => {
  const slot = Type.Object({ beatmapId: Type.Integer() })
  const host = 'https://osu.ppy.sh'
  it.each([
    [`${host}/b/75`, ': take 75 from this link'],
    [`${host}/beatmapsets/1#base/75`, ': take 75 from this link'],
    [`${host}/beatmapsets/1`, ': this link leads to a whole set'],
    [`${host}/b/2147483647`, ': take 2147483647 from this link'],
    [`${host}/b/2147483648`, ''],
    [`${host}/b/0`, ''],
    [`${' '.repeat(500)}${host}/b/75`, ''],
    ['75', ''],
    [null, ''],
  ])('%j%s', (beatmapId, hint) => {
    const [problem, ...others] = problemFinder(slot)({ beatmapId }, '')
    expect(others).toEqual([])
    const sentence = sentenceOf(problem!)
    if (hint === '') expect(sentence).toBe('beatmapId must be a whole number')
    else expect(sentence).toContain(`beatmapId must be a whole number${hint}`)
  })
})

describe('a field that is missing (D-88)', () => {
  const round = Type.Object({ name: Type.String(), slots: Type.Array(Type.Any()) })
  it.each([
    [{ name: 'x' }, 'slots is missing'],
    [{ name: 'x', SLOTS: [] }, 'slots is missing; is it SLOTS?'],
    [{ name: 'x', slotz: [] }, 'slots is missing; is it slotz?'],
    [{ name: 'x', maps: [] }, 'slots is missing; is it maps?'],
    [{ name: 'x', round: { slots: [] } }, 'slots is missing; is it inside round?'],
    [{ name: 'x', round: [{ slots: [] }] }, 'slots is missing'],
    [{ name: 'x', round: null }, 'slots is missing'],
    [{ slots: [], Name: 'x' }, 'name is missing; is it Name?'],
  ])('%j: %s', (value, sentence) => {
    expect(problemsOf(round, value)).toEqual([sentence])
  })

  it('is looked for in a list, too', () => {
    const list = Type.Object({ rounds: Type.Array(round) })
    expect(problemsOf(list, { rounds: [{ name: 'x', slotz: [] }] })).toEqual([
      'rounds[0].slots is missing; is it slotz?',
    ])
  })

  it('is looked for among the first 16 names of at most 64 characters', () => {
    const others = Array.from({ length: 16 }, (_, at) => `unlike${at}`)
    expect(askLikely(['slots'], [...others.slice(1), 'Slots'])).toBe('; is it Slots?')
    expect(askLikely(['slots'], [...others, 'Slots'])).toBe('')
    const padded = (length: number) => `s-l-o-t-s${'-'.repeat(length - 9)}`
    expect(askLikely(['slots'], [padded(64)])).toBe(`; is it ${padded(64)}?`)
    expect(askLikely(['slots'], [padded(65)])).toBe('')
  })
})

describe('a query (D-15)', () => {
  const check = shapeChecker(Type.Object({ page: Type.String() }), 'invalid_query')
  it('says of what is there twice to send it once', () => {
    const error = thrown(() => check({ page: ['1', '2'] }, '')) as AppError
    expect(error).toMatchObject({ code: 'bad_request', message: 'page must be sent once' })
    expect(thrown(() => check({ page: 1 }, ''))).toMatchObject({ message: 'page must be a string' })
    expect(thrown(() => check({ page: '1' }, ''))).toBeUndefined()
  })

  it('says nothing of the kind of a body', () => {
    const body = shapeChecker(Type.Object({ page: Type.String() }))
    expect(thrown(() => body({ page: ['1'] }, ''))).toMatchObject({
      message: 'page must be a string',
    })
  })
})

describe('names of the sender in messages (D-14)', () => {
  it.each([
    ['name', 'name'],
    ['a\u0000b\u202ec\u2028', 'a?b?c?'],
    ['x'.repeat(64), 'x'.repeat(64)],
    ['x'.repeat(65), `${'x'.repeat(64)}…`],
  ])('%j is shown as %s', (name, text) => {
    expect(shown(name)).toBe(text)
  })

  it.each([
    ['', 'a', 'a'],
    ['a', 'b', 'a.b'],
    ['a', '0', 'a[0]'],
    ['', '12', '[12]'],
    ['x'.repeat(160), 'y', `${'x'.repeat(160)}.y`],
    ['x'.repeat(161), 'y', `${'x'.repeat(161)}…`],
    [`${'x'.repeat(161)}…`, 'y', `${'x'.repeat(161)}…`],
  ])('%s and %s are %s', (place, step, joined) => {
    expect(join(place, step)).toBe(joined)
  })

  it('an object is neither a list nor null', () => {
    expect([{}, [], null, 'a', undefined].map(isObject)).toEqual([true, false, false, false, false])
  })
})

describe('X-Ignored-Fields (D-49)', () => {
  it.each([
    [[], null],
    [[''], null],
    [['a'], 'a'],
    [['a', '', 'b[0].c'], 'a, b[0].c'],
    [Array.from('abcdefghijkl'), 'a, b, c, d, e, f, g, h, i, j'],
    [['a,b', 'ü', 'c d%'], 'a%2Cb, %C3%BC, c%20d%25'],
    [['x'.repeat(1024)], 'x'.repeat(1024)],
    [['x'.repeat(1025), 'a'], null],
    [['x'.repeat(1022), 'a'], 'x'.repeat(1022)],
    [['x'.repeat(1021), 'a', 'b'], `${'x'.repeat(1021)}, a`],
  ])('%#', (fields, header) => {
    expect(ignoredFieldsHeader(fields)).toBe(header)
  })
})
