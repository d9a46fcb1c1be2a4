import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'
import { wholeReading } from './whole-reading.ts'

const read = (data: unknown) => {
  const { pools, others, questions } = readImport(
    typeof data === 'string' ? data : JSON.stringify(data),
  )
  const slots = pools.flatMap(({ round }) =>
    round.slots.map(({ mod, index, beatmapId }) => `${mod ?? '-'}${index} ${beatmapId ?? '-'}`),
  )
  const lines = [...pools.flatMap((pool) => pool.lines), ...others]
  const refused = lines.filter(({ outcome }) => outcome === 'refused')
  return { slots, questions: questions.map(({ text }) => text), refused: refused.length }
}

const labels = ['NM1', 'NM2', 'HD1', 'HR1', 'DT1', 'TB1'] as const
const anyKey = fc.oneof(
  fc.stringMatching(/^x[a-z]{0,6}z$/),
  fc.constantFrom(
    'slot',
    'mod',
    'code',
    'id',
    'beatmap',
    'map',
    'data',
    'info',
    'pool',
    'tags',
    'name',
    'node',
    'entry',
    'round',
    'stage',
  ),
)
const anyPath = fc.array(anyKey, { minLength: 1, maxLength: 3 })
/** Numbers below `tags` are no ids. */
const pathOfId = anyPath.filter((path) => !path.includes('tags'))
const inside = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight((inner, key) => ({ [key]: inner }), value)

describe('an object about one beatmap', () => {
  it('has its label and its id at any depth below any keys: read, asked or refused, and never lost', () => {
    const written = fc.constantFrom(
      (label: string): unknown => label,
      (label: string) => [label],
      (label: string) => ({ mod: label.slice(0, 2), number: Number(label.slice(2)) }),
      (label: string) => ({ mod: { acronym: label.slice(0, 2) }, index: Number(label.slice(2)) }),
      (label: string) => ({ name: label }),
    )
    const property = fc.property(
      anyPath,
      pathOfId,
      written,
      fc.constantFrom('list', 'keys'),
      fc.integer({ min: 2, max: 6 }),
      (ofLabel, ofId, write, shape, count) => {
        fc.pre(ofLabel[0] !== ofId[0])
        const wanted = labels.slice(0, count).map((label, at) => ({ label, id: 1_400_000 + at }))
        const objects = wanted.map(({ label, id }) =>
          Object.assign({}, inside(ofLabel, write(label)), inside(ofId, id)),
        )
        const data =
          shape === 'list'
            ? objects
            : Object.fromEntries(objects.map((each, at) => [`x${at}y`, each]))
        const { slots, questions, refused } = read(data)
        const right = wanted.map(({ label, id }) => `${label} ${id}`)
        expect(slots.filter((slot) => !right.includes(slot) && !slot.endsWith(' -'))).toEqual([])
        if (slots.length < count || slots.some((slot) => slot.endsWith(' -')))
          expect(questions.length + refused).toBeGreaterThan(0)
      },
    )
    fc.assert(property, { numRuns: 1000 })
  })
})

it('the name of a pool is that of its key, with a beatmap beside its list and without', () => {
  const beside = fc.record({
    key: fc.constantFrom('theme', 'showcase', 'trailer', 'winner'),
    isFirst: fc.boolean(),
    names: fc.uniqueArray(fc.constantFrom('Sakura', 'Maple Stage', 'Birch', 'Last Stand'), {
      minLength: 2,
      maxLength: 4,
    }),
  })
  const poolOf = (at: number) => ({
    maps: ['NM1', 'HD1'].map((slot, n) => ({ slot, id: 1_298_910 + 2 * at + n })),
  })
  fc.assert(
    fc.property(beside, ({ key, isFirst, names }) => {
      const poolsOf = (member: object) =>
        readImport(
          JSON.stringify(
            Object.fromEntries(
              names.map((name, at) => [
                name,
                isFirst ? { ...member, ...poolOf(at) } : { ...poolOf(at), ...member },
              ]),
            ),
          ),
        ).pools.map(({ name, draft }) => ({ name, slots: draft.slots }))
      const pools = poolsOf({})
      expect(pools.map(({ name }) => name)).toEqual(names)
      expect(poolsOf({ [key]: { id: 1_298_950 } })).toEqual(pools)
    }),
  )
})

describe('a label inside the object of a beatmap', () => {
  it.each<[string, string, string[]]>([
    [
      'is at any depth beside the id',
      '[{"a":{"b":{"slot":"NM1"}},"id":75001},{"x":["HD1"],"id":75002}]',
      ['NM1 75001, HD1 75002'],
    ],
    [
      'is of a field for the mod that holds it in an object, at any depth',
      '[{"mod":{"x":{"acronym":"HR"}},"id":75001},{"mod":{"x":{"code":"HD"}},"id":75002}]',
      ['HR1 75001, HD1 75002'],
    ],
    [
      'is in a field for the round where that holds a place in it',
      '[{"round":{"mod":"NM","number":1},"beatmap":75001},{"round":{"mod":"HD","number":2},"beatmap":75002}]',
      ['NM1 75001, HD2 75002'],
    ],
    [
      'is asked where there are two',
      '[{"a":{"slot":"NM1"},"b":{"slot":"HD2"},"id":75001}]',
      [
        '? The fields “a” and “b” name different slots. Which one is it? | The one in “a” | The one in “b”',
      ],
    ],
  ])('%s', (_, text, read) => expect(wholeReading(text)).toEqual(read))
})

