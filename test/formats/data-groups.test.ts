import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'

const read = (data: unknown) => {
  const { pools, questions, notes } = readImport(JSON.stringify(data))
  const rounds = pools.map(({ name, draft }) => ({
    name,
    slots: draft.slots.map(({ mod, index, beatmapId }) => `${mod ?? '-'}${index} ${beatmapId}`),
  }))
  return { rounds, questions: questions.map(({ text }) => text), notes }
}
/** Names that no program could know. */
const anyName = fc.stringMatching(/^Q[a-z]{3,7}w$/)
const valueOf = fc.constantFrom(
  (id: number): unknown => id,
  (id: number) => `https://osu.ppy.sh/b/${id}`,
  (id: number) => ({ id }),
  (id: number) => ({ beatmap_id: id }),
)
const listOf = fc.constantFrom(
  (all: unknown[]): unknown => all,
  (all: unknown[]) => ({ maps: all }),
)
/** How many slots there are, and questions about the others. */
const counted = (data: unknown) => {
  const { rounds, questions } = read(data)
  return [rounds.flatMap(({ slots }) => slots).length, questions.length]
}

describe('keys of slots in data', () => {
  it('are asked about beside labels and buckets, whatever they are and hold', () => {
    const write = fc.constantFrom(
      (_: boolean, all: [string, unknown][]): unknown => Object.fromEntries(all),
      (_: boolean, all: [string, unknown][]) => all.map(([key, value]) => ({ [key]: value })),
      (_: boolean, all: [string, unknown][]) => ({ Finals: Object.fromEntries(all) }),
      (labels: boolean, all: [string, unknown][]) =>
        labels
          ? Object.fromEntries(all)
          : all.map(([name, maps]) => ({ group: { name, maps: mapsOf(maps) } })),
      (labels: boolean, all: [string, unknown][]) =>
        labels ? all : all.map(([name, maps]) => ({ bucket: { name }, maps: mapsOf(maps) })),
      (labels: boolean, all: [string, unknown][]) =>
        labels ? all : all.map(([qZeug, maps]) => ({ qZeug, maps: mapsOf(maps) })),
    )
    const mapsOf = (value: unknown): unknown =>
      Array.isArray(value) ? value : (value as { maps: unknown }).maps
    const property = fc.property(
      anyName,
      valueOf,
      listOf,
      write,
      fc.nat(2),
      fc.boolean(),
      (key, of, list, data, at, labels) => {
        const pairs = (labels ? ['NM1', 'HD1'] : ['NoMod', 'Hidden']).map(
          (label, index): [string, unknown] => [label, of(129_891 + index)],
        )
        const all = pairs.toSpliced(at, 0, [key, of(129_899)])
        const own = labels
          ? all
          : all.map(([name, each]): [string, unknown] => [name, list([each])])
        expect(counted(data(labels, own))).toEqual([2, 1])
      },
    )
    fc.assert(property, { numRuns: 300 })
  })

  it('are asked about, too, where they name a round, or nothing', () => {
    const key = fc.constantFrom('', ' ', 'Finale', 'Finals', 'Grand Final', 'Semis', 'Qualifiers')
    fc.assert(
      fc.property(key, valueOf, fc.boolean(), fc.boolean(), (name, of, first, apart) => {
        const pairs = ['NM1', 'HD1'].map((label, at): [string, unknown] => [
          label,
          of(129_891 + at),
        ])
        const all = pairs.toSpliced(first ? 0 : 2, 0, [name, of(129_899)])
        const data = apart ? all.map(([own, value]) => ({ [own]: value })) : Object.fromEntries(all)
        expect(counted(data)).toEqual([2, 1])
      }),
    )
  })

  it('of one beatmap beside lists of buckets, and of lists beside rounds, are asked about', () => {
    fc.assert(
      fc.property(anyName, valueOf, (key, of) => {
        expect(counted({ NM: [of(129_891)], [key]: of(129_892) })).toEqual([1, 1])
        expect(counted({ Finals: { NM: [of(129_891)] }, [key]: [of(129_892)] })).toEqual([1, 1])
      }),
    )
  })

  it('of another beatmap beside that of a slot leave it out with a note', () => {
    const link = 'https://osu.ppy.sh/b/129899'
    fc.assert(
      fc.property(anyName, (key) => {
        const { rounds, notes } = read([{ slot: 'NM1', id: 129_891, [key]: link }])
        expect([rounds[0]!.slots, notes.length]).toEqual([['NM1 129891'], 1])
      }),
    )
    for (const key of ['alt', 'backup', 'Ersatz', 'reserva']) {
      const { rounds, notes } = read({ NM1: 129_891, [key]: 129_899, HD1: 129_892 })
      expect([rounds[0]!.slots.length, notes.length]).toEqual([2, 1])
    }
  })

  it('take the title of a beatmap for the name of no round', () => {
    fc.assert(
      fc.property(anyName, fc.constantFrom('title', 'name'), (text, key) => {
        const { rounds } = read([
          { NM1: 129_891, [key]: text },
          { HD1: 129_892, [key]: `${text}b` },
        ])
        expect(rounds.map(({ slots }) => slots)).toEqual([['NM1 129891', 'HD1 129892']])
      }),
    )
  })
})

