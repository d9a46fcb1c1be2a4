import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Import, readImport } from '../../src/formats/import/read-import.ts'

const codes = ['NM', 'NM', 'HD', 'HR', 'DT']
const labels = ['NM1', 'NM2', 'HD1', 'HR1', 'DT1']
const someIds = fc.uniqueArray(fc.integer({ min: 1000, max: 5_900_000 }), {
  minLength: labels.length,
  maxLength: labels.length,
})
const slotsOf = ({ pools }: Import) =>
  pools.flatMap(({ draft }) =>
    draft.slots.map(({ mod, index, beatmapId }) => `${mod ?? '-'}${index} ${beatmapId}`),
  )
const silent = (data: unknown) => {
  const read = readImport(JSON.stringify(data))
  return read.questions.length === 0 ? slotsOf(read) : null
}
const wanted = (ids: readonly number[]) => labels.map((label, at) => `${label} ${ids[at]}`)

describe('JSON that other programs write', () => {
  it('reads tables that are kept by columns, by keys or by a list of names', () => {
    const names = fc.record({
      label: fc.constantFrom('slot', 'code', 'mod_slot'),
      id: fc.constantFrom('id', 'beatmap_id', 'map_id'),
      start: fc.integer({ min: 0, max: 50 }),
    })
    fc.assert(
      fc.property(someIds, names, (ids, { label, id, start }) => {
        const keyed = (values: readonly unknown[]) =>
          Object.fromEntries(values.map((value, at) => [String(at + start), value]))
        expect(
          silent({ [label]: keyed(labels), stars: keyed([5, 6, 7, 5, 6]), [id]: keyed(ids) }),
        ).toEqual(wanted(ids))
        const data = labels.map((each, at) => [each, ids[at]])
        expect(silent({ columns: [label, id], index: labels.map((_, at) => at), data })).toEqual(
          wanted(ids),
        )
      }),
    )
  })

  it('reads a label by its value where no usual field has one', () => {
    const key = fc.constantFrom('no', 'mapNo', 'place', 'feld', '番号', 'x')
    fc.assert(
      fc.property(someIds, key, (ids, own) => {
        const list = labels.map((label, at) => ({ [own]: label, bid: ids[at], sid: 5 + at }))
        expect(silent(list)).toEqual(wanted(ids))
      }),
    )
  })

  it('reads mods as bits in each list of the data, whichever of them show that they are bits', () => {
    const bits = { NM: 0, EZ: 2, HD: 8, HR: 16, HDHR: 24, DT: 64, HDDT: 72, HT: 256, FL: 1024 }
    const anyCodes = fc
      .array(fc.constantFrom(...Object.keys(bits)), { minLength: 5, maxLength: 5 })
      .filter((codes) => codes.some((code) => bits[code as keyof typeof bits] >= 8))
    fc.assert(
      fc.property(someIds, anyCodes, fc.integer({ min: 0, max: 4 }), (ids, all, end) => {
        const rows = ids.map((id, at) => ({ id, mods: bits[all[at] as keyof typeof bits] }))
        const lists = [rows.slice(0, end), rows.slice(end)]
        const names = ['Semifinals', 'Finals']
        const data = Object.fromEntries(names.map((name, at) => [name, lists[at]]))
        const read = readImport(JSON.stringify(data))
        const slots = read.pools.flatMap(({ name, draft }) =>
          draft.slots.map(({ mod, beatmapId }) => `${name} ${mod} ${beatmapId}`),
        )
        const expected = ids.map((id, at) => `${names[at < end ? 0 : 1]} ${all[at]} ${id}`)
        expect(read.questions, JSON.stringify(data)).toEqual([])
        expect(slots.toSorted(), JSON.stringify(data)).toEqual(expected.toSorted())
      }),
    )
  })

  it('reads mods as bits and as lists, with no fail for all or for none', () => {
    const bits: Record<string, number> = { NM: 0, HD: 8, HR: 16, DT: 64 }
    fc.assert(
      fc.property(someIds, fc.boolean(), (ids, isNoFail) => {
        const byBits = codes.map((code, at) => ({
          beatmapId: ids[at],
          mods: bits[code]! + (isNoFail ? 1 : 0),
        }))
        expect(silent(byBits)).toEqual(wanted(ids))
        const byList = codes.map((code, at) => ({
          beatmapId: ids[at],
          slot: Number(labels[at]!.slice(2)),
          mods: ['NF', ...(code === 'NM' ? [] : [code])],
        }))
        expect(silent(byList)).toEqual(wanted(ids))
      }),
    )
  })

  it('takes no slot out of games of a match, or out of picks and bans', () => {
    fc.assert(
      fc.property(someIds, fc.boolean(), (ids, isOld) => {
        const scores = [{ user_id: 11, score: 512_345 }]
        const games = ids.map((beatmap_id, at) => ({ id: at, beatmap_id, mods: ['NF'], scores }))
        const typed = ids.map((beatmap_id) => ({ beatmap_id, mods: [], team_type: 'team-vs' }))
        expect(
          silent(
            isOld
              ? { match: { match_id: 5 }, games }
              : { events: games.map((game) => ({ id: 1, game })) },
          ),
        ).toEqual([])
        expect(silent({ events: typed.map((game) => ({ id: 1, game })) })).toEqual([])
        const veto = ids.map((beatmapId, at) => ({ team: 'red', map: labels[at], beatmapId }))
        expect(silent({ bans: veto.slice(0, 2), picks: veto.slice(2) })).toEqual([])
      }),
    )
  })

  it('leaves out beside a pool what a key calls old or suggested, and asks about it alone', () => {
    const key = fc.constantFrom('old_pool', 'suggestions', 'rejectedMaps', 'backup', 'candidates')
    fc.assert(
      fc.property(someIds, key, (ids, aside) => {
        const pool = Object.fromEntries(labels.map((label, at) => [label, ids[at]]))
        const other = { NM1: 6001, HD1: 6002 }
        const read = readImport(JSON.stringify({ pool, [aside]: other }))
        expect([read.questions, slotsOf(read)]).toEqual([[], wanted(ids)])
        expect(read.notes.join()).toContain(aside)
        expect(silent({ [aside]: other })).toBeNull()
      }),
    )
  })

  it('leaves out what is marked as removed', () => {
    const list = labels.map((slot, at) => ({ slot, id: 1000 + at, removed: slot === 'NM2' }))
    expect(silent(list)).toEqual(['NM1 1000', 'HD1 1002', 'HR1 1003', 'DT1 1004'])
  })

  it('reads a bucket whose code ends in a digit, as brackets and overlays have it for several beatmaps', () => {
    const code = fc.constantFrom('RC1', 'LN2', 'ALT3')
    fc.assert(
      fc.property(someIds, code, fc.integer({ min: 2, max: 4 }), (ids, own, count) => {
        const mods = ids.map((_, at) => (at < count ? own : 'NM'))
        const read = ids.map((id, at) => {
          return `${mods[at]} ${at < count ? at + 1 : at - count + 1} ${id}`
        })
        const spaced = (data: unknown) =>
          readImport(JSON.stringify(data)).pools.flatMap(({ draft }) =>
            draft.slots.map(({ mod, index, beatmapId }) => `${mod} ${index} ${beatmapId}`),
          )
        const Beatmaps = ids.map((ID, at) => ({ ID, Mods: mods[at] }))
        const bracket = { Rounds: [{ Name: 'Finals', BestOf: 9, Beatmaps }], Matches: [] }
        expect(spaced(bracket).toSorted()).toEqual(read.toSorted())
        const beatmaps = ids.map((beatmapID, at) => {
          return { beatmapID, mod: mods[at], order: at < count ? at + 1 : at - count + 1 }
        })
        expect(spaced({ roundName: 'Finals', beatmaps }).toSorted()).toEqual(read.toSorted())
      }),
    )
  })
})

