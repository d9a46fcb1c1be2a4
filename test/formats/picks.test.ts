import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FormatId, formats } from '../../src/formats/format-table.ts'
import { writeCodes, writeOverlay } from '../../src/formats/picks.ts'
import { completePool } from '../../src/pool/checks.ts'
import type { Pool } from '../../src/pool/pool.ts'
import { placeOf, slotsInPoolOrder } from '../../src/pool/slots.ts'
import { anyPool } from '../pool/pool-arbitrary.ts'

const pool: Pool = completePool({
  name: 'Finals',
  buckets: [
    { code: 'RC1', color: 0, mods: { kind: 'forced', set: ['HR', 'HD'] } },
    { code: 'Mix', color: 1, mods: { kind: 'free' } },
    { code: 'Own', color: 2 },
  ],
  slots: [
    { mod: 'TB', index: 1, beatmapId: 1872396 },
    { mod: 'Own', index: 1, beatmapId: 79 },
    { mod: 'Mix', index: 1, beatmapId: 78 },
    { mod: 'RC1', index: 2, beatmapId: 77 },
    { mod: 'FM', index: 1, beatmapId: 76 },
    { mod: 'NM', index: 1, beatmapId: 129891 },
    { mod: null, index: 1, beatmapId: 75 },
  ],
})
const empty: Pool = { name: 'Empty', slots: [], buckets: null }

describe('codes for referee bots', () => {
  it('are a list with a slot a line, in pool order, by the labels that people say', () => {
    expect(writeCodes(pool)).toBe(`[
  {"code":"1","id":75},
  {"code":"NM1","id":129891},
  {"code":"FM1","id":76},
  {"code":"RC1 2","id":77},
  {"code":"Mix1","id":78},
  {"code":"Own1","id":79},
  {"code":"TB","id":1872396}
]
`)
  })

  it('name each slot once, and its bucket and number', () => {
    const property = fc.property(anyPool, (any) => {
      const codes: { code: string; id: number }[] = JSON.parse(writeCodes(any))
      expect(new Set(codes.map(({ code }) => code)).size).toBe(any.slots.length)
      expect(codes.map(({ code, id }) => ({ ...placeOf(code), beatmapId: id }))).toEqual(
        slotsInPoolOrder(any).map(({ mod, index, beatmapId }) => ({ mod, index, beatmapId })),
      )
    })
    fc.assert(property)
  })
})

describe('picks for overlays', () => {
  it('are a list with a slot a line, in pool order, with the mods that a mod icon has', () => {
    expect(writeOverlay(pool)).toBe(`[
  {"beatmapId":75,"pick":"1","mods":"NM"},
  {"beatmapId":129891,"pick":"NM1","mods":"NM"},
  {"beatmapId":76,"pick":"FM1","mods":"FM"},
  {"beatmapId":77,"pick":"RC1 2","mods":"HDHR"},
  {"beatmapId":78,"pick":"Mix1","mods":"FM"},
  {"beatmapId":79,"pick":"Own1","mods":"NM"},
  {"beatmapId":1872396,"pick":"TB","mods":"TB"}
]
`)
  })
})

describe('of several rounds', () => {
  const rounds = [
    { name: 'Week "2"', pool },
    { name: '1', pool: empty },
    { name: '__proto__', pool },
  ].map((round) => ({ ...round, details: new Map() }))
  const ofRounds = async (id: FormatId, of: typeof rounds) =>
    String((await formats[id].write({ rounds: of }, { savedAt: 0 })).content)

  it.each([
    ['codes', writeCodes],
    ['overlay', writeOverlay],
  ] as const)('%s are an object from the names of rounds, in their order', async (id, ofPool) => {
    const text = await ofRounds(id, rounds)
    expect(text.match(/^ {2}".*": \[/gm)).toEqual([
      String.raw`  "Week \"2\"": [`,
      '  "1": [',
      '  "__proto__": [',
    ])
    const read = new Map(Object.entries(JSON.parse(text)))
    for (const { name, pool: own } of rounds) {
      expect(read.get(name)).toEqual(JSON.parse(ofPool(own)))
    }
    expect(text.endsWith('  ]\n}\n')).toBe(true)
  })

  it('overlay-stage and overlay-order are objects with the name and the beatmaps, in a list if several', async () => {
    for (const [id, key] of [
      ['overlay-stage', 'stage'],
      ['overlay-order', 'roundName'],
    ] as const) {
      const read = JSON.parse(await ofRounds(id, rounds))
      expect(read.map((each: Record<string, unknown>) => each[key])).toEqual(
        rounds.map(({ name }) => name),
      )
      expect(read.map((each: { beatmaps: unknown[] }) => each.beatmaps.length)).toEqual(
        rounds.map(({ pool: own }) => own.slots.length),
      )
      const [first] = rounds
      const one = await formats[id].write({ kind: 'pack', rounds: [first!] }, { savedAt: 0 })
      expect(JSON.parse(String(one.content))).toEqual(read[0])
      expect(await ofRounds(id, [])).toBe('[]\n')
    }
  })

  it('tell the same beatmap of a mod by one number, in a bucket or in none', async () => {
    const labels = (text: string): string[] =>
      JSON.parse(text).beatmaps.map(
        ({ mod, order }: { mod: string; order: number }) => `${mod} ${order}`,
      )
    const property = fc.asyncProperty(anyPool, async (own) => {
      const sheet = {
        kind: 'pack',
        rounds: [{ name: 'A', pool: own, details: new Map() }],
      } as const
      const all = labels(
        String((await formats['overlay-order'].write(sheet, { savedAt: 0 })).content),
      )
      expect(new Set(all).size).toBe(all.length)
    })
    await fc.assert(property)
  })

  it('are whole JSON where there is nothing', async () => {
    expect([writeCodes(empty), writeOverlay(empty)]).toEqual(['[]\n', '[]\n'])
    for (const id of ['codes', 'overlay'] as const) expect(await ofRounds(id, [])).toBe('{}\n')
  })
})
