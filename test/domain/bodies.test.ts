import { type TSchema, Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { RoundInput } from '../../src/contract/rounds.ts'
import { bodyReader } from '../../src/domain/reading/bodies.ts'
import { thrown } from './a-tournament.ts'

const time = Type.String({ format: 'date-time', pattern: 'Z$', examples: ['2026-01-01T00:00:00Z'] })
const free = Type.Object({ kind: Type.Literal('free') }, { additionalProperties: false })
const forced = Type.Object({ kind: Type.Literal('forced'), set: Type.Array(Type.String()) })
const one = Type.Object({
  beatmapId: Type.Integer({ minimum: 1 }),
  note: Type.Optional(Type.String()),
})
const several = Type.Object({ candidates: Type.Array(one) })

const of = (field: TSchema) => bodyReader(Type.Object({ field }))
const refusalOf = (field: TSchema, value: unknown) =>
  (thrown(() => of(field).read({ field: value })) as Error | undefined)?.message

describe('a choice in a body (D-14): problems are about what was meant', () => {
  it.each<[string, TSchema, unknown, string | undefined]>([
    ['by its value', Type.Union([Type.Literal('now'), time]), 'now', undefined],
    ['by its form', Type.Union([Type.Literal('now'), time]), '2026-01-01T00:00:00Z', undefined],
    [
      'of two kinds of texts',
      Type.Union([Type.Literal('now'), time]),
      'later',
      'field must be "now" or a string of the form 2026-01-01T00:00:00Z',
    ],
    [
      'of another type',
      Type.Union([Type.Literal('now'), time]),
      7,
      'field must be "now" or a string of the form 2026-01-01T00:00:00Z',
    ],
    ['null', Type.Union([Type.Null(), one]), null, undefined],
    ['a shape', Type.Union([Type.Null(), one]), { beatmapId: 1 }, undefined],
    ['a shape', Type.Union([Type.Null(), one]), { beatmapId: 0 }, 'field.beatmapId must be'],
    [
      'a list',
      Type.Union([Type.Null(), one]),
      [],
      'field must be null or an object with beatmapId',
    ],
    ['a number', Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]), 0, 'field must be'],
    [
      'a choice of words',
      Type.Union([Type.Enum(['a', 'b']), Type.Null()]),
      1,
      'field must be one of a, b or null',
    ],
    ['by its kind', Type.Union([free, forced]), { kind: 'free' }, undefined],
    [
      'by its kind',
      Type.Union([free, forced]),
      { kind: 'free', set: [] },
      'field.set must be left out',
    ],
    ['by its kind', Type.Union([free, forced]), { kind: 'forced' }, 'field.set is missing'],
    [
      'by a kind that none has',
      Type.Union([free, forced]),
      { kind: 'both' },
      'field must be an object with kind free or an object with kind forced',
    ],
    ['by what it needs', Type.Union([one, several]), { candidates: [] }, undefined],
    [
      'by what it needs',
      Type.Union([one, several]),
      { candidates: [{}] },
      'field.candidates[0].beatmapId is missing',
    ],
    [
      'by a misspelt name',
      Type.Union([one, several]),
      { beatmap_id: 1 },
      'field must be an object with beatmapId or an object with candidates; is it beatmap_id?',
    ],
    [
      'as both',
      Type.Union([one, several]),
      { beatmapId: 1, candidates: [] },
      'field must be an object with beatmapId or an object with candidates; send the fields of one alone',
    ],
    [
      'as neither',
      Type.Union([one, several]),
      {},
      'field must be an object with beatmapId or an object with candidates',
    ],
  ])('%s: %#', (_by, field, value, message) => {
    const refused = refusalOf(field, value)
    if (message === undefined) expect(refused).toBeUndefined()
    else expect(refused?.startsWith(message), refused).toBe(true)
  })

  it('is found in lists and in what is within, and may be left out', () => {
    const list = Type.Array(Type.Object({ to: Type.Optional(Type.Union([Type.Null(), one])) }))
    expect(refusalOf(list, [{}, { to: null }, { to: { beatmapId: 1 } }])).toBeUndefined()
    expect(refusalOf(list, [{}, { to: 7 }])).toBe(
      'field[1].to must be null or an object with beatmapId',
    )
    expect(refusalOf(list, 7)).toBe('field must be a list')
    expect(refusalOf(list, [7])).toBe('field[0] must be an object')
  })
})

describe('texts of a body (D-19)', () => {
  it('are trimmed, but for choices and patterns', () => {
    const texts = Type.Object({
      name: Type.String({ maxLength: 3 }),
      list: Type.Array(Type.String()),
      either: Type.Union([Type.Null(), Type.String()]),
      code: Type.Optional(Type.String({ pattern: '^ a $' })),
      choice: Type.Optional(Type.Enum([' b '])),
    })
    const sent = {
      name: ' abc ',
      list: [' a', 'b '],
      either: ' c ',
      code: ' a ',
      choice: ' b ',
      other: ' d ',
    }
    expect(bodyReader(texts).read(sent)).toEqual({
      ...sent,
      name: 'abc',
      list: ['a', 'b'],
      either: 'c',
    })
  })

  it.each([null, [], 'text', 1])('%j is no body', (body) => {
    const error = thrown(() => bodyReader(one).read(body))
    expect(error).toMatchObject({ code: 'bad_request', message: 'the body must be a JSON object' })
  })
})

describe('the fields of which nothing is made (D-49)', () => {
  it.each<[TSchema, unknown, string[]]>([
    [one, { beatmapId: 1, notes: '' }, ['notes']],
    [
      several,
      { candidates: [{ beatmapId: 1 }, { x: 1, y: 1 }], z: 1 },
      ['candidates[1].x', 'candidates[1].y', 'z'],
    ],
    [Type.Union([one, several]), { candidates: [], x: 1 }, ['x']],
    // Meant as neither: what none of them has.
    [Type.Union([one, several]), { beatmap: 1, note: '' }, ['beatmap']],
    [one, [], []],
    [one, null, []],
    // As it was read (D-17).
    [RoundInput, { name: 'x', id: 'r', packSlug: 's', createdAt: '', packslug: 's' }, ['packslug']],
  ])('%#', (schema, body, fields) => {
    expect(bodyReader(schema).ignored(body)).toEqual(fields)
  })
})
