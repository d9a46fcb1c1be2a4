import * as fc from 'fast-check'
import type { TSchema } from 'typebox'
import { describe, expect, it, test } from 'vitest'
import { PackInput } from '../../src/contract/packs.ts'
import { ignoredFields, readPackInput } from '../../src/domain/reading/pack-input.ts'
import { anyPack } from '../support/any-pack.ts'
import { thrown } from './a-tournament.ts'

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

const slots = [{ mod: 'NM', index: 1, beatmapId: 1 }]
const refusalOf = (input: unknown) =>
  (thrown(() => readPackInput(input)) as Error | undefined)?.message

describe('a bucket as it is sent (spec 2.4, D-17)', () => {
  const custom = { code: 'X1', color: 1 }
  it.each([
    [{ code: 'NM' }, undefined],
    [{ ...custom }, undefined],
    [{ ...custom, other: 1 }, undefined],
    [{ ...custom, mods: { kind: 'free' } }, undefined],
    [{ ...custom, mods: { kind: 'forced', set: ['HD'] } }, undefined],
    [{ code: 'NM', color: 1 }, 'buckets[0].color must be left out'],
    [{ code: 'nm' }, 'buckets[0].color is missing'],
    ['NM', 'buckets[0] must be an object with code NM or HD or HR or DT or FM or TB or'],
    [null, 'buckets[0] must be an object with code NM or HD or HR or DT or FM or TB or'],
    [{ color: 1 }, 'buckets[0].code is missing'],
    [{ ...custom, color: 10 }, 'buckets[0].color must be from 0 to 9'],
    [{ ...custom, mods: null }, 'buckets[0].mods must not be null: leave it out'],
    [{ ...custom, mods: {} }, 'buckets[0].mods.kind is missing'],
    [{ ...custom, mods: { kind: 'both' } }, 'buckets[0].mods.kind must be one of forced, free'],
    [{ ...custom, mods: { kind: 'free', set: [] } }, 'buckets[0].mods.set must be left out'],
    [{ ...custom, mods: { kind: 'forced' } }, 'buckets[0].mods.set is missing'],
    [{ ...custom, mods: { kind: 'forced', set: [] } }, 'buckets[0].mods.set must have 1 to 3'],
    [{ ...custom, code: 'a b' }, 'buckets[0].code '],
  ])('%j: %s', (bucket, message) => {
    const refused = refusalOf({ name: 'x', slots, buckets: [bucket] })
    if (message === undefined) expect(refused).toBeUndefined()
    else expect(refused?.startsWith(message), refused).toBe(true)
  })

  it('says of a code that is written in another direction just that (D-47)', () => {
    const turned = 'N\u202eM'
    const own = [{ ...custom, code: turned }]
    expect(refusalOf({ name: 'x', slots, buckets: own })).toMatch(
      /^buckets\[0\]\.code must not contain U\+202E: [^;]*; remove it$/,
    )
    expect(refusalOf({ name: 'x', slots: [{ ...slots[0], mod: turned }] })).toMatch(
      /^slots\[0\]\.mod must not contain U\+202E: [^;]*; remove it$/,
    )
  })
})

it.each([null, [], 'text', 7])('%j is no pack', (body) => {
  expect(refusalOf(body)).toBe('the body must be a JSON object')
})

describe('the fields of which nothing is made (D-49)', () => {
  const pack = { name: 'x', slots, buckets: [{ code: 'X1', color: 1 }] }
  it.each([
    [pack, []],
    // As it was read (D-17).
    [
      { ...pack, slug: 's', stats: {}, packKey: 'k', ownerName: 'a', createdAt: '', version: 1 },
      [],
    ],
    [{ ...pack, visiblity: 'public' }, ['visiblity']],
    [
      { ...pack, slots: [{ ...slots[0], modd: 1 }, 7, { other: 1 }] },
      ['slots[0].modd', 'slots[2].other'],
    ],
    [{ ...pack, buckets: [{ code: 'X1', colour: 1 }] }, ['buckets[0].colour']],
    // A built-in bucket is closed: what it has too many is refused.
    [{ ...pack, buckets: [{ code: 'NM', colour: 1 }] }, []],
    [{ buckets: ['NM', { other: 1 }], slots: 'none' }, ['buckets[1].other']],
    ['text', []],
    [null, []],
  ])('%j: %j', (input, fields) => {
    expect(ignoredFields(input)).toEqual(fields)
  })
})