describe('an id inside the object of a slot', () => {
  it.each<[string, string, string[]]>([
    [
      'is taken where it is a link, or a field for it, and asked where it may be something else',
      '[{"slot":"NM1","a":{"link":"see https://osu.ppy.sh/b/75001"}},{"slot":"HD1","a":{"beatmap_id":75002}},{"slot":"HR1","a":{"x":75003}},{"slot":"DT1","a":{"x":"#75,004"}}]',
      [
        'NM1 75001, HD1 75002',
        '? Is “a.x” the id of a beatmap, not of its set or anything else? | Yes, use it | No, leave it out',
      ],
    ],
    [
      'is of `id` where artist, title and difficulty are beside it',
      '[{"slot":"NM1","a":{"id":75001,"artist":"Quillfoot","title":"Lantern","version":"Hard"}},{"slot":"HD1","a":{"id":75002,"artist":"Quillfoot","title":"Lantern"}}]',
      [
        'NM1 75001',
        '? Is “a.id” the id of a beatmap, not of its set or anything else? | Yes, use it | No, leave it out',
      ],
    ],
    [
      'is none of people, sets, counts, measures, words or numbers out of range',
      '[{"slot":"NM1","a":{"user_id":75001}},{"slot":"NM2","a":{"beatmapset_id":75002}},{"slot":"HD1","a":{"playcount":75003}},{"slot":"HD2","a":{"title":"75004"}},{"slot":"HR1","a":{"x":999}},{"slot":"HR2","a":{"x":99999999}},{"slot":"DT1","a":{"alt":75005}}]',
      ['! 1: No beatmap was found in this data. Each needs its slot and its id.'],
    ],
    [
      'is asked where two differ; more than two are none',
      '[{"slot":"NM1","a":{"x":75001,"y":75002}}]',
      [
        '? The fields “a.x” and “a.y” name different beatmaps. Which one is it? | The one in “a.x” | The one in “a.y” | No, leave it out',
      ],
    ],
    [
      'is asked where two differ; more than two are none',
      '[{"slot":"NM1","a":{"x":75001,"y":75002,"z":75003}}]',
      ['! 1: No beatmap was found in this data. Each needs its slot and its id.'],
    ],
    [
      'is none where a list has several objects',
      '[{"slot":"NM1","a":[{"x":75001},{"x":75002},{"x":75003},{"x":75004}]}]',
      ['! 1: No beatmap was found in this data. Each needs its slot and its id.'],
    ],
    [
      'is that of the beatmap, not `id` of its row',
      '[{"slot":"NM1","a":{"id":75001,"beatmap_id":75002}},{"slot":"HD1","a":{"id":75003,"beatmap_id":null}}]',
      ['NM1 75002, HD1 ?'],
    ],
  ])('%s', (_, text, read) => expect(wholeReading(text)).toEqual(read))
})

describe('a number beside labels and their ids', () => {
  const readAsked = (data: unknown) => {
    const { pools, questions } = readImport(JSON.stringify(data))
    const slots = pools.flatMap(({ draft }) =>
      draft.slots.map(({ mod, index, beatmapId }) => `${mod}${index} ${beatmapId}`),
    )
    const asked = questions.map(({ text, choices }) =>
      [text, ...choices.map((choice) => choice.text)].join(' | '),
    )
    return { slots, asked }
  }
  const labelled = { NM1: 129891, NM2: 129892 }
  const slots = ['NM1 129891', 'NM2 129892']
  const areIds = (what: string) =>
    `Are ${what} beatmap ids? | They are beatmap ids | Leave them out`
  const ofKey = (key: string) => areIds(`the numbers in “${key}”`)
  const whichBucket = (name: string) =>
    `“${name}” is not a known bucket. Where do its beatmaps belong? | In a new bucket ${name} | In no bucket`

  it.each(['gimmick', 'seeding', 'mapset', ''])('is asked about under %j', (key) => {
    expect(readAsked({ ...labelled, [key]: 512_345 })).toEqual({ slots, asked: [ofKey(key)] })
  })

  // What counts something else, what is never a beatmap, what holds beatmaps, and what is no part of the pool.
  it.each([
    'prize pool',
    'season',
    'team size',
    'seed',
    'seeding results',
    'captain id',
    'schedule',
    'data',
    'maps',
    'backup',
    'old',
  ])('is left out under %j', (key) => {
    expect(readAsked({ ...labelled, [key]: 512_345 })).toEqual({ slots, asked: [] })
  })

  it.each([
    ['gimmick', [whichBucket('gimmick')]],
    [{ name: 'gimmick' }, [whichBucket('gimmick')]],
    [null, [areIds('these numbers')]],
    ['', [areIds('these numbers')]],
    // It has an id of its own, or says what is counted.
    [{ id: 512_346, name: 'gimmick' }, []],
    [7, []],
  ])('is an id as a key of %j, which may name its bucket', (value, asked) => {
    expect(readAsked({ ...labelled, 512345: value })).toEqual({ slots, asked })
  })

  it.each([
    [['gimmick', 512_345], [whichBucket('gimmick')]],
    [[512_345, 'gimmick'], [whichBucket('gimmick')]],
    [{ id: 512_345, mod: 'gimmick' }, [whichBucket('gimmick')]],
    [['gimmick', 512_345, 1], []],
    [['gimmick', 'other'], []],
    [['gimmick', 7], []],
    [{ mod: 'gimmick' }, []],
  ])('is asked about in a list of slots as %j', (item, asked) => {
    const items = [1, 2].map((index) => ({ mod: 'NM', index, id: 129_890 + index }))
    expect(readAsked([...items, item])).toEqual({ slots, asked })
  })
})

