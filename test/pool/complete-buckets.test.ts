import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { builtinCodes } from '../../src/contract/mods.ts'
import type { Bucket } from '../../src/contract/pools.ts'
import { isBuiltinCode } from '../../src/pool/slots.ts'
import { completePool } from '../../src/pool/checks.ts'
import { anyDraft } from './pool-arbitrary.ts'

/** `RC3` is a custom bucket of colour 3; a built-in's code is that built-in. */
const bucket = (short: string): Bucket =>
  isBuiltinCode(short) ? { code: short } : { code: short.slice(0, -1), color: Number(short.at(-1)) }
const list = (short: string): Bucket[] => short.split(' ').filter(Boolean).map(bucket)

/** The stored table in the same shorthand; the slots' mods count up from index 1. */
function stored(sent: string | null, mods: string): string | null {
  const slots = mods
    .split(' ')
    .filter(Boolean)
    .map((mod, n) => ({ mod: mod === '-' ? null : mod, index: n + 1, beatmapId: 1 }))
  const draft = { name: 'a', slots, ...(sent !== null && { buckets: list(sent) }) }
  return (
    completePool(draft)
      .buckets?.map((each) => ('color' in each ? each.code + each.color : each.code))
      .join(' ') ?? null
  )
}

describe('a bucket list is completed (D-22)', () => {
  const cases: [why: string, sent: string | null, mods: string, table: string | null][] = [
    ['no list is the default table', null, 'NM TB', null],
    ['a slot without a bucket needs no table', null, '- NM', null],
    ['an empty list is the default table', '', 'NM', null],
    ['a list equal to the default is stored as none', 'NM HD HR DT FM TB', 'NM', null],
    ['a partial list that completes to the default is none', 'FM', 'NM', null],
    ['missing built-ins stand in front, TB at the end', 'RC3', 'NM', 'NM HD HR DT FM RC3 TB'],
    ['those in front keep default order', 'DT NM', 'NM', 'HD HR FM DT NM TB'],
    ['another order is kept', 'TB FM DT HR HD NM', 'NM', 'TB FM DT HR HD NM'],
    ['a sent TB keeps its place', 'TB RC3', 'NM', 'NM HD HR DT FM TB RC3'],
    ['TB at the end behind custom buckets', 'HD RC3 SV4', 'NM', 'NM HR DT FM HD RC3 SV4 TB'],
    ['a new code stands before TB', null, 'RC', 'NM HD HR DT FM RC0 TB'],
    [
      'new codes stand in order of first appearance',
      null,
      'SV NM RC SV',
      'NM HD HR DT FM SV0 RC1 TB',
    ],
    [
      'a new code takes the lowest colour not used',
      'A0 B2',
      'RC SV',
      'NM HD HR DT FM A0 B2 RC1 SV3 TB',
    ],
    [
      'a new code stands directly before a sent TB',
      'TB A1',
      'RC SV',
      'NM HD HR DT FM RC0 SV2 TB A1',
    ],
    ['slots of missing built-ins make no new bucket', 'RC3', 'HD TB RC', 'NM HD HR DT FM RC3 TB'],
  ]
  it.each(cases)('%s', (_why, sent, mods, table) => {
    expect(stored(sent, mods)).toBe(table)
  })

  it('takes the last two colours when eight buckets are in use', () => {
    expect(stored('A0 B1 C2 D3 E4 F5 G6', 'RC')).toContain('RC7')
    expect(stored('A9 B8 C7 D6 E5 F4 G3', 'RC')).toContain('RC0')
  })

  it('gives every stored table each built-in once and the sent buckets in their order', () => {
    fc.assert(
      fc.property(anyDraft, (draft) => {
        const { buckets } = completePool(draft, 0)
        const codes: string[] = (buckets ?? builtinCodes.map((code) => ({ code }))).map(
          (b) => b.code,
        )
        const sent: string[] = (draft.buckets ?? []).map((each) => each.code)
        expect(codes.filter(isBuiltinCode).toSorted()).toEqual(builtinCodes.toSorted())
        expect(codes.filter((code) => sent.includes(code))).toEqual(sent)
        expect(new Set(codes).size).toBe(codes.length)
      }),
    )
  })

  it('finds a bucket for every slot that names one', () => {
    fc.assert(
      fc.property(anyDraft, (draft) => {
        const { buckets, slots } = completePool(draft, 0)
        const codes = new Set<string>(
          (buckets ?? builtinCodes.map((code) => ({ code }))).map((b) => b.code),
        )
        expect(slots.every((slot) => slot.mod === null || codes.has(slot.mod))).toBe(true)
      }),
    )
  })
})
