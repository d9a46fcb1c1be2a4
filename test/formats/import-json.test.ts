import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'
import { slotLabel } from '../../src/pool/slots.ts'
import { expectLinear } from '../support/linear.ts'
import { pasted } from './pasted-text.ts'

/** The slots of each round: `RO16: NM1=11 HD1=12`; without a round, the slots alone. */
const rounds = (text: string): string[] =>
  readImport(text).pools.map(({ name, draft }) => {
    const slots = draft.slots.map((slot) => `${slotLabel(slot)}=${slot.beatmapId}`).join(' ')
    return name === null ? slots : `${name}: ${slots}`
  })

const asked = (text: string) => readImport(text).questions.map((each) => each.text)

const twoSlots = ['NM1=129891', 'HD1=75']

describe('a slot and its beatmap in data', () => {
  it.each([
    ['fields of a referee bot (4)', '[{"code":"NM1","id":129891},{"code":"HD1","id":75}]'],
    ['a key for each (5)', '{"NM1": 129891, "HD1": 75}'],
    ['Python (5)', "pool = {'NM1': 129891, 'HD1': 75,}  # final"],
    ['tuples of Python', "[('NM1', 129891), ('HD1', 75)]"],
    ['the id as the key (6)', '{"129891":"NM1","75":{"pick":"HD1","custom":true}}'],
    [
      'overlays (7)',
      '[{"beatmapId":129891,"pick":"NM1","modSR":5.6},{"beatmapId":75,"pick":"HD1"}]',
    ],
    [
      'mods without a number (8)',
      '[{"beatmapId":129891,"mods":"NM"},{"beatmapId":75,"mods":["HD"]}]',
    ],
    [
      'lists of mods, where none is no mod',
      '[{"beatmapId":129891,"mods":[]},{"beatmapId":75,"mods":["HD"]}]',
    ],
    [
      'mods and a number',
      '[{"mod":"NoMod","index":1,"bid":129891},{"mod":"Hidden","order":"1","bid":75}]',
    ],
    [
      'snake case',
      '[{"slot_name":"NM1","beatmap_id":129891},{"slot_name":"HD1","beatmap_id":"75"}]',
    ],
    [
      'a beatmap inside',
      '{"NM1":{"beatmap":{"id":129891,"set":{"id":39804}}},"HD1":{"map":{"id":75}}}',
    ],
    ['links', '{"NM1":"https://osu.ppy.sh/b/129891","HD1":"https://osu.ppy.sh/beatmaps/75"}'],
    ['lists by bucket', '{"NM":[129891],"HD":[{"id":75}]}'],
    ['objects by bucket', '{"NM":{"1":129891},"HD":{"1":{"id":75}}}'],
    [
      'groups with a mod',
      '{"pools":[{"mod":"NoMod","maps":[{"id":129891}]},{"mod":"HD","maps":[75]}]}',
    ],
    [
      'numbers apart from mods',
      '[{"mod":"NM","slot":1,"id":129891},{"mod":"HD","slot":"1","id":75}]',
    ],
    ['pairs', '[["NM1",129891],[75,"HD1"]]'],
    ['lines of text', '["NM1 129891","HD1: 75"]'],
    ['JSON lines', '{"slot":"NM1","id":129891}\n{"slot":"HD1","id":75}\n'],
    [
      'JavaScript',
      'export const pool = [{ slot: "NM1", id: 129_891 /* first */ }, { slot: `HD1`, id: 75 }];',
    ],
    [
      'a list inside the object',
      '[{"slot":"NM1","id":129891,"tags":[1,2]},{"slot":"HD1","id":75}]',
    ],
  ])('reads %s', (_, text) => {
    expect(pasted(text)).toEqual(twoSlots)
    expect(readImport(text).questions).toEqual([])
    expect(readImport(text).shape.id).toBe('json')
  })

  it('reads codes of buckets of one’s own, and numbers without a bucket', () => {
    expect(pasted('{"RC1":75,"LN2":76}')).toEqual(['RC1=75', 'LN2=76'])
    expect(
      pasted('[{"code":"4","id":75},{"code":"RC1 2","id":76},{"code":"NM1","id":77}]'),
    ).toEqual(['4=75', 'RC1 2=76', 'NM1=77'])
    expect(pasted('{"NM":[{"index":3,"id":75},{"slot":1,"id":76}]}')).toEqual(['NM3=75', 'NM1=76'])
    // The first of the fields that holds a number.
    expect(pasted('{"NM":[{"index":"first","slot":2,"id":75}]}')).toEqual(['NM2=75'])
  })

  it('reads a name with a number up to 99 as a slot', () => {
    expect(
      pasted('[{"code":"Hidden 100","beatmapId":75},{"code":"Hidden 99","beatmapId":76}]'),
    ).toEqual(['1? In a new bucket Hidden100 | In no bucket', 'HD99=76'])
  })

  it('reads a tiebreaker without a number', () => {
    expect(pasted('{"NM1":129891,"TB":75}')).toEqual(['NM1=129891', 'TB=75'])
  })

  it('may have a code of several mods, however long it is', () => {
    const anyMods = fc.shuffledSubarray(['HD', 'HR', 'DT'], { minLength: 2 })
    fc.assert(
      fc.property(anyMods, (mods) => {
        const code = mods.join('')
        const data = [
          { slot: `${code}1`, id: 129_891 },
          { slot: 'NM1', id: 75 },
        ]
        expect(rounds(JSON.stringify(data))[0]).toContain(`${code}1=129891`)
      }),
    )
  })

  it('forces the mods that a code is made of (14)', () => {
    const { draft } = readImport('{"HDHR1":129891,"EZ1":75}').pools[0]!
    expect(draft.buckets).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ code: 'HDHR', mods: { kind: 'forced', set: ['HD', 'HR'] } }),
        expect.objectContaining({ code: 'EZ', mods: { kind: 'forced', set: ['EZ'] } }),
      ]),
    )
  })

  it('takes the label over the name of the mod, and notes where they differ (9)', () => {
    const { pools, notes } = readImport('[{"mapId":75,"mod":"HIDDEN","sheetId":"NM1"}]')
    expect(pools[0]?.draft.slots).toEqual([{ mod: 'NM', index: 1, beatmapId: 75 }])
    expect(notes).toEqual(['Line 1: “mod” says HIDDEN; the label NM1 was used instead.'])
    expect(readImport('[{"mapId":75,"mod":"NOMOD","sheetId":"NM1"}]').notes).toEqual([])
    // A note stays short, whatever the data says.
    const long = '[{"mapId":75,"mod":"Hidden + HardRock + DoubleTime","sheetId":"NM1"}]'
    expect(readImport(long).notes).toEqual([
      'Line 1: “mod” says Hidden + HardRock + Doub; the label NM1 was used instead.',
    ])
  })

  it('says which fields it used, at which line, with the text there', () => {
    const { shape, pools } = readImport(
      `[\n {"code":"NM1",\n  "id":75},\n {"code":"NM2","id":76}\n]`,
    )
    expect(shape.why).toBe('It is data: “code” holds the slot, “id” holds the beatmap.')
    expect(pools[0]?.lines).toMatchObject([
      { line: 2, text: '{"code":"NM1", "id":75}', rule: 'fields' },
      { line: 4, text: '{"code":"NM2","id":76}', rule: 'fields' },
    ])
    const long = readImport(`{"NM1":{"title":"${'x'.repeat(999)}","id":75}}`)
    expect(long.pools[0]?.lines[0]?.text).toHaveLength(200)
  })
})