it.each<[string, (label: string, id: number, mods: string) => string]>([
  ['a list of mods', (label, id, mods) => `["${label}", ${id}, [${mods}]]`],
  ['an empty list', (label, id) => `("${label}", ${id}, [])`],
  ['nothing', (label, id) => `("${label}", ${id}, None)`],
])('a row of a label and its beatmap may have %s besides', (_, way) => {
  const ids = [2_345_671, 2_345_672, 2_345_673]
  const rows = ['NM1', 'HD1', 'DT1'].map((label, at) => way(label, ids[at]!, at > 0 ? '"HD"' : ''))
  const found = { slots: ['NM1 2345671', 'HD1 2345672', 'DT1 2345673'], questions: [], refused: 0 }
  expect(read(`maps = [${rows.join(', ')}]`)).toEqual(found)
})

it('the list at a label has its beatmap, whatever words are beside it', () => {
  const data = {
    NM1: [2_345_671, 'Low Tide'],
    HD1: ['Kestrel', 2_345_672, []],
    DT1: [2_345_673, 'HD', 'DT'],
  }
  expect(read(data)).toEqual({
    slots: ['NM1 2345671', 'HD1 2345672', 'DT1 2345673'],
    questions: [],
    refused: 0,
  })
  expect(read({ NM1: [2_345_671, 2_345_672], HD1: 2_345_673 }).questions).toHaveLength(1)
})

describe('a text at the name of a bucket or at a label', () => {
  const anyId = fc.integer({ min: 129_891, max: 5_999_999 }).filter((id) => id % 1000 > 0)
  const songs = [
    'Kestrel - Low Tide',
    'Kestrel vs. Wren - Low Tide (Long Ver.) [Oak]',
    '9 Larks - 24',
  ]

  it.each<[string, (song: string, id: number) => string]>([
    ['in front of its song', (song, id) => `${id} ${song}`],
    ['in front of it, behind a dash', (song, id) => `${id} - ${song}`],
    ['behind it', (song, id) => `${song} Mix ${id}`],
    ['behind it, in brackets', (song, id) => `${song} Mix (${id})`],
  ])('has the id %s', (_, way) => {
    fc.assert(
      fc.property(fc.tuple(anyId, anyId, anyId), (ids) => {
        const [one, two, three] = ids.map((id, at) => way(songs[at]!, id))
        const slots = ['NM1', 'NM2', 'HD1'].map((label, at) => `${label} ${ids[at]}`)
        const wanted = { slots, questions: [], refused: 0 }
        expect(read({ NM: [one, two], HD: [three] })).toEqual(wanted)
        expect(read({ NM1: one, NM2: two, HD1: three })).toEqual(wanted)
      }),
      { numRuns: 10 },
    )
  })

  it.each([',', ', ', ';', ' ', '/', ' | '])(
    'lists several ids, whatever is between them: %j',
    (sign) => {
      const slots = ['NM1 2345671', 'NM2 129892', 'HD1 2345673', 'HD2 76543']
      const data = { NM: `2345671${sign}129892`, HD: `2345673${sign}76543` }
      expect(read(data)).toEqual({ slots, questions: [], refused: 0 })
    },
  )

  it.each([
    '10000 Maniacs - Low Tide',
    '100000 Larks - Oak',
    'Kestrel - 8675309',
    'Kestrel - Oak 1000000',
  ])('is what is planned where its number is a part of the song: %s', (song) => {
    expect(read({ NM: [song], HD: [2_345_671] }).slots).toEqual(['NM1 -', 'HD1 2345671'])
  })
})