describe('groups of slots in data', () => {
  it('are rounds, or asked about, by a field that parts them into the same buckets', () => {
    const field = fc.oneof(
      anyName,
      fc.constantFrom('poolName', 'pool', 'ronda', 'fase', 'runde', 'jornada', 'team', 'pickedBy'),
    )
    const holder = fc.constantFrom(
      (key: string, value: unknown): object => ({ [key]: value }),
      (key: string, value: unknown) => ({ info: { [key]: value } }),
      (key: string, value: unknown) => ({ [key]: { id: 7, name: value } }),
    )
    const order = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 })
    const property = fc.property(field, anyName, holder, order, (key, name, hold, at) => {
      const rows = [name, `${name}b`].flatMap((part, n) =>
        ['NM', 'HD'].map((mod, index) => ({
          ...hold(key, part),
          mod,
          id: 129_891 + n * 2 + index,
        })),
      )
      const { rounds, questions } = read(at.map((each) => rows[each]))
      expect(questions.length + rounds.length).toBe(2)
      if (questions.length === 0) {
        expect(rounds.map(({ slots }) => slots.length)).toEqual([2, 2])
      }
    })
    fc.assert(property, { numRuns: 300 })
  })

  it('have their label, or the name of their round, in an object beside their beatmaps', () => {
    const maps = [{ id: 129_891 }]
    const inBucket = fc.constantFrom(
      (text: string): unknown => ({ mod: { name: text }, maps }),
      (text: string) => ({ mod: { id: 3, name: text, colour: 'red' }, maps }),
      (text: string) => ({ bucket: { label: text }, maps }),
      (text: string) => ({ info: { title: text }, maps }),
      (text: string) => ({ meta: { bucket: { name: text } }, maps }),
      (text: string) => ({ category: { name: text, maps } }),
    )
    fc.assert(
      fc.property(inBucket, fc.constantFrom('NoMod', 'NM', 'No Mod'), (write, text) => {
        expect(read([write(text)]).rounds[0]!.slots).toEqual(['NM1 129891'])
      }),
    )
    const slots = [{ slot: 'NM1', id: 129_891 }]
    const inRound = fc.constantFrom(
      (name: string): object => ({ round: { name }, maps: slots }),
      (name: string) => ({ round: { id: 123_456, name }, maps: slots }),
      (name: string) => ({ info: { round: name }, maps: slots }),
      (name: string) => ({ ronda: name, mapas: slots }),
      (name: string) => ({ division: name, NM: [129_891] }),
      (name: string) => ({ stage: { name }, ...slots[0] }),
    )
    fc.assert(
      fc.property(inRound, anyName, (write, name) => {
        const { rounds } = read([write(name), write(`${name}b`)])
        expect(rounds.map((round) => round.name)).toEqual([name, `${name}b`])
      }),
    )
  })

  it('begin again in each object of a list of buckets, with a number of their round or without', () => {
    const write = fc.constantFrom({}, { round: 1 }, { round: { number: 1 } }, { stage: 1 })
    fc.assert(
      fc.property(write, (own) => {
        const [[key, first] = ['', 0]] = Object.entries(own)
        const next = typeof first === 'number' ? 2 : { number: 2 }
        const { rounds } = read([
          { ...own, NM: [129_891], HD: [129_892] },
          { ...(key !== '' && { [key]: next }), NM: [129_893], HD: [129_894] },
        ])
        expect(rounds.map(({ slots }) => slots.length)).toEqual([2, 2])
      }),
    )
  })
})

describe('fields of data', () => {
  const date = fc.constantFrom<unknown>('2026-01-01', '2026-01-01T12:00:00Z', 1_767_225_600)

  it('say by a date, a name or a yes that a slot is out, in any language of tables', () => {
    const words = ['removed', 'deleted', 'rejected', 'eliminado', 'entfernt']
    const key = fc.constantFrom(
      ...words.flatMap((word) => [`${word}At`, `${word}_on`, `date_${word}`]),
      'deletedBy',
    )
    const isYes = fc.constantFrom(
      { eliminado: true },
      { gelöscht: true },
      { 삭제됨: true },
      { isRemovedFromPool: 1 },
      { activo: false },
      { in_pool: 'nein' },
      { estado: 'descartado' },
      { status: { name: 'removed' } },
    )
    const out = fc.oneof(
      fc.record({ key, value: date }).map(({ key: name, value }) => ({ [name]: value })),
      isYes,
    )
    fc.assert(
      fc.property(out, (gone) => {
        const [name = ''] = Object.keys(gone)
        const rows = [{ slot: 'NM1', id: 129_891, ...gone }]
        const { rounds, questions } = read([...rows, { slot: 'HD1', id: 129_892, [name]: null }])
        expect(questions.length).toBe(1)
        expect(rounds[0]!.slots).toEqual(['HD1 129892'])
      }),
    )
  })

  it('that count, or are about something else of the beatmap, say nothing of it', () => {
    const other = fc.constantFrom(
      [{ banned: 3 }, { banned: 1 }],
      [{ discussion_enabled: false }, { discussion_enabled: true }],
      [{ download_disabled: true }, { download_disabled: false }],
      [{ updatedAt: '2026-01-01' }, { updatedAt: null }],
      [{ title: 'Removed' }, { title: 'Old' }],
      [{ song: { title: 'Removed' } }, {}],
    )
    fc.assert(
      fc.property(other, ([one, two]) => {
        const rows = [
          { slot: 'NM1', id: 129_891, ...one },
          { slot: 'HD1', id: 129_892, ...two },
        ]
        expect(counted(rows)).toEqual([2, 0])
      }),
    )
  })

  it('name a beatmap by an `id` beside its artist, title and difficulty', () => {
    const metadata = { artist: 'A', title: 'B', difficulty: 'C', id: 129_891 }
    expect(read([{ metadata, info: { mod: 'DT', index: 2 } }]).rounds[0]!.slots).toEqual([
      'DT2 129891',
    ])
  })
})
