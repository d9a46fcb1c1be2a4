import { Compile } from 'typebox/schema'
import { describe, expect, it, test } from 'vitest'
import { aPack } from '../support/samples.ts'
import { documents, operationsOf, repliesOf } from './documents.ts'
import { schemasOf } from './schemas.ts'

const { components } = documents.packs
const input = Compile({ $ref: '#/components/schemas/PackInput', components } as never)
const allows = (body: unknown): boolean => input.Check(body)

test.each(['packs', 'pools'] as const)(
  'every integer of the %s document says how wide it is',
  (service) => {
    let count = 0
    for (const [place, schema] of schemasOf(documents[service])) {
      if (![schema['type']].flat().includes('integer')) continue
      count += 1
      if ('enum' in schema) continue
      const isWide = schema['maximum'] === Number.MAX_SAFE_INTEGER
      expect(schema['format'], place).toBe(isWide ? 'int64' : 'int32')
      if (!isWide) expect(schema['maximum'], place).toBeLessThanOrEqual(2_147_483_647)
    }
    expect(count).toBeGreaterThanOrEqual(service === 'packs' ? 12 : 4)
  },
)

test('the choice between forced and free mods names its discriminator', () => {
  expect(components['schemas']?.['BucketMods']).toMatchObject({
    anyOf: [{ $ref: expect.any(String) }, { $ref: expect.any(String) }],
    discriminator: {
      propertyName: 'kind',
      mapping: {
        forced: '#/components/schemas/ForcedMods',
        free: '#/components/schemas/FreeMods',
      },
    },
  })
})

const lists = new Set(['listMyPacks', 'listPacks', 'getHistory'])

test('the 304 of a list carries Link, that of anything else does not (D-13)', () => {
  for (const [id, operation] of operationsOf(documents.packs)) {
    for (const [status, { headers }] of repliesOf(documents.packs, operation)) {
      if (status === '304') expect('Link' in headers, id).toBe(lists.has(id))
    }
  }
})

describe('a body that the service refuses for its characters', () => {
  it.each<[string, object]>([
    ['a line break in a name', { name: 'a\nb' }],
    ['a control in a name', { name: 'a\u0007b' }],
    ['a C1 control in a name', { name: 'a\u0085b' }],
    ['a line separator in a name', { name: 'a\u2028b' }],
    ['an override in a name (D-47)', { name: '\u202egnp' }],
    ['a name of white space', { name: ' \t ' }],
    ['a control in a description', { description: 'a\u0007b' }],
    ['a carriage return alone', { description: 'a\rb' }],
    ['an isolate in a description (D-47)', { description: 'a\u2066b' }],
    ['a built-in bucket with a color', { buckets: [{ code: 'NM', color: 1 }] }],
    ['a built-in code in small letters', { buckets: [{ code: 'tB', color: 1 }] }],
  ])('is none of the document: %s', (_, change) => {
    expect(allows({ ...aPack(), ...change })).toBe(false)
  })

  it.each<[string, object]>([
    ['a name with space around it', { name: '\t Grand  Finals \n' }],
    ['a name of other scripts', { name: 'زمان 決勝 🏆' }],
    ['lines in a description', { description: ' \ta\n\r\nb\n' }],
    ['an empty description', { description: '' }],
    ['codes that begin like built-ins', { buckets: [{ code: 'NM2', color: 1 }, { code: 'NM' }] }],
  ])('others are: %s', (_, change) => {
    expect(allows({ ...aPack(), ...change })).toBe(true)
  })
})
