import { describe, expect, it } from 'vitest'
import { builtinCodes } from '../../src/contract/mods.ts'
import {
  DraftBuilder,
  fitName,
  fitText,
  shown,
  tableInOrder,
} from '../../src/formats/draft-builder.ts'

const codesOf = (...codes: string[]): string =>
  (tableInOrder(codes) ?? []).map(({ code }) => code).join(' ')

describe('a draft that is made of the beatmaps of a file', () => {
  it('numbers the slots of each bucket, whose code is as it was first spelled', () => {
    const slots = new DraftBuilder()
    const added = ['nm', ' HD ', 'Qx', 'qX', null, '', 'NM'].map((mods, at) =>
      slots.add(mods, at + 1),
    )
    expect(added.every((refusal) => refusal === null)).toBe(true)
    expect(slots.draft('Finals')).toEqual({
      name: 'Finals',
      buckets: [...builtinCodes.slice(0, 5), 'Qx', ...builtinCodes.slice(5)].map((code) =>
        code === 'Qx' ? { code, color: 0 } : { code },
      ),
      slots: [
        { mod: 'NM', index: 1, beatmapId: 1 },
        { mod: 'HD', index: 1, beatmapId: 2 },
        { mod: 'Qx', index: 1, beatmapId: 3 },
        { mod: 'Qx', index: 2, beatmapId: 4 },
        { mod: null, index: 1, beatmapId: 5 },
        { mod: null, index: 2, beatmapId: 6 },
        { mod: 'NM', index: 2, beatmapId: 7 },
      ],
    })
  })

  it.each([
    ['NM', 0, "the beatmap's id must be from 1 to 2147483647"],
    ['NM', 2_147_483_648, "the beatmap's id must be from 1 to 2147483647"],
    ['NM', 1.5, "the beatmap's id must be a whole number from 1 to 2147483647"],
    ['a-b', 1, '“a-b” must be 1 to 12 letters or digits'],
    ['x'.repeat(13), 1, `“${'x'.repeat(13)}” must be 1 to 12 letters or digits`],
  ])('refuses %j with %d, and nothing of it is left', (mods, id, refusal) => {
    const slots = new DraftBuilder()
    expect(slots.add(mods, id)).toBe(refusal)
    expect(slots.draft('a')).toEqual({ name: 'a', buckets: null, slots: [] })
  })

  it('takes 64 beatmaps, and 8 buckets that are not built in (spec 8)', () => {
    const slots = new DraftBuilder()
    for (let at = 0; at < 8; at += 1) expect(slots.add(`C${at}`, 2_147_483_647)).toBeNull()
    expect(slots.add('C8', 1)).toBe('C8 would exceed the limit of 8 custom buckets')
    for (let at = 8; at < 64; at += 1) expect(slots.add(at % 2 === 0 ? 'c7' : 'NM', 1)).toBeNull()
    expect(slots.add('NM', 1)).toBe('a pool can have at most 64 beatmaps; remove this one')
    const { slots: all, buckets } = slots.draft('a')
    expect([all.length, buckets?.length]).toEqual([64, 14])
  })
})

it('a table has missing built-ins behind their neighbours, the tiebreaker last, and colours in order', () => {
  expect(tableInOrder([])).toBeNull()
  expect(tableInOrder(['HD', 'FM'])).toBeNull()
  expect(codesOf('RC')).toBe('NM HD HR DT FM RC TB')
  expect(codesOf('NM', 'RC', 'HD')).toBe('NM RC HD HR DT FM TB')
  expect(codesOf('DT', 'NM')).toBe('DT FM NM HD HR TB')
  expect(codesOf('TB', 'RC')).toBe('NM HD HR DT FM TB RC')
  expect(tableInOrder(['A', 'NM', 'B'])?.filter(({ code }) => /^[AB]$/.test(code))).toEqual([
    { code: 'A', color: 0 },
    { code: 'B', color: 1 },
  ])
})

it('a name is the nearest one that a pool can have (D-19, D-47)', () => {
  expect(fitName('  Grand\n\u202eFinals\u0007 ', 'x')).toBe('Grand Finals')
  expect(fitName(' \u200b\u3164', 'Pool')).toBe('Pool')
  expect(fitName(`${'a'.repeat(63)}🌸`, 'x')).toBe('a'.repeat(63))
  expect(fitName(`${'a'.repeat(62)}🌸b`, 'x')).toBe(`${'a'.repeat(62)}🌸`)
  expect(fitText('abc def', 4)).toBe('abc')
  expect(fitText('\ud800a', 9)).toBe('\ufffda')
})

it('a text of a file is shown in quotation marks, up to 24 signs of it', () => {
  expect(shown('a'.repeat(24))).toBe(`“${'a'.repeat(24)}”`)
  expect(shown('a'.repeat(25))).toBe(`“${'a'.repeat(24)}…”`)
  expect(shown(`${'a'.repeat(23)}🌸`)).toBe(`“${'a'.repeat(23)}\ufffd…”`)
})