describe('the rounds in data (10)', () => {
  it.each([
    ['keys', '{"QUALIFIERS":{"NM1":75},"RO16":{"NM1":76}}', ['QUALIFIERS: NM1=75', 'RO16: NM1=76']],
    ['names', '{"rounds":[{"name":"RO16","maps":[{"slot":"NM1","id":75}]}]}', ['RO16: NM1=75']],
    ['keys below “stages”', '{"stages":{"The Last Stand":{"NM1":75}}}', ['The Last Stand: NM1=75']],
    [
      'buckets inside',
      '{"RO16":{"NM":[75,76]},"QF":{"NM":[77]}}',
      ['RO16: NM1=75 NM2=76', 'QF: NM1=77'],
    ],
  ])('are named by %s', (_, text, expected) => expect(rounds(text)).toEqual(expected))

  it('may have beatmaps without slots, which a note says', () => {
    const { pools, notes } = readImport('{"QUALIFIERS":[75,76],"RO16":[77]}')
    expect(
      pools.map(({ name, draft }) => [name, draft.slots.map((slot) => slot.beatmapId)]),
    ).toEqual([
      ['QUALIFIERS', [75, 76]],
      ['RO16', [77]],
    ])
    expect(notes[0]).toMatch(/^3 beatmaps have no slot/)
  })

  it('are not the titles of the sets that a platform lists (11)', () => {
    const set = {
      id: 1,
      title: 'Lantern',
      artist: 'Quillfoot',
      user_id: 4,
      beatmaps: [{ id: 75, beatmapset_id: 1 }],
    }
    expect(readImport(JSON.stringify({ beatmapsets: [set] })).pools).toMatchObject([
      { name: null, draft: { slots: [{ mod: null, beatmapId: 75 }] } },
    ])
  })
})

