import { Compile } from 'typebox/schema'
import { describe, expect, test } from 'vitest'
import examples from '../../src/contract/examples.json' with { type: 'json' }
import type { MediaType } from '../../src/contract/openapi/types.ts'
import type { PackInput } from '../../src/contract/packs.ts'
import { completePool } from '../../src/pool/checks.ts'
import { encodePackKey } from '../../src/pool/pack-key/pack-key.ts'
import { documents, walk } from './documents.ts'
import { type Schema, schemasOf } from './schemas.ts'

const {
  fullInput: fullInputExample,
  hiddenPack: hiddenPackExample,
  newPack: newPackExample,
  pack: packExample,
  plainInput: plainInputExample,
  replacedPack: replacedPackExample,
} = examples

/** Checks values against a schema whose references lead into the document. */
const checkerIn = (document: object, schema: Schema) => {
  const { components } = document as { components: Schema }
  const validator = Compile({ ...schema, components } as never)
  return (value: unknown): unknown[] => (validator.Check(value) ? [] : validator.Errors(value)[1])
}

describe.each(['packs', 'pools'] as const)('the examples of the %s document', (service) => {
  const document = documents[service]

  test('every example of a schema is valid', () => {
    let count = 0
    for (const [place, schema] of schemasOf(document)) {
      for (const example of (schema['examples'] ?? []) as unknown[]) {
        count++
        expect(checkerIn(document, schema)(example), place).toEqual([])
      }
    }
    expect(count).toBeGreaterThan(10)
  })

  test('every named object has an example', () => {
    for (const [name, schema] of Object.entries(document.components['schemas'] ?? {})) {
      if ((schema as Schema)['type'] !== 'object') continue
      expect((schema as Schema)['examples'], name).toBeInstanceOf(Array)
    }
  })

  test('every example of a request or an answer is valid', () => {
    let count = 0
    walk(document, (node, place) => {
      if (!place.endsWith('/application/json')) return
      const { schema, examples } = node as MediaType
      const check = checkerIn(document, schema)
      for (const [name, { summary, value }] of Object.entries(examples)) {
        count++
        expect(summary).not.toBe('')
        expect(check(value), `${place} ${name}`).toEqual([])
      }
    })
    expect(count).toBeGreaterThan(5)
  })

  test('the document is what its own operation says it answers', () => {
    const check = checkerIn(document, { $ref: '#/components/schemas/OpenapiReply' })
    expect(check(document)).toEqual([])
    expect(check({ ...document, openapi: '2.0' })).not.toEqual([])
  })
})

test('the checker follows references and refuses what is wrong', () => {
  const check = checkerIn(documents.packs, { $ref: '#/components/schemas/PackReply' })
  expect(check({ pack: packExample })).toEqual([])
  expect(
    check({ pack: { ...packExample, slots: [{ mod: '!', index: 1, beatmapId: 1 }] } }),
  ).not.toEqual([])
  expect(check({ pack: { ...packExample, extra: true } })).not.toEqual([])
  expect(check({ pack: { ...packExample, stats: { count: 1 } } })).not.toEqual([])
})

const shown = { packExample, newPackExample, replacedPackExample, hiddenPackExample }

test.each(Object.entries(shown))('%s carries the pack key of its own pool', (_name, pack) => {
  expect(encodePackKey(completePool(pack as PackInput))).toBe(pack.packKey)
})

test('what is sent in the examples comes back in the examples (spec 3, D-22)', () => {
  const sent = completePool(fullInputExample as PackInput)
  const { name, description, visibility, slots, buckets } = replacedPackExample
  expect({ name, slots, buckets }).toEqual(sent)
  expect({ description, visibility }).toEqual({
    description: fullInputExample.description,
    visibility: fullInputExample.visibility,
  })
  const { name: plainName, slots: plainSlots, visibility: plainVisibility } = newPackExample
  expect({ name: plainName, slots: plainSlots }).toEqual(plainInputExample)
  expect(plainVisibility).toBe('unlisted')
})
