import { describe, expect, test } from 'vitest'
import { CODE_PATTERN } from '../../src/contract/bounds.ts'
import { documents, operationsOf, repliesOf } from './documents.ts'
import { type Schema, reachable, schemasIn } from './schemas.ts'

const document = documents.packs
const schemas = document.components['schemas'] as Record<string, Schema>

const propertiesOf = (name: string): Record<string, Schema> =>
  schemas[name]?.['properties'] as Record<string, Schema>

/** The tables of spec 2 and D-72 in their order; a question mark for what may be absent (D-46). */
const tables: Record<string, string> = {
  User: 'id gameId username',
  UserReply: 'user',
  Pack: 'slug name visibility description? slots buckets? exports hiddenAt? historyPublic? stats? createdAt updatedAt packKey ownerName',
  PackReply: 'pack',
  Slot: 'mod index beatmapId',
  SlotInput: 'mod index beatmapId',
  BuiltinBucket: 'code',
  CustomBucket: 'code color mods?',
  CustomBucketInput: 'code color mods?',
  ForcedMods: 'kind set',
  FreeMods: 'kind',
  MagnetExport: 'kind url createdAt',
  Stats: 'srMin srMax srAvg lenMin lenMax bpmMin bpmMax mods modes count complete computedAt',
  PackPage: 'packs page pageCount total',
  PackVersion: 'version savedAt savedBy name description? visibility packKey changes',
  WholeVersion:
    'version savedAt savedBy name description? visibility packKey changes slots buckets?',
  HistoryPage: 'versions page pageCount total',
  VersionReply: 'version',
  HistorySwitch: 'public',
  PackInput: 'name slots buckets? visibility? description?',
  ErrorReply: 'error',
}

describe('resources have the fields of spec 2, in its order (D-45)', () => {
  test.each(Object.entries(tables))('%s: %s', (name, table) => {
    const required = (schemas[name]?.['required'] ?? []) as string[]
    const fields = Object.keys(propertiesOf(name)).map((field) =>
      required.includes(field) ? field : `${field}?`,
    )
    expect(fields).toEqual(table.split(' '))
  })

  test('the error object: code, message (spec 2.9)', () => {
    const error = propertiesOf('ErrorReply')['error']
    expect(Object.keys(error?.['properties'] as object)).toEqual(['code', 'message'])
    expect(error?.['required']).toEqual(['code', 'message'])
  })
})

const SAFE = 9_007_199_254_740_991

/** The constraints of spec 2 and spec 8, field by field. */
const constraints: [string, string, Schema][] = [
  ['User', 'gameId', { type: 'integer', minimum: 1, maximum: SAFE }],
  ['Pack', 'name', { type: 'string', minLength: 1, maxLength: 64 }],
  ['Pack', 'visibility', { enum: ['private', 'unlisted', 'public'] }],
  ['Pack', 'description', { type: 'string', maxLength: 500 }],
  ['Pack', 'slots', { type: 'array', maxItems: 64 }],
  ['Pack', 'buckets', { type: 'array', maxItems: 14 }],
  ['Pack', 'exports', { type: 'array', maxItems: 10 }],
  ['PackVersion', 'version', { type: 'integer', minimum: 1, maximum: 2_147_483_647 }],
  ['HistoryPage', 'versions', { type: 'array', maxItems: 50 }],
  ['Slot', 'mod', { type: ['string', 'null'], pattern: CODE_PATTERN }],
  ['Slot', 'index', { type: 'integer', minimum: 1, maximum: 99 }],
  ['Slot', 'beatmapId', { type: 'integer', minimum: 1, maximum: 2_147_483_647 }],
  ['BuiltinBucket', 'code', { enum: ['NM', 'HD', 'HR', 'DT', 'FM', 'TB'] }],
  ['CustomBucket', 'color', { type: 'integer', minimum: 0, maximum: 9 }],
  ['ForcedMods', 'kind', { const: 'forced' }],
  ['ForcedMods', 'set', { type: 'array', minItems: 1, maxItems: 3 }],
  ['FreeMods', 'kind', { const: 'free' }],
  ['MagnetExport', 'kind', { const: 'magnet' }],
  ['MagnetExport', 'url', { type: 'string', maxLength: 2048 }],
  ...['srMin', 'srMax', 'srAvg'].map((field): [string, string, Schema] => [
    'Stats',
    field,
    { type: ['number', 'null'], minimum: 0 },
  ]),
  ...['lenMin', 'lenMax', 'bpmMin', 'bpmMax'].map((field): [string, string, Schema] => [
    'Stats',
    field,
    { type: ['integer', 'null'], minimum: 0, maximum: SAFE },
  ]),
  ['Stats', 'count', { type: 'integer', minimum: 0, maximum: SAFE }],
  ['Stats', 'complete', { type: 'boolean' }],
  ['PackPage', 'page', { type: 'integer', minimum: 1, maximum: SAFE }],
  ['PackPage', 'pageCount', { type: 'integer', minimum: 1, maximum: SAFE }],
  ['PackPage', 'total', { type: 'integer', minimum: 0, maximum: SAFE }],
  ['PackInput', 'name', { type: 'string', minLength: 1, maxLength: 64 }],
  ['PackInput', 'slots', { type: 'array', minItems: 1, maxItems: 64 }],
  ['PackInput', 'buckets', { type: 'array', maxItems: 14 }],
  ['PackInput', 'visibility', { enum: ['private', 'unlisted', 'public'] }],
  ['PackInput', 'description', { type: 'string', maxLength: 500 }],
]