describe('numbers that are no beatmap', () => {
  it('gives the ids of rows of a platform without slots (11)', () => {
    const row = {
      beatmapset_id: 39804,
      bpm: 202,
      playcount: 77,
      user_id: 2,
      difficulty_rating: 5.1,
    }
    const ids = [
      { ...row, id: 129891 },
      { ...row, beatmap_id: 75 },
    ]
    const { pools, notes } = readImport(JSON.stringify(ids))
    expect(pools[0]?.draft.slots.map(({ mod, beatmapId }) => [mod, beatmapId])).toEqual([
      [null, 129891],
      [null, 75],
    ])
    expect(notes[0]).toMatch(/^2 beatmaps have no slot/)
  })

  it('takes a list of numbers alone for ids (16)', () => {
    expect(pasted('[129891, 75]')).toHaveLength(2)
  })

  it('leaves out what is picked and banned in matches of a bracket', () => {
    const Rounds = [
      {
        Name: 'QF',
        Beatmaps: [
          { ID: 75, Mods: '' },
          { ID: 77, Mods: 'RC' },
        ],
      },
    ]
    const Matches = [{ ID: 1, PicksBans: [{ BeatmapID: 76, Type: 'Pick' }] }]
    expect(rounds(JSON.stringify({ Matches, Rounds }))).toEqual(['QF: 1=75 RC1=77'])
  })

  it('leaves out players, colours and numbers of other things', () => {
    expect(pasted('{"players":[11,12],"referees":[13],"color":[1,2,3],"seed":7,"NM1":75}')).toEqual(
      ['NM1=75'],
    )
  })

  it.each([
    ['numbers at an unknown key', '{"main":[129891],"extra":[75]}', 2],
    ['an id that may be of a set', '[{"id":39804,"title":"Lantern","artist":"Quillfoot"}]', 1],
    ['numbers at buckets', '{"NM":6,"HD":3}', 1],
    [
      'two fields with ids',
      '[{"slot":"NM1","beatmapId":75,"mapId":76},{"slot":"NM2","beatmapId":77,"mapId":78}]',
      1,
    ],
    ['a key and a field', '{"75":{"pick":"NM1","beatmapId":76}}', 1],
    ['a number alone and mods', '[{"pick":"4","mods":"NM","id":75}]', 1],
    ['two labels', '[{"code":"NM1","slot":"HD1","id":75}]', 1],
    ['two ids at a slot (20)', '{"NM1":[75,76]}', 1],
    ['an unknown bucket at a plain id (21)', '[{"id":75,"mods":"Stage 1"}]', 1],
    [
      'an unknown bucket (21)',
      '{"Rounds":[{"Name":"A","Beatmaps":[{"ID":75,"Mods":"Stage 1"}]}]}',
      1,
    ],
  ])('asks about %s, once for all alike', (_, text, count) => {
    expect(asked(text).length).toBe(count)
    const { pools } = readImport(text)
    expect(pools.flatMap(({ draft }) => draft.slots)).toEqual([])
  })
})

