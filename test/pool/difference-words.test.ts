import { describe, expect, it } from 'vitest'
import type { Difference } from '../../src/contract/history.ts'
import type { Bucket } from '../../src/contract/pools.ts'
import { englishLine, englishWords } from '../../src/pool/english-differences.ts'

const RC: Bucket = { code: 'RC', color: 1, mods: { kind: 'forced', set: ['HD', 'DT'] } }

describe('a difference in the words of hosts', () => {
  it.each<[string, Difference]>([
    ['Name: Cup → Mug', { kind: 'name', from: 'Cup', to: 'Mug' }],
    ['Description added: late', { kind: 'description', to: 'late' }],
    ['Description removed: late', { kind: 'description', from: 'late' }],
    ['Description: late → later', { kind: 'description', from: 'late', to: 'later' }],
    ['Description: a ↵  ↵ b → a ↵ b', { kind: 'description', from: 'a\n\r\nb', to: 'a\nb' }],
    ['Visibility: private → public', { kind: 'visibility', from: 'private', to: 'public' }],
    ['Bucket RC added: teal, HDDT', { kind: 'bucket', at: 'RC', to: RC }],
    ['Bucket RC removed: teal, HDDT', { kind: 'bucket', at: 'RC', from: RC }],
    [
      'Bucket RC: teal, HDDT → stone',
      { kind: 'bucket', at: 'RC', from: RC, to: { code: 'RC', color: 9 } },
    ],
    [
      'Bucket RC: teal, HDDT → teal, free mods',
      { kind: 'bucket', at: 'RC', from: RC, to: { ...RC, mods: { kind: 'free' } } },
    ],
    [
      'Order of buckets: NM HD TB → HD NM TB',
      {
        kind: 'bucket',
        from: ['NM', 'HD', 'TB'],
        to: ['HD', 'NM', 'TB'],
      },
    ],
    ['NM3: 10 → 20', { kind: 'replaced', at: 'NM3', from: 10, to: 20 }],
    ['RC1 2 added: 20', { kind: 'filled', at: 'RC1 2', to: 20 }],
    ['TB removed: 10', { kind: 'emptied', at: 'TB', from: 10 }],
    ['NM2 → NM3', { kind: 'moved', at: 'NM3', from: 'NM2', to: 'NM3' }],
    ['5 (no bucket) → NM3', { kind: 'moved', at: 'NM3', from: '5', to: 'NM3' }],
    ['2 (no bucket) removed: 10', { kind: 'emptied', at: '2', from: 10 }],
  ])('%s', (line, difference) => {
    expect(englishLine(englishWords(difference))).toBe(line)
  })

  it('names beatmaps whose names are known', () => {
    const nameOf = (id: number) => (id === 10 ? 'FREEDOM DiVE' : `Beatmap ${id}`)
    const before = [{ mod: 'NM', index: 2, beatmapId: 10 }]
    const lineOf = (difference: Difference) =>
      englishLine(englishWords(difference, { nameOf, before }))
    expect(lineOf({ kind: 'replaced', at: 'NM1', from: 10, to: 20 })).toBe(
      'NM1: FREEDOM DiVE → Beatmap 20',
    )
    expect(lineOf({ kind: 'moved', at: 'NM3', from: 'NM2', to: 'NM3' })).toBe(
      'FREEDOM DiVE: NM2 → NM3',
    )
    expect(lineOf({ kind: 'moved', at: 'NM3', from: 'NM9', to: 'NM3' })).toBe('NM9 → NM3')
  })
})
