import { isBuiltinCode } from '../../src/pool/slots.ts'
import { describe, expect, it } from 'vitest'
import { refereeLines, writeIds, writeLinks } from '../../src/formats/lists.ts'
import { refereeJson } from '../../src/formats/picks.ts'
import { completePool } from '../../src/pool/checks.ts'
import type { Pool } from '../../src/pool/pool.ts'
import { emptyDraft, readPaste } from './pasted-text.ts'

const pool: Pool = completePool({
  name: 'Finals',
  buckets: [
    { code: 'RC', color: 0, mods: { kind: 'forced', set: ['DT', 'EZ', 'HD'] } },
    { code: 'Mix', color: 1, mods: { kind: 'free' } },
    { code: 'Own', color: 2 },
  ],
  slots: [
    { mod: 'TB', index: 1, beatmapId: 10 },
    { mod: 'Own', index: 1, beatmapId: 9 },
    { mod: 'Mix', index: 1, beatmapId: 8 },
    { mod: 'RC', index: 1, beatmapId: 7 },
    { mod: 'FM', index: 1, beatmapId: 6 },
    { mod: 'DT', index: 1, beatmapId: 5 },
    { mod: 'HR', index: 1, beatmapId: 4 },
    { mod: 'HD', index: 1, beatmapId: 3 },
    { mod: 'NM', index: 1, beatmapId: 2 },
    { mod: null, index: 1, beatmapId: 1 },
  ],
})
const inPoolOrder = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
const mods = [
  ['NF'],
  ['NF'],
  ['NF', 'HD'],
  ['NF', 'HR'],
  ['NF', 'DT'],
  ['freemod'],
  ['NF', 'EZ', 'HD', 'DT'],
  ['freemod'],
  ['NF'],
  ['freemod'],
]

describe('referee lines', () => {
  it('are a comment with the slot, beatmap and mods for each slot, in pool order', () => {
    const labels = ['1', 'NM1', 'HD1', 'HR1', 'DT1', 'FM1', 'RC1', 'Mix1', 'Own1', 'TB']
    const blocks = inPoolOrder.map(
      (id, at) => `# ${labels[at]}\n!mp map ${id} 0\n!mp mods ${mods[at]?.join(' ') ?? ''}\n`,
    )
    expect(refereeLines(pool)).toBe(blocks.join('\n'))
  })

  it('name the ruleset of each beatmap by its number, the base one where it is not known', () => {
    const rulesets = new Map(
      (['base', 'taiko', 'fruits', 'mania'] as const).map((ruleset, at) => [at + 1, { ruleset }]),
    )
    const lines = refereeLines(pool, rulesets).match(/!mp map.*/g)
    expect(lines?.slice(0, 5)).toEqual([
      '!mp map 1 0',
      '!mp map 2 1',
      '!mp map 3 2',
      '!mp map 4 3',
      '!mp map 5 0',
    ])
  })

  it('read back with the slots of built-in buckets, which their comments name', () => {
    const { draft, lines } = readPaste(refereeLines(pool), emptyDraft)
    expect(draft.slots.map(({ beatmapId }) => beatmapId)).toEqual(inPoolOrder)
    const builtins = pool.slots.filter(({ mod }) => isBuiltinCode(mod ?? ''))
    expect(draft.slots).toEqual(expect.arrayContaining(builtins))
    expect(lines.filter((line) => line.outcome === 'refused')).toEqual([])
  })
})

describe('referee JSON', () => {
  it('has code, number, beatmap id and mods of each slot', () => {
    const text = refereeJson({ name: 'a', buckets: null, slots: pool.slots.slice(-2) })
    expect(text).toBe(`{
  "name": "a",
  "slots": [
    {
      "code": null,
      "index": 1,
      "beatmapId": 1,
      "mods": [
        "NF"
      ]
    },
    {
      "code": "NM",
      "index": 1,
      "beatmapId": 2,
      "mods": [
        "NF"
      ]
    }
  ]
}
`)
  })

  it('says the same as the lines', () => {
    const { slots } = JSON.parse(refereeJson(pool)) as { slots: { mods: string[] }[] }
    expect(slots.map((slot) => slot.mods)).toEqual(mods)
  })
})

describe('lists of a whole pool', () => {
  it('have an id or a link on each line, in pool order', () => {
    const { slots } = pool
    expect(writeIds({ ...pool, slots: slots.slice(-3) })).toBe('1\n2\n3\n')
    expect(writeLinks({ ...pool, slots: slots.slice(-2) })).toBe(
      'https://osu.ppy.sh/b/1\nhttps://osu.ppy.sh/b/2\n',
    )
  })

  it.each([writeIds, writeLinks])('read back as beatmaps without buckets: %o', (write) => {
    expect(readPaste(write(pool), emptyDraft).draft.slots.map((slot) => slot.beatmapId)).toEqual(
      inPoolOrder,
    )
  })
})