describe('what is wrong in data', () => {
  it('plans what has a slot and no beatmap, and names its path where the slot has one (D-77)', () => {
    const maps = '[{"slot":"NM1","id":75},\n{"slot":"NM2","id":null},\n{"slot":"NM1","setId":4}]'
    expect(pasted(`{"rounds":[{"name":"RO16","maps":${maps}}]}`)).toEqual([
      'NM1=75',
      'NM2: empty',
      '3: “NM1” at rounds[0].maps[2] has no beatmap id.',
    ])
  })

  it.each([
    ['{"NM1": 11\n "HD1": 12}', 2, 'line 2, column 2: expected a comma or }'],
    ['[{"code":"NM1","id":11},', 1, 'but the text ends here'],
    ['{"NM1": 1\n,"NM2": x}', 2, 'line 2, column 9: expected a value'],
    [`{"a":${'['.repeat(300)}`, 1, 'at most 256 deep'],
    ['['.repeat(300), 1, 'at most 256 deep'],
  ])('says once where JSON breaks: %j', (text, line, reason) => {
    const [found, ...more] = pasted(text)
    expect(found).toMatch(new RegExp(`^${line}: This is JSON with a mistake\\.`))
    expect(found).toContain(reason)
    expect(more).toEqual([])
  })

  it.each(['[]', '{}', '{"name":"Lantern","seeds":[1,2]}'])(
    'says that %s has no beatmap',
    (text) => {
      expect(pasted(text)).toEqual([
        '1: No beatmap was found in this data. Each needs its slot and its id.',
      ])
    },
  )

  it('reads lines that only begin like data as lines', () => {
    expect(pasted('[NM1] 129891\n[HD1] 75')).toEqual(twoSlots)
  })
})

describe('a pack as the API answers it', () => {
  const slots = [{ mod: 'NM', index: 1, beatmapId: 75 }]
  const pack = { name: 'Cup', description: 'Ours', visibility: 'private', slots }

  it('keeps its name, buckets and visibility', () => {
    const buckets = [{ code: 'NM' }, { code: 'RC1', color: 3, mods: { kind: 'free' } }]
    const [pool] = readImport(JSON.stringify({ pack: { ...pack, buckets } })).pools
    expect(pool).toMatchObject({
      name: 'Cup',
      fields: { visibility: 'private', description: 'Ours' },
    })
    expect(pool?.draft).toEqual({ name: 'Cup', buckets, slots })
  })

  it('keeps its name without slots', () => {
    expect(readImport(JSON.stringify({ ...pack, slots: [] })).pools[0]?.draft.name).toBe('Cup')
  })

  it('is refused whole, with the path, for one wrong slot', () => {
    const wrong = { ...pack, slots: [...slots, { mod: 'NM', index: '2', beatmapId: 76 }] }
    expect(pasted(JSON.stringify({ pack: wrong }))).toEqual(['1: slots[1].index must be a number'])
    expect(pasted('{"slots":1}')).toEqual(['1: slots must be a list'])
    expect(pasted(JSON.stringify({ packs: [pack, wrong] }))).toEqual([
      'NM1=75',
      '1: packs[1].slots[1].index must be a number',
    ])
  })

  it('is a round of a tournament, whose planned slots have no beatmap yet', () => {
    const planned = [
      ...slots,
      { mod: 'NM', index: 2, placeholder: 'slow' },
      { mod: 'HD', index: 1 },
    ]
    const tournament = { name: 'Cup', rounds: [{ name: 'RO16', bestOf: 9, slots: planned }] }
    expect(rounds(JSON.stringify({ tournament }))).toEqual(['RO16: NM1=75'])
    expect(pasted(JSON.stringify({ tournament })).slice(1)).toEqual(['NM2: “slow”', 'HD1: empty'])
  })
})

/** A pool in the order of its slots: numbers ascend from 1 within a bucket. */
const anyPool = fc
  .uniqueArray(fc.integer({ min: 1000, max: 9_000_000 }), { minLength: 1, maxLength: 20 })
  .chain((ids) =>
    fc.tuple(
      ...ids.map((id) => fc.tuple(fc.constantFrom('NM', 'HD', 'HR', 'DT', 'FM'), fc.constant(id))),
    ),
  )
  .map((pairs) =>
    pairs.map(([mod, id], at) => {
      const index = pairs.slice(0, at + 1).filter(([other]) => other === mod).length
      return { mod, index, id, label: `${mod}${index}` }
    }),
  )
type AnySlot = { mod: string; index: number; id: number; label: string }

