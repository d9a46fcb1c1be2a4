import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addBucket } from '../../src/pool/edits.ts'
import { encodePackKey } from '../../src/pool/pack-key/pack-key.ts'
import type { Pool } from '../../src/pool/pool.ts'
import { slotsInPoolOrder } from '../../src/pool/slots.ts'
import { anyPool } from '../pool/pool-arbitrary.ts'
import { emptyDraft, pasted, readPaste } from './pasted-text.ts'

const quals = 'pk1.AQlFR0MgUXVhbHMHAAHj9gcAAuqUgQEBAeP2BwIBjKRyAwFLBAGAkvQBBQGMpHLUew'
const qualSlots = [
  'NM1=129891',
  'NM2=2116202',
  'HD1=129891',
  'HR1=1872396',
  'DT1=75',
  'FM1=4000000',
  'TB=1872396',
]

describe('a pack key', () => {
  it.each([
    quals,
    `  ${quals}\n`,
    `Here it is: https://packs.test/k#${quals} – see you there!`,
    `Hi all\n\nour pool:\n> ${quals}\ngood luck`,
    `Name,Key\nEGC,"${quals}"`,
    `#${quals}`,
  ])('is found in any text: %j', (text) => {
    expect(readPaste(text, emptyDraft).packKey).toBe(quals)
    expect(pasted(text)).toEqual(qualSlots)
  })

  it('makes an empty draft the pool, name and buckets too', () => {
    fc.assert(
      fc.property(anyPool, (pool) => {
        const { draft } = readPaste(`see ${encodePackKey(pool)}`, emptyDraft)
        expect(draft).toEqual({ ...pool, slots: slotsInPoolOrder(pool) })
      }),
    )
  })

  it('leaves a name that was given', () => {
    expect(readPaste(quals, { name: 'Mine', slots: [] }).draft.name).toBe('Mine')
  })

  it('adds its slots to a draft that has some, each faulty line reported', () => {
    const into = { name: '', slots: [{ mod: 'NM', index: 1, beatmapId: 5 }] }
    const { draft, lines } = readPaste(`a\n${quals}`, into)
    expect(draft.name).toBe('')
    expect(draft.slots).toHaveLength(7)
    expect(lines.filter((line) => line.outcome === 'refused')).toEqual([
      {
        line: 2,
        text: quals,
        outcome: 'refused',
        reason: 'NM1 already has beatmap 5. Use another slot number.',
      },
    ])
  })

  it('brings its own buckets with their mods, in colours that are free', () => {
    const pool: Pool = {
      name: 'Mix',
      buckets: [
        ...['NM', 'HD', 'HR', 'DT', 'FM'].map((code) => ({ code }) as { code: 'NM' }),
        { code: 'rc', color: 7, mods: { kind: 'free' } },
        { code: 'EZ', color: 0, mods: { kind: 'forced', set: ['EZ'] } },
        { code: 'TB' },
      ],
      slots: [
        { mod: 'rc', index: 1, beatmapId: 1 },
        { mod: 'EZ', index: 1, beatmapId: 2 },
      ],
    }
    const { draft } = readPaste(encodePackKey(pool), addBucket(emptyDraft, 'RC'))
    expect(draft.buckets?.slice(5)).toEqual([
      { code: 'RC', color: 0 },
      { code: 'EZ', color: 1, mods: { kind: 'forced', set: ['EZ'] } },
      { code: 'TB' },
    ])
    expect(draft.slots.map(({ mod }) => mod)).toEqual(['RC', 'EZ'])
  })

  it('without slots gives its name and buckets', () => {
    const key = encodePackKey({ name: 'Soon', buckets: null, slots: [] })
    const { draft, lines } = readPaste(key, emptyDraft)
    expect(draft).toEqual({ name: 'Soon', buckets: null, slots: [] })
    expect(lines).toEqual([{ line: 1, text: key, outcome: 'skipped' }])
  })

  it('is read alone: slots and keys beside it are refused, not lost', () => {
    const other = encodePackKey({ name: 'b', buckets: null, slots: [] })
    expect(pasted(`# see\nNM9 1\n${quals}\n${other}\nthanks`)).toEqual([
      '2: A pack key in this text was opened and the rest was ignored. Paste this line by itself.',
      ...qualSlots,
      '4: Another pack key in this text was opened. Paste this one by itself.',
    ])
  })

  it('in a title or a comment is none', () => {
    const text = `# ${quals}\nSlot,ID,Title\nNM1,10,${quals}`
    expect(pasted(text)).toEqual(['NM1=10'])
    expect(pasted(`NM1 10 - ${quals}`)).toEqual(['NM1=10'])
  })
})

describe('a damaged pack key', () => {
  it.each([
    [quals.slice(0, -2), 'This pack key is damaged; copy it again.'],
    [
      quals.slice(0, -1),
      'This pack key holds a character that does not belong, or lacks some; copy it again.',
    ],
    [
      quals.replace('pk1', 'pk9'),
      'This pack key has a version that is not known here; versions 1 to 3 are.',
    ],
  ])('%s says what is wrong, and the other lines are read', (key, reason) => {
    expect(readPaste(key, emptyDraft).packKey).toBeNull()
    expect(pasted(`${key}\nNM1 5`)).toEqual([`1: ${reason}`, 'NM1=5'])
  })

  it('is passed over when a whole one follows', () => {
    expect(readPaste(`pk2.0 is out\n${quals}`, emptyDraft).packKey).toBe(quals)
  })
})
