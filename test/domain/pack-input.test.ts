import * as fc from 'fast-check'
import type { TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { PackInput } from '../../src/contract/packs.ts'
import { readPackInput } from '../../src/domain/reading/pack-input.ts'
import { anyPack } from '../support/any-pack.ts'

/** The value with white space around all that a person may type, by its schema. */
function padded(value: unknown, schema: TSchema & { readonly items?: TSchema }): unknown {
  if (Array.isArray(value)) return value.map((item) => padded(item, schema.items!))
  const isText = typeof value === 'string' && !('enum' in schema) && !('pattern' in schema)
  return isText ? ` \n${value}  ` : value
}

test('D-19: every text of a pack is trimmed before it is counted', () => {
  const property = fc.property(anyPack, (pack) => {
    const input = Object.entries(PackInput.properties).flatMap(([name, schema]) => {
      const value = pack[name as keyof PackInput]
      if (value === undefined) return []
      return [[name, ['slots', 'buckets'].includes(name) ? value : padded(value, schema)]]
    })
    expect(readPackInput(Object.fromEntries(input))).toEqual(pack)
  })
  fc.assert(property)
})

test('D-19, D-18: a text of the longest length may have white space around it, a choice may not', () => {
  const description = 'x'.repeat(500)
  const slots = [{ mod: 'NM', index: 1, beatmapId: 1 }]
  const input = { name: ' Cup ', slots, description: `\n${description} ` }
  expect(readPackInput(input)).toEqual({ name: 'Cup', slots, description })
  expect(() => readPackInput({ ...input, visibility: ' public' })).toThrow('visibility must be')
})
