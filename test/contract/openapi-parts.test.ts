import { describe, expect, test } from 'vitest'
import { documents, follow, walk } from './documents.ts'
import { schemasOf } from './schemas.ts'

const typesOf = (schema: Record<string, unknown>): unknown[] => [schema['type']].flat()

const isClosedChoice = (schema: Record<string, unknown>): boolean =>
  'enum' in schema || 'const' in schema

describe.each(['packs', 'pools'] as const)('the parts of the %s document', (service) => {
  const document = documents[service]
  const schemas = schemasOf(document)
  const references = new Set<string>()
  walk(document, (node) => {
    if (typeof node['$ref'] === 'string') references.add(node['$ref'])
  })

  test('every $ref leads somewhere', () => {
    expect(references.size).toBeGreaterThan(10)
    for (const $ref of references) expect(follow(document, $ref)).toBeTypeOf('object')
  })

  test('every shared part is pointed at', () => {
    for (const [section, parts] of Object.entries(document.components)) {
      if (section === 'securitySchemes') continue
      for (const name of Object.keys(parts)) {
        expect(references).toContain(`#/components/${section}/${name}`)
      }
    }
  })

  test('no schema that has a name is written out a second time', () => {
    const named = Object.entries(document.components['schemas'] ?? {}).map(
      ([name, schema]) => [JSON.stringify(schema), `#/components/schemas/${name}`] as const,
    )
    for (const [place, schema] of schemas) {
      const twin = named.find(([text, home]) => text === JSON.stringify(schema) && home !== place)
      expect(twin?.[1], place).toBeUndefined()
    }
  })

  test('every string has a longest length, or is one of a few', () => {
    const strings = schemas.filter(([, schema]) => typesOf(schema).includes('string'))
    expect(strings.length).toBeGreaterThan(5)
    for (const [place, schema] of strings) {
      if (!isClosedChoice(schema)) expect(schema['maxLength'], place).toBeTypeOf('number')
    }
  })

  test('every number has a least and a largest value', () => {
    const numbers = schemas.filter(([, schema]) =>
      typesOf(schema).some((type) => type === 'integer' || type === 'number'),
    )
    expect(numbers.length).toBeGreaterThan(4)
    for (const [place, schema] of numbers) {
      if (isClosedChoice(schema)) continue
      expect(schema['minimum'], place).toBeTypeOf('number')
      expect(schema['maximum'], place).toBeTypeOf('number')
    }
  })

  test('every list has items and a longest length', () => {
    for (const [place, schema] of schemas) {
      if (!typesOf(schema).includes('array')) continue
      expect(schema['maxItems'], place).toBeTypeOf('number')
      expect(schema['items'], place).toBeTypeOf('object')
    }
  })

  test('every schema says its type, choices of one kind too', () => {
    for (const [place, schema] of schemas) {
      if ('enum' in schema || 'const' in schema) {
        expect(['string', 'integer'], place).toContain(schema['type'])
      }
    }
  })

  test('every named schema says what it is', () => {
    for (const [name, schema] of Object.entries(document.components['schemas'] ?? {})) {
      expect((schema as { description?: string }).description, name).toBeTypeOf('string')
    }
  })

  test('a pattern can be compiled with the u flag, as JSON Schema has it', () => {
    for (const [place, schema] of schemas) {
      if (!('pattern' in schema)) continue
      expect(() => new RegExp(String(schema['pattern']), 'u'), place).not.toThrow()
    }
  })
})