describe('lists as we write them for bots and overlays, by their rounds', () => {
  const anyNames = fc.constantFrom(
    ['NM', 'Speed'],
    ['HD2', 'Finals'],
    ['Hidden', 'RC'],
    ['TB', 'Grand Finals'],
  )
  const orders = [
    ['beatmapId', 'pick', 'mods'],
    ['mods', 'pick', 'beatmapId'],
    ['pick', 'beatmapId', 'mods'],
    ['code', 'id'],
    ['id', 'code'],
  ]

  it('are rounds, whatever they are called and in whatever order their fields are', () => {
    fc.assert(
      fc.property(anyNames, fc.constantFrom(...orders), someIds, (names, order, ids) => {
        const rowOf = (label: string, at: number) => {
          const mods = label.slice(0, 2)
          const fields = { beatmapId: ids[at], pick: label, mods, code: label, id: ids[at] }
          return Object.fromEntries(order.map((key) => [key, fields[key as keyof typeof fields]]))
        }
        const lists = [
          ['NM1', 'HD1', 'HR1'].map(rowOf),
          ['NM1', 'DT1'].map((label, at) => rowOf(label, at + 3)),
        ]
        const data = JSON.stringify(Object.fromEntries(names.map((name, at) => [name, lists[at]])))
        const read = readImport(data)
        expect(read.questions, data).toEqual([])
        expect(
          read.pools.map(({ name, draft }) => [
            name,
            draft.slots.map(({ mod, beatmapId }) => `${mod} ${beatmapId}`),
          ]),
          data,
        ).toEqual([
          [names[0], [`NM ${ids[0]}`, `HD ${ids[1]}`, `HR ${ids[2]}`]],
          [names[1], [`NM ${ids[3]}`, `DT ${ids[4]}`]],
        ])
      }),
    )
  })
})

it('fields in another language are read as those in English', () => {
  const languages = [
    ['라운드', '슬롯', '비트맵 ID'],
    ['ラウンド', 'スロット', '譜面ID'],
    ['раунд', 'слот', 'ID карты'],
    ['轮次', '模组', '谱面ID'],
  ]
  fc.assert(
    fc.property(someIds, fc.constantFrom(...languages), (ids, language) => {
      const readWith = (keys: readonly string[]) => {
        const rows = labels.map((label, at) => {
          const values = [at < 3 ? 'Semifinals' : 'Finals', label, ids[at]]
          return Object.fromEntries(keys.map((key, place) => [key, values[place]]))
        })
        const { pools, questions } = readImport(JSON.stringify(rows))
        return { pools: pools.map(({ name, draft }) => [name, draft.slots]), questions }
      }
      const read = readWith(language)
      expect(read.pools.map(([name]) => name)).toEqual(['Semifinals', 'Finals'])
      expect(read).toEqual(readWith(['round', 'slot', 'beatmap id']))
    }),
  )
})
