import { expect, test } from 'vitest'
import { readPack, WrongType } from '../../src/formats/pool-values.ts'

const pack = {
  name: 'Finals',
  buckets: [
    { code: 'NM' },
    { code: 'X1', color: 3, mods: { kind: 'forced', set: ['HD', 'DT'] } },
    { code: 'X2', color: 4, mods: { kind: 'free' } },
    { code: 'X3', color: 0 },
    { code: 'TB' },
  ],
  slots: [
    { mod: 'NM', index: 1, beatmapId: 75 },
    { mod: null, index: 2, beatmapId: 76 },
  ],
}

/** The pack with another value at a path; undefined leaves it out. */
const withValue = (path: readonly (string | number)[], value: unknown): unknown => {
  const made = structuredClone({ pack }) as Record<string, unknown>
  let at: Record<string | number, unknown> = made
  const whole = ['pack', ...path]
  for (const step of whole.slice(0, -1)) at = at[step] as Record<string, unknown>
  at[whole.at(-1)!] = value
  return made['pack']
}

const values: readonly unknown[] = ['text', 7, true, null, [1], { a: 1 }, undefined]
const isObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const kinds = {
  'an object': isObject,
  'a list': (value: unknown) => Array.isArray(value),
  'a string': (value: unknown) => typeof value === 'string',
  'a number': (value: unknown) => typeof value === 'number',
}

test.each([
  [[], 'the pack', 'an object', []],
  [['name'], 'name', 'a string', []],
  [['slots'], 'slots', 'a list', []],
  [['buckets'], 'buckets', 'a list', [undefined]],
  [['slots', 1], 'slots[1]', 'an object', []],
  [['slots', 1, 'index'], 'slots[1].index', 'a number', []],
  [['slots', 1, 'beatmapId'], 'slots[1].beatmapId', 'a number', []],
  [['buckets', 1], 'buckets[1]', 'an object', []],
  [['buckets', 1, 'code'], 'buckets[1].code', 'a string', []],
  [['buckets', 1, 'color'], 'buckets[1].color', 'a number', []],
  [['buckets', 0, 'color'], 'buckets[0].color', 'a number', [undefined]],
  [['buckets', 1, 'mods'], 'buckets[1].mods', 'an object', [undefined]],
  [['buckets', 1, 'mods', 'set'], 'buckets[1].mods.set', 'a list', []],
] as const)(
  'what has another type than the API has at %j is refused at its place',
  (path, place, what, also) => {
    for (const value of values) {
      const isRight = kinds[what](value) || (also as readonly unknown[]).includes(value)
      // What is of the type, and holds what is not, is refused within.
      if (isRight && typeof value === 'object' && value !== null) continue
      const read = () => readPack(withValue(path, value))
      if (isRight) expect(read).not.toThrow()
      else expect(read).toThrow(new WrongType(place, what))
    }
  },
)

test('a pack is read as it was written, also with `code` for `mod`', () => {
  expect(readPack(pack)).toMatchObject(pack)
  const byCode = { ...pack, slots: pack.slots.map(({ mod: code, ...slot }) => ({ code, ...slot })) }
  expect(readPack(byCode)).toMatchObject(pack)
  expect(readPack(withValue(['buckets'], undefined)).buckets).toBeNull()
  for (const [at, value, what] of [
    ['kind', 'any', 'one of forced, free'],
    ['kind', undefined, 'one of forced, free'],
    ['set', ['HD', 'XX'], 'one of EZ, HD, HR, DT, HT, FL'],
  ] as const) {
    const place = `buckets[1].mods.${at}${at === 'set' ? '[1]' : ''}`
    expect(() => readPack(withValue(['buckets', 1, 'mods', at], value))).toThrow(
      new WrongType(place, what),
    )
  }
  expect(() => readPack(withValue(['buckets', 0, 'mods'], { kind: 'free' }))).toThrow(
    new WrongType('buckets[0].color', 'a number'),
  )
  expect(() => readPack(withValue(['slots', 0, 'mod'], 7))).toThrow(
    new WrongType('slots[0].mod', 'a string'),
  )
})
