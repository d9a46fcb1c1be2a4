import { describe, expect, it } from 'vitest'
import { readBracket } from '../../src/formats/bracket/read-bracket.ts'

const fileOf = (...rounds: readonly unknown[]): string =>
  JSON.stringify({ Ruleset: { ShortName: 'osu' }, Rounds: rounds })

const roundOf = (beatmaps: unknown, name: unknown = 'Finals') => ({
  Name: name,
  Beatmaps: beatmaps,
})

const slots = (...texts: readonly (string | undefined)[]) =>
  readBracket(
    fileOf(roundOf(texts.map((Mods, at) => ({ ID: at + 1, Mods })))),
  ).rounds[0]?.slots.map(({ mod, index }) => `${mod}${index}`)

const reasons = (beatmaps: unknown) => readBracket(fileOf(roundOf(beatmaps))).refused

describe('a round of a bracket.json becomes a pool', () => {
  it('with its name, its ids, and numbers in order within equal mods', () => {
    const beatmaps = [
      { ID: 129891, Mods: 'NM', BeatmapInfo: { OnlineID: 7, Mods: 'HD' } },
      { ID: 75, Mods: 'HD' },
      { ID: 2116202, Mods: 'NM' },
    ]
    expect(readBracket(fileOf(roundOf(beatmaps), roundOf(null, 'Grand Finals')))).toEqual({
      rounds: [
        {
          name: 'Finals',
          buckets: null,
          slots: [
            { mod: 'NM', index: 1, beatmapId: 129891 },
            { mod: 'HD', index: 1, beatmapId: 75 },
            { mod: 'NM', index: 2, beatmapId: 2116202 },
          ],
        },
        { name: 'Grand Finals', buckets: null, slots: [] },
      ],
      refused: [],
    })
  })

  it('codes match ignoring case; no mods is no bucket', () => {
    expect(slots('nm', ' Hd ', 'ez', 'EZ')).toEqual(['NM1', 'HD1', 'ez1', 'ez2'])
    expect(slots(undefined, '', ' ')).toEqual(['null1', 'null2', 'null3'])
  })

  it('unknown codes become custom buckets, the table keeps the order of the rows', () => {
    const table = (...codes: readonly string[]) =>
      readBracket(
        fileOf(roundOf(codes.map((Mods, at) => ({ ID: at + 1, Mods })))),
      ).rounds[0]?.buckets?.map(({ code }) => code)
    expect(table('NM', 'HD', 'FM', 'TB')).toBeUndefined()
    expect(table('NM', 'RC', 'HD', 'TB')?.join(' ')).toBe('NM RC HD HR DT FM TB')
    expect(table('NM', 'HD', 'RC', 'LN')?.join(' ')).toBe('NM HD HR DT FM RC LN TB')
    expect(table('TB', 'NM')?.join(' ')).toBe('TB NM HD HR DT FM')
  })

  it('an id may stand in quotes or as 75.0, as the tournament client takes it', () => {
    const { rounds } = readBracket(
      '{"Rounds":[{"Name":"a","Beatmaps":[{"ID":"75","Mods":"NM"},{"ID":75.0}]}]}',
    )
    expect(rounds[0]?.slots.map((slot) => slot.beatmapId)).toEqual([75, 75])
  })

  it('a name that no pool can have is fitted, and that is told', () => {
    const { rounds, refused } = readBracket(
      fileOf(roundOf([], 'x'.repeat(63) + '🌸'), roundOf([], '')),
    )
    expect(rounds.map((round) => round.name)).toEqual(['x'.repeat(63), 'Round 2'])
    expect(refused).toMatchObject([{ round: 'x'.repeat(63), position: null }])
  })
})

describe('what cannot be taken is told with round, position and reason; the rest is taken', () => {
  it.each([
    [{ Mods: 'NM' }, '"ID" is missing; add the beatmap\'s id'],
    [{ ID: 0, Mods: 'NM' }, "the beatmap's id must be from 1 to 2147483647"],
    [{ ID: 1.5 }, "the beatmap's id must be a whole number from 1 to 2147483647"],
    [{ ID: null }, "the beatmap's id must be a whole number from 1 to 2147483647"],
    [{ ID: '0x1F' }, "the beatmap's id must be a whole number from 1 to 2147483647"],
    [{ ID: 1, Mods: 7 }, '"Mods" must be a string such as "NM"'],
    [{ ID: 1, Mods: 'HD, HR' }, '“HD, HR” must be 1 to 12 letters or digits'],
    [75, 'a beatmap must be an object with "ID" and "Mods"'],
  ])('%j', (entry, reason) => {
    expect(reasons([{ ID: 1, Mods: 'NM' }, entry])).toEqual([
      { round: 'Finals', position: 2, reason },
    ])
  })

  it('a ninth custom bucket, a 65th beatmap', () => {
    const nine = Array.from({ length: 9 }, (_, at) => ({ ID: 1, Mods: `C${at}` }))
    expect(reasons(nine)).toMatchObject([
      { position: 9, reason: expect.stringMatching(/^C8 .* 8 /) },
    ])
    const many = Array.from({ length: 65 }, () => ({ ID: 1, Mods: 'NM' }))
    expect(reasons(many)).toMatchObject([{ position: 65 }])
  })

  it('a 201st round and a 1001st entry of a round, which refuse the file', () => {
    const rounds = (count: number) => fileOf(...Array.from({ length: count }, () => roundOf([])))
    expect(readBracket(rounds(200)).rounds).toHaveLength(200)
    expect(() => readBracket(rounds(201))).toThrow(/^line 1, column \d+: .*200/)
    const entries = (count: number) => Array.from({ length: count }, () => ({ Mods: 'NM' }))
    expect(reasons(entries(1000))).toHaveLength(1000)
    expect(() => reasons(entries(1001))).toThrow(/^line 1, column \d+: .*1000/)
  })

  it('a round that is no object, beatmaps that are no list', () => {
    const { rounds, refused } = readBracket(fileOf(null, roundOf('no')))
    expect(rounds.map((round) => round.slots)).toEqual([[], []])
    expect(refused.map(({ round, position }) => [round, position])).toEqual([
      ['Round 1', null],
      ['Finals', null],
    ])
  })
})
