import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Import, readImport } from '../../src/formats/import/read-import.ts'
import { writeCodes, writeOverlay } from '../../src/formats/picks.ts'
import { completePool } from '../../src/pool/checks.ts'

const slotsOf = ({ pools }: Import) =>
  pools.flatMap(({ draft }) =>
    draft.slots.map(({ mod, index, beatmapId }) => `${mod ?? '-'}${index} ${beatmapId}`),
  )
const read = (data: unknown) => {
  const found = readImport(typeof data === 'string' ? data : JSON.stringify(data))
  return { slots: slotsOf(found).map((slot) => slot.toUpperCase()), questions: found.questions }
}

const anyId = fc.integer({ min: 10_000, max: 5_900_000 })
const anyCase = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.toLowerCase(),
  (text: string) => text.charAt(0) + text.slice(1).toLowerCase(),
)
const usual = ['NM', 'HD', 'HR', 'DT', 'FM', 'RC', 'LN', 'HB', 'EX', 'SV', 'MM']
/** Words of which a bucket's code may be one, none of them the name of a mod. */
const own = fc.constantFrom('ALT', 'SPECIAL', 'GIMMICK', 'TECHNICAL', 'QX')
const pools = (code: fc.Arbitrary<string>) =>
  fc
    .uniqueArray(fc.tuple(code, fc.integer({ min: 1, max: 9 })), {
      minLength: 2,
      maxLength: 6,
      selector: ([each, index]) => `${each}${index}`,
    })
    .chain((labels) =>
      fc
        .uniqueArray(anyId, { minLength: labels.length, maxLength: labels.length })
        .map((ids) =>
          labels.map(([each, index], at) => ({ label: `${each}${index}`, id: ids[at]! })),
        ),
    )
const wanted = (slots: readonly { label: string; id: number }[]) =>
  slots.map(({ label, id }) => `${label} ${id}`).toSorted()

describe('a label in data is the same in any case', () => {
  it('in a field for it, whatever the name of a mod beside it says', () => {
    const field = fc.constantFrom('code', 'pick', 'slot', 'identifier', 'label', 'name')
    const mod = fc.constantFrom(undefined, 'freemod', 'NM', 'DT')
    const any = fc.oneof(fc.constantFrom(...usual), own)
    fc.assert(
      fc.property(pools(any), field, mod, anyCase, (slots, key, name, write) => {
        const list = slots.map(({ label, id }) => ({
          [key]: write(label),
          id,
          ...(name !== undefined && { mod: name }),
        }))
        const { slots: found, questions } = read(list)
        expect([found.toSorted(), questions]).toEqual([wanted(slots), []])
      }),
    )
  })

  it('as the key of its beatmap; where it is of no usual bucket, it is asked rather than lost', () => {
    fc.assert(
      fc.property(pools(fc.constantFrom(...usual)), anyCase, (slots, write) => {
        const object = Object.fromEntries(slots.map(({ label, id }) => [write(label), id]))
        const { slots: found, questions } = read(object)
        expect([found.toSorted(), questions]).toEqual([wanted(slots), []])
      }),
    )
    fc.assert(
      fc.property(pools(own), anyId, anyCase, (slots, id, write) => {
        const pairs = slots.map((slot): [string, number] => [write(slot.label), slot.id])
        const { slots: found, questions } = read(Object.fromEntries([['nm1', id], ...pairs]))
        expect(found.length + questions.length).toBe(slots.length + 1)
      }),
    )
  })

  it('and what only counts or names something else is none', () => {
    const list = ['map1', 'player2', 'Stage 1', 'week3'].map((pick, at) => {
      return { pick, mod: 'HD', id: 20_000 + at }
    })
    expect(read(list)).toEqual({
      slots: ['HD1 20000', 'HD2 20001', 'HD3 20002', 'HD4 20003'],
      questions: [],
    })
    expect(read({ nm1: 75, team1: 129_891, map2: 129_892, v2: 3 })).toEqual({
      slots: ['NM1 75'],
      questions: [],
    })
  })
})