const anyWriting = fc
  .record({
    label: fc.constantFrom('code', 'slot', 'pick', 'sheetId', 'slot_name', 'Label', 'identifier'),
    id: fc.constantFrom(
      'id',
      'beatmapId',
      'beatmap_id',
      'beatmapID',
      'mapId',
      'map_id',
      'bid',
      'diffId',
    ),
    isNested: fc.boolean(),
    isBackward: fc.boolean(),
    noise: fc.record(
      {
        bpm: fc.nat(300),
        playcount: fc.nat(),
        setId: fc.nat(),
        user_id: fc.nat(),
        stars: fc.double({ noNaN: true }),
      },
      { requiredKeys: [] },
    ),
    within: fc.constantFrom('', 'maps', 'pool.maps', 'data.items', 'x.y.slots'),
  })
  .map(({ label, id, isNested, isBackward, noise, within }) => (pool: AnySlot[]): unknown => {
    const items = pool.map((slot) => {
      const beatmap = isNested ? { beatmap: { ...noise, id: slot.id } } : { [id]: slot.id }
      const entries = Object.entries({ [label]: slot.label, ...noise, ...beatmap })
      return Object.fromEntries(isBackward ? entries.toReversed() : entries)
    })
    const path = within === '' ? [] : within.split('.')
    return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), items)
  })

const anyShape = fc.oneof(
  anyWriting,
  fc.constantFrom(
    (pool: AnySlot[]): unknown => Object.fromEntries(pool.map(({ label, id }) => [label, id])),
    (pool: AnySlot[]): unknown => Object.fromEntries(pool.map(({ label, id }) => [id, label])),
    (pool: AnySlot[]): unknown => pool.map(({ label, id }) => [label, id]),
    (pool: AnySlot[]): unknown => pool.map(({ mod, id }) => ({ mods: mod, beatmapId: id })),
    (pool: AnySlot[]): unknown =>
      Object.fromEntries(
        [...new Set(pool.map(({ mod }) => mod))].map((mod) => [
          mod,
          pool.filter((slot) => slot.mod === mod).map(({ id }) => id),
        ]),
      ),
  ),
)

describe('data in whatever shape', () => {
  it('gives back the pool that was written in it, and nothing else', () => {
    fc.assert(
      fc.property(anyPool, anyShape, fc.constantFrom(0, 2), (pool, write, indent) => {
        const { pools, questions } = readImport(JSON.stringify(write(pool), null, indent))
        const read = pools.flatMap(({ draft }) =>
          draft.slots.map((slot) => `${slotLabel(slot)}=${slot.beatmapId}`),
        )
        expect(read.toSorted()).toEqual(pool.map(({ label, id }) => `${label}=${id}`).toSorted())
        expect(questions).toEqual([])
      }),
      { numRuns: 1000 },
    )
  })

  it('takes no id from anywhere but where ids are', () => {
    const noise = fc.dictionary(
      fc.constantFrom(
        'setId',
        'beatmapset_id',
        'playcount',
        'bpm',
        'user_id',
        'userId',
        'version',
        'length',
        'ar',
      ),
      fc.integer({ min: 1, max: 9_000_000 }),
    )
    fc.assert(
      fc.property(fc.array(noise, { maxLength: 5 }), (rows) => {
        const { pools } = readImport(JSON.stringify(rows))
        expect(pools.flatMap(({ draft }) => draft.slots)).toEqual([])
      }),
    )
  })

  it('throws nothing', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.nat(200), (text, cut) => {
        readImport(text)
        readImport(text.slice(0, cut))
      }),
      { numRuns: 1000 },
    )
  })

  const SIZE = 500_000
  it.each([
    ['small objects', '{"slot":"NM1"},', '['],
    ['below a long key', '{"slot":"NM1"},', `{"${'k'.repeat(10_000)}":[`],
    ['keys of one object', '"NM1":1,', '{'],
    ['lines', '{"a":{"slots":[\n', ''],
    ['quotes', '"\\', '['],
    ['comments', '/*', '['],
    ['begins of comments in a text', '\n/*', '{"NM1":129891,"a":"'],
    ['slots in slots', '{"slots":[{"index":1,"beatmapId":1,"mod":"NM"},', '['],
    ['lists', '[[1],2],', '['],
  ])('reads %s in time that grows with the text alone', (_, piece, start) => {
    const whole = `${start}${piece.repeat(SIZE / piece.length)}`
    expectLinear(whole, (text) => readImport(text))
    const end =
      start === '' ? '' : start.endsWith('{') ? '"x":0}' : `0]${start.length > 1 ? '}' : ''}`
    expectLinear(whole, (text) => readImport(`${text.slice(0, text.lastIndexOf(',') + 1)}${end}`))
  })
})
