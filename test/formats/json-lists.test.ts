import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'
import { wholeReading } from './whole-reading.ts'

const anyId = fc.integer({ min: 10_000, max: 5_900_000 })
const names = fc.constantFrom('x', 'Ada', 'Some words about it')
/** What may be given for a slot, with a beatmap or without. */
const given = fc.oneof(
  anyId,
  anyId.map((id) => [id]),
  names,
  fc.array(names, { maxLength: 3 }),
  fc.constantFrom(null, [], [null], [''], {}, true, 'TBA', ['TBA'], ['Kite - Lamp']),
)
const written = (pairs: readonly (readonly [string, unknown])[], isList: boolean): string =>
  JSON.stringify(isList ? pairs : Object.fromEntries(pairs))

describe('what keys have beside others with beatmaps', () => {
  it('is read, planned, asked or refused for each slot, as it is written', () => {
    const labels = fc.subarray(['HD1', 'HD2', 'HR1', 'DT1', 'FM1', 'TB1'], { minLength: 1 })
    const pairs = labels.chain((all) =>
      fc.tuple(...all.map((label) => fc.tuple(fc.constant(label), given))),
    )
    fc.assert(
      fc.property(pairs, anyId, (own, id) => {
        const { pools, others } = readImport(written([['NM1', id], ...own], false))
        const lines = [...pools.flatMap((pool) => pool.lines), ...others]
        const told = lines.filter(({ outcome }) => outcome !== 'skipped').map(({ text }) => text)
        for (const [label, value] of [['NM1', id], ...own] as const)
          expect(told).toContain(`"${label}":${JSON.stringify(value)}`)
      }),
    )
  })

  it('is read or asked for each id in a bucket, whatever is in the same list', () => {
    const items = fc.array(fc.oneof(anyId, names), { minLength: 1, maxLength: 4 })
    const buckets = fc.tuple(
      fc.constantFrom('HD', 'HR', 'Stamina', 'QX'),
      items,
      fc.uniqueArray(anyId, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
    )
    fc.assert(
      fc.property(buckets, ([code, list, first, isList]) => {
        const { pools, others } = readImport(
          written(
            [
              ['NM', first],
              [code, list],
            ],
            isList,
          ),
        )
        const lines = [...pools.flatMap((pool) => pool.lines), ...others]
        const told = lines.filter(({ outcome }) => outcome !== 'skipped').map(({ text }) => text)
        const ids = list.filter((item) => typeof item === 'number')
        expect(told).toEqual(expect.arrayContaining([...first, ...ids].map(String)))
      }),
    )
  })

  it.each<[string, string[]]>([
    [
      '[["NM1",75001],["HD1",[]],["HR1",["x"]],["DT1",["Ada","Bo"]]]',
      ['NM1 75001, HD1 ?, HR1 ? placeholder=x', '! 1: “DT1” has no beatmap id.'],
    ],
    ['{"NM":[75001],"HR":["x"],"HD":[]}', ['NM1 75001', '! 1: “HR” has no beatmap id.']],
  ])('%s', (text, read) => expect(wholeReading(text)).toEqual(read))

  it('is shown as a whole where it is a pair in a list', () => {
    const [pool] = readImport('[["NM1",[75001]],["HD1",[75002]]]').pools
    expect(pool?.lines.map(({ text }) => text)).toEqual(['["NM1",[75001]]', '["HD1",[75002]]'])
  })
})