it('what was exported for bots and overlays comes back with the buckets of its own', () => {
  const code = fc
    .stringMatching(/^[A-Z][a-z]{4,9}$/)
    .filter((each) => !/^(?:hidden|easy)/i.test(each))
  fc.assert(
    fc.property(fc.oneof(code, fc.constantFrom('Special', 'Stage', 'Mix')), anyId, (mod, id) => {
      const pool = completePool({
        name: 'Finals',
        buckets: [{ code: mod, color: 0 }],
        slots: [
          { mod: 'NM', index: 1, beatmapId: 75 },
          { mod, index: 1, beatmapId: id },
          { mod, index: 2, beatmapId: 76 },
          { mod: 'TB', index: 1, beatmapId: 77 },
        ],
      })
      for (const write of [writeCodes, writeOverlay]) {
        const found = readImport(write(pool))
        expect(found.questions).toEqual([])
        expect(slotsOf(found)).toEqual(['NM1 75', `${mod}1 ${id}`, `${mod}2 76`, 'TB1 77'])
      }
    }),
  )
})

describe('beside slots in data, nothing with an id is lost', () => {
  const name = fc.constantFrom('', 'Custom map', 'NM2/TB', 'ex', 'Bonus', 'Rice 1', 'DT1+HD', 'x y')
  const count = ({ pools, questions }: Import) =>
    pools.reduce((sum, { draft }) => sum + draft.slots.length, 0) +
    questions.reduce((sum, { lines }) => sum + lines.length, 0) +
    pools.flatMap(({ lines }) => lines.filter(({ outcome }) => outcome === 'refused')).length
  // Each on a line of its own, since questions name lines.
  const load = (data: unknown) => readImport(JSON.stringify(data, null, 1))
  const someNames = fc.uniqueArray(fc.tuple(name, anyId), {
    minLength: 1,
    maxLength: 4,
    selector: ([, id]) => id,
  })

  it('as objects and pairs of lists, whatever the field and its value are', () => {
    const field = fc.constantFrom('slot', 'type', 'category', 'code', 'name', 'pick', 'label')
    const idKey = fc.constantFrom('id', 'beatmapId', 'beatmap_id')
    fc.assert(
      fc.property(someNames, field, idKey, (others, key, id) => {
        const list = [['NM1', 75], ...others].map(([text, own]) => ({ [key]: text, [id]: own }))
        expect(count(load([...list, { [id]: 6_000_001 }]))).toBe(list.length + 1)
        const pairs = [['NM1', 75], ...others.filter(([text]) => text !== '')]
        expect(count(load(pairs))).toBe(pairs.length)
      }),
    )
  })

  it('as keys with an id, and as labels by id', () => {
    fc.assert(
      fc.property(someNames, (others) => {
        const byId = Object.fromEntries([[7500, 'NM1'], ...others.map(([text, id]) => [id, text])])
        expect(count(load(byId))).toBe(others.length + 1)
        const named = new Map(others.filter(([text]) => text !== ''))
        const byName = { nm1: 75, ...Object.fromEntries(named) }
        expect(count(load(byName))).toBe(named.size + 1)
      }),
    )
  })

  it('in a group beside groups that are buckets', () => {
    const group = fc.constantFrom('RC', 'ex', 'Special', 'Gimmick')
    fc.assert(
      fc.property(group, anyId, fc.boolean(), (key, id, isList) => {
        const of = (own: number) => (isList ? [{ id: own }] : { 1: own })
        const found = load({ NM: of(75), [key]: of(id) })
        expect([count(found), found.pools.length]).toEqual([2, 1])
      }),
    )
  })
})

it('an object can be a label, and Tiebreaker is one; a list of one id is that beatmap', () => {
  const list = [
    { slot: { mod: 'HD', index: 1 }, id: 75_000 },
    { slot: 'Tiebreaker', id: 75_001 },
    { code: 'NM2', ids: [75_002] },
  ]
  expect(read(list)).toEqual({ slots: ['HD1 75000', 'TB1 75001', 'NM2 75002'], questions: [] })
})

it.each([
  { short: 'HD', number: 2 },
  { name: 'Hidden', number: 2 },
  { name: 'Hidden', short: 'HD', number: 2 },
  { acronym: 'HD', index: '2' },
  { HD: 2 },
])('an object in the place of a bucket keeps the number of the slot: %o', (mod) => {
  expect(read([{ id: 75_001, mod }]).slots).toEqual(['HD2 75001'])
})

it('labels may stand below their bucket, and their ids beside the mods as numbers', () => {
  const slots = ['NM1 75001', 'NM2 75002', 'HD1 75003']
  const [one, two, three] = [75_001, 75_002, 75_003]
  const within = { NM: { NM1: { id: one }, NM2: { id: two } }, HD: { HD1: { id: three } } }
  for (const data of [within, { mappool: within }])
    expect(read(data)).toEqual({ slots, questions: [] })
  const pairs = `{"NM1": (${one}, 0), "NM2": (${two}, 0), "HD1": (${three}, 8), "DT1": (${one}, 64)}`
  expect(read(pairs)).toEqual({ slots: [...slots, 'DT1 75001'], questions: [] })
  expect(read({ NM1: [one, 75] }).questions).toHaveLength(1)
})

