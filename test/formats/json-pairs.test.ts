import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'
import { slotLabel } from '../../src/pool/slots.ts'

const read = (value: unknown) => {
  const { pools, others, questions } = readImport(JSON.stringify(value))
  const lines = [...pools.flatMap((pool) => pool.lines), ...others]
  const slots = pools.flatMap(({ name, round }) =>
    round.slots.map((slot) => [name, slotLabel(slot), slot.beatmapId]),
  )
  const refused = lines.filter(({ outcome }) => outcome === 'refused').length
  return { slots, refused, asked: questions.length }
}
const ids = fc.uniqueArray(fc.integer({ min: 10_000, max: 5_900_000 }), {
  minLength: 2,
  maxLength: 6,
})

describe('lists in a list', () => {
  it('with a bucket and a beatmap each are slots of these buckets', () => {
    const maps = [
      ['nm', 'https://osu.ppy.sh/beatmapsets/1186612#osu/2547849'],
      ['nm', 'https://osu.ppy.sh/beatmapsets/1186613#osu/2547850'],
      ['hd', 'https://osu.ppy.sh/beatmapsets/1186614#osu/2547851'],
    ]
    expect(read(maps).slots).toEqual([
      [null, 'NM1', 2_547_849],
      [null, 'NM2', 2_547_850],
      [null, 'HD1', 2_547_851],
    ])
    const property = fc.property(
      ids,
      fc.array(fc.constantFrom('NM', 'HD', 'hr', 'DT'), { minLength: 6, maxLength: 6 }),
      fc.boolean(),
      fc.boolean(),
      (all, codes, isLast, isLink) => {
        const counts = new Map<string, number>()
        const expected = all.map((id, at) => {
          const code = codes[at]!.toUpperCase()
          counts.set(code, (counts.get(code) ?? 0) + 1)
          return [null, `${code}${counts.get(code)}`, id]
        })
        const pairs = all.map((id, at) => {
          const own = isLink ? `https://osu.ppy.sh/b/${id}` : id
          return isLast ? [own, codes[at]] : [codes[at], own]
        })
        expect(read(pairs)).toEqual({ slots: expected, refused: 0, asked: 0 })
      },
    )
    fc.assert(property)
  })

  it('of which some have an id have one each, as old as it may be', () => {
    expect(
      read([
        [129_891, 'HD'],
        [75, 'HR'],
      ]),
    ).toEqual({
      slots: [
        [null, 'HD1', 129_891],
        [null, 'HR1', 75],
      ],
      refused: 0,
      asked: 0,
    })
    const property = fc.property(
      ids,
      fc.integer({ min: 50, max: 999 }),
      fc.nat(),
      fc.boolean(),
      fc.boolean(),
      (all, old, at, isLast, isIn) => {
        const mixed = all.toSpliced(at % all.length, 0, old)
        const pairs = mixed.map((id) => (isLast ? [id, 'HR'] : ['HR', id]))
        const slots = mixed.map((id, place) => [null, `HR${place + 1}`, id])
        expect(read(isIn ? { maps: pairs } : pairs)).toEqual({ slots, refused: 0, asked: 0 })
      },
    )
    fc.assert(property)
  })

  it('of which one has a lower number than any beatmap are refused there', () => {
    const { slots, refused } = read([
      [129_891, 'HD'],
      [5, 'HR'],
    ])
    expect([slots, refused]).toEqual([[[null, 'HD1', 129_891]], 1])
  })

  it('with a low number each are no beatmaps unless something says which number is the id', () => {
    const low = fc.constantFrom([8, 16, 64, 0], [5, 6, 7, 8], [180, 210, 95, 130])
    const property = fc.property(
      ids,
      low,
      fc.boolean(),
      fc.boolean(),
      (all, others, isLast, isIn) => {
        const rows = all.map((id, at) => {
          const other = others[at % others.length]
          return isLast ? [other, id] : [id, other]
        })
        const { slots, refused } = read(isIn ? { maps: rows } : rows)
        expect([slots, refused]).toEqual([[], rows.length])
      },
    )
    fc.assert(property)
    expect(
      read({
        maps: [
          [129_891, 8],
          [75, 16],
        ],
      }).slots,
    ).toEqual([])
  })
})

it('the pool of a match is read without its bans, players and games', () => {
  const match = {
    pool: { name: 'Week 1', maps: { noMod: [4_722_255, 4_722_272], hidden: [4_722_412] } },
    players: ['123456', '7891011'],
    bans: ['nm2', 'hd1'],
    picks: [{ map: 4_722_255, mod: 'nm1', scores: [733_676, 342_836] }],
  }
  expect(read(match)).toEqual({
    slots: [
      ['Week 1', 'NM1', 4_722_255],
      ['Week 1', 'NM2', 4_722_272],
      ['Week 1', 'HD1', 4_722_412],
    ],
    refused: 0,
    asked: 0,
  })
})

describe('rows of cells, as a sheet gives them to programs', () => {
  it('have the rounds of their column, as the same table has in text', () => {
    const rows = fc
      .uniqueArray(fc.constantFrom('RO16', 'QF', 'Finals'), { minLength: 1 })
      .chain((rounds) =>
        fc.tuple(...rounds.map((round) => fc.tuple(fc.constant(round), fc.boolean(), ids))),
      )
    const property = fc.property(rows, fc.boolean(), (rounds, isWrapped) => {
      const table = rounds.flatMap(([round, isMerged, all]) =>
        all.map((id, at) => [isMerged && at > 0 ? '' : round, `NM${at + 1}`, String(id)]),
      )
      const values = [['Round', 'Slot', 'ID'], ...table]
      const expected = rounds.flatMap(([round, , all]) =>
        all.map((id, at) => [round, `NM${at + 1}`, id]),
      )
      const data = isWrapped ? { range: 'Pool!A1:C99', majorDimension: 'ROWS', values } : values
      expect(read(data)).toEqual({ slots: expected, refused: 0, asked: 0 })
    })
    fc.assert(property)
  })

  it('are no round that is called as their key is', () => {
    const values = [
      ['Mod', '#', 'Map', 'ID'],
      ['NM', '1', 'A - B', '2547849'],
      ['', '2', '', '2547850'],
    ]
    expect(read({ range: 'Pool!A1:D3', values }).slots).toEqual([
      [null, 'NM1', 2_547_849],
      [null, 'NM2', 2_547_850],
    ])
  })
})

it.each(['mod_type', 'modcomb', 'modGroup'])('a field %s is that of the bucket', (key) => {
  const slots = ['NM', 'NM', 'HD'].map((mod, at) => ({
    id: at,
    beatmap_id: 2_547_849 + at,
    [key]: mod,
  }))
  expect(read(slots).slots).toEqual([
    [null, 'NM1', 2_547_849],
    [null, 'NM2', 2_547_850],
    [null, 'HD1', 2_547_851],
  ])
})
