import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import examples from '../../src/contract/examples.json' with { type: 'json' }
import { readPoolJson } from '../../src/formats/read-pool-json.ts'
import type { Pack } from '../../src/contract/packs.ts'
import { completePool } from '../../src/pool/checks.ts'
import { sentFields } from '../../src/pool/pack-fields.ts'
import { anyPool } from '../pool/pool-arbitrary.ts'

const { fullInput: fullInputExample, pack: packExample } = examples

const slots = [{ mod: 'NM', index: 1, beatmapId: 129891 }]
const read = (value: unknown) => readPoolJson(JSON.stringify(value))

describe('a pool as programs write it down', () => {
  it('as the API answers it, with what is around it or without', () => {
    for (const body of [packExample, { pack: packExample }]) {
      const { draft, fields } = read(body)
      expect(draft).toMatchObject({ name: packExample.name, slots: packExample.slots })
      expect(fields).toEqual(sentFields(packExample as Pack))
    }
  })

  it('as it is sent', () => {
    const { name, slots: sent, buckets } = fullInputExample
    expect(read(fullInputExample).draft).toEqual({ name, slots: sent, buckets })
    expect(read({ name: ' Finals ', slots })).toEqual({
      draft: { name: ' Finals ', buckets: null, slots },
      fields: {},
    })
  })

  it('as referee programs have it', () => {
    const played = [{ code: 'NM', index: 1, beatmapId: 129891, mods: ['NF'] }]
    expect(read({ slots: played }).draft).toEqual({ name: 'Pool', buckets: null, slots })
    expect(readPoolJson(JSON.stringify({ slots }), 'finals').draft.name).toBe('finals')
  })

  it('comes back equal, whatever stands in it', () => {
    const property = fc.property(anyPool, (pool) => {
      const body = { ...pool, buckets: pool.buckets ?? undefined }
      expect(completePool(read(body).draft, 0)).toEqual(pool)
    })
    fc.assert(property)
  })
})

describe('what is wrong is told with its place and the remedy (D-14)', () => {
  it.each([
    [[], 'the file must be an object'],
    [{ pack: 7 }, 'pack must be an object'],
    [{ packs: [] }, 'packs: the file has several packs; choose one of them'],
    [{ name: 'a' }, 'slots must be a list'],
    [{ name: 7, slots }, 'name must be a string'],
    [{ name: '', slots }, 'name must not be empty'],
    [{ slots: [null] }, 'slots[0] must be an object'],
    [{ slots: [{ index: 1, beatmapId: 1 }] }, 'slots[0].code must be a string'],
    [{ slots: [{ mod: 'NM', index: '1', beatmapId: 1 }] }, 'slots[0].index must be a number'],
    [{ slots: [{ mod: 'NM', index: 0, beatmapId: 1 }] }, 'slots[0].index must be from 1 to 99'],
    [{ slots, buckets: {} }, 'buckets must be a list'],
    [{ slots, buckets: [{ code: 'EZ' }] }, 'buckets[0].color must be a number'],
    [
      { slots, buckets: [{ code: 'NM', color: 1 }] },
      'buckets[0].color must be left out: NM is a built-in bucket',
    ],
    [
      { slots, buckets: [{ code: 'EZ', color: 1, mods: { kind: 'no' } }] },
      'buckets[0].mods.kind must be one of forced, free',
    ],
    [
      { slots, buckets: [{ code: 'EZ', color: 1, mods: { kind: 'forced', set: ['NF'] } }] },
      'buckets[0].mods.set[0] must be one of EZ, HD, HR, DT, HT, FL',
    ],
    [{ slots, visibility: 'secret' }, 'visibility must be one of private, unlisted, public'],
    [{ slots, description: 7 }, 'description must be a string'],
  ])('%j', (value, message) => {
    expect(() => read(value)).toThrow(message)
  })

  it('no JSON, with line and column', () => {
    expect(() => readPoolJson('{\n"slots": [}')).toThrow('line 2, column 11: expected a value')
    expect(() => readPoolJson('['.repeat(1_000_000))).toThrow('nested at most 256 deep')
  })
})