it('a field for the order names the numbers of slots', () => {
  const orders = fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 })
  fc.assert(
    fc.property(orders, fc.constantFrom(0, 1), (order, from) => {
      const list = order.map((at) => ({ map_order: at + from, mod: 'NM', id: 20_000 + at }))
      const found = read(list).slots.toSorted()
      expect(found).toEqual([0, 1, 2, 3, 4].map((at) => `NM${at + 1} ${20_000 + at}`))
    }),
  )
})

it('a field that parts the slots into groups in which they come again makes rounds', () => {
  const key = fc.constantFrom('week', 'division', 'tier', 'day', 'stage_id', 'league')
  fc.assert(
    fc.property(key, fc.integer({ min: 2, max: 4 }), (own, count) => {
      const list = Array.from({ length: count * 2 }, (_, at) => {
        return { [own]: Math.floor(at / 2) + 1, mod: at % 2 === 0 ? 'NM' : 'HD', id: 20_000 + at }
      })
      expect(readImport(JSON.stringify(list)).pools).toHaveLength(count)
    }),
  )
})

it('a field that names no round makes none, wherever its value changes', () => {
  const key = fc.constantFrom(
    'pickedBy',
    'status',
    'bpm',
    'skill',
    'author',
    'length',
    'host',
    'cs',
  )
  const value = fc.constantFrom<(at: number) => string | number>(
    (at) => `Ada ${at}`,
    (at) => 180 + at,
  )
  fc.assert(
    fc.property(key, value, (own, write) => {
      const list = ['NM', 'HD', 'NM', 'TB'].map((mod, at) => {
        return { [own]: write(Math.floor(at / 2)), mod, id: 20_000 + at }
      })
      const { pools } = readImport(JSON.stringify(list))
      expect(pools.map(({ name }) => name)).toEqual([null])
      expect(read(list).slots).toEqual(['NM1 20000', 'HD1 20001', 'NM2 20002', 'TB1 20003'])
    }),
  )
})

it('what are scores, examples or too large for an id is not taken unasked', () => {
  const byPlayer = { Ada: { NM1: 777_777, HD1: 888_888 }, Bob: { NM1: 666_666, HD1: 555_555 } }
  expect([read(byPlayer).slots, read(byPlayer).questions.length]).toEqual([[], 1])
  const large = [
    { code: 'NM1', id: 123_456_789 },
    { code: 'HD1', id: 75_000 },
  ]
  expect([read(large).slots, read(large).questions.length]).toEqual([['HD1 75000'], 1])
  const rows = ['RC', 'RC', 'LN', 'HB'].map((type, at) => ({ id: at + 22, type, title: 'A' }))
  expect([read(rows).slots, read(rows).questions.length]).toEqual([[], 1])
  const example = { NM1: 75_000 }
  expect(read({ openapi: '3.0.0', paths: { '/pool': { example } } }).slots).toEqual([])
  expect(read({ type: 'object', properties: { pool: { example } } }).slots).toEqual([])
  const yaml = readImport('NM:\n  - id: 129891\n    backup: 129899\nHD:\n  - id: 75777\n')
  expect(slotsOf(yaml)).toEqual(['NM1 129891', 'HD1 75777'])
  expect(yaml.notes.join()).toContain('backup')
})

it('quoted data, and that of Ruby, keeps its labels and the name of its round', () => {
  const lines = ['{', '"round": "ROUND OF 16",', '"3130258": {"pick": "DT3",', '"x": true },']
  const text = [...lines, '"3180049": {"pick": "NM2"} }']
  const quoted = text.map((line) => `> ${line}`).join('\n')
  const indented = JSON.stringify(JSON.parse(text.join(' ')), null, 4).replaceAll(/^/gm, '> ')
  for (const each of [
    text.join('\n'),
    quoted,
    indented,
    quoted.slice(2),
    `Pool:\n${quoted}\nbye`,
  ]) {
    const { pools } = readImport(each)
    expect(pools.map(({ name }) => name)).toEqual(['ROUND OF 16'])
    expect(read(each).slots.toSorted()).toEqual(['DT3 3130258', 'NM2 3180049'])
  }
  expect(read('{ :NM1 => 129891, :HD1 => 75777 }').slots).toEqual(['NM1 129891', 'HD1 75777'])
})