test.each(constraints)('%s.%s is bounded as in spec 2: %o', (name, field, constraint) => {
  expect(propertiesOf(name)[field]).toMatchObject(constraint)
})

test('a slug is ten letters, digits, - or _ (spec 2.2)', () => {
  expect(propertiesOf('Pack')['slug']).toEqual({ $ref: '#/components/schemas/Slug' })
  expect(schemas['Slug']?.['pattern']).toBe('^[A-Za-z0-9_-]{10}$')
})

test('stats name these mods and rulesets and no others (spec 2.6, D-2)', () => {
  const items = (name: string, field: string) => propertiesOf(name)[field]?.['items']
  expect(items('Stats', 'mods')).toMatchObject({
    enum: ['NM', 'HD', 'HR', 'DT', 'FM', 'TB', 'EZ', 'HT', 'FL'],
  })
  expect(items('Stats', 'modes')).toMatchObject({ enum: ['base', 'taiko', 'fruits', 'mania'] })
  expect(items('ForcedMods', 'set')).toMatchObject({ enum: ['EZ', 'HD', 'HR', 'DT', 'HT', 'FL'] })
})

test('a code is what spec 2.3 says, over every character there is', () => {
  const ours = new RegExp(CODE_PATTERN, 'u')
  const specified = /^[\p{L}\p{N}]{1,12}$/u
  for (let point = 0; point <= 0x10ffff; point++) {
    const character = String.fromCodePoint(point)
    if (ours.test(character) !== specified.test(character)) expect.fail(`U+${point.toString(16)}`)
  }
  for (const length of [0, 1, 12, 13]) {
    const code = '字'.repeat(length)
    expect(ours.test(code), code).toBe(specified.test(code))
  }
})

const schemaName = ($ref: string): string => $ref.split('/').at(-1)!

const isObject = ([, schema]: [string, Schema]): boolean => schema['type'] === 'object'

test('objects in answers are closed (D-44)', () => {
  const roots = operationsOf(document).flatMap(([, operation]) =>
    repliesOf(document, operation).flatMap(([, { content }]) =>
      content ? [schemaName(content['application/json'].schema.$ref)] : [],
    ),
  )
  const names = reachable(document, roots)
  expect(names).toContain('Stats')
  for (const name of names) {
    for (const [place, schema] of schemasIn(schemas[name]!, name).filter(isObject)) {
      // What stands inside an OpenAPI document is not this contract's to close.
      const isOpenapiPart = place.startsWith('OpenapiReply/')
      expect(schema['additionalProperties'], place).toBe(isOpenapiPart)
    }
  }
})

test('objects in requests take other fields, but for the shapes that D-17 closes (D-44)', () => {
  const closed = new Set(['BuiltinBucket', 'ForcedMods', 'FreeMods'])
  const names = reachable(document, ['PackInput'])
  expect(names).toContain('CustomBucketInput')
  for (const name of names) {
    for (const [place, schema] of schemasIn(schemas[name]!, name).filter(isObject)) {
      expect(schema['additionalProperties'], place).toBe(closed.has(name) ? false : undefined)
    }
  }
})
