import { describe, expect, it } from 'vitest'
import type { UsageLookReply, UsageNote } from '../../src/contract/usage.ts'
import { pooledElsewhere, PooledNotes } from '../../src/web/pool/pooled.tsx'

const last = {
  slug: 'AAAAAAAAAA',
  packName: 'Spring Cup',
  ownerName: 'Ada',
  mod: 'NM',
  index: 2,
  updatedAt: '2026-10-03T18:30:00.000Z',
}
const note = (total: number, slug = last.slug): UsageNote => ({
  beatmapId: 75,
  total,
  ...(total > 0 && { last: { ...last, slug } }),
})
const own = (visibility: 'public' | 'unlisted' = 'public', more: object = {}) => ({
  slug: 'BBBBBBBBBB',
  visibility,
  slots: [{ mod: 'NM', index: 1, beatmapId: 75 }],
  ...more,
})

describe('what is said of a beatmap', () => {
  it('is nothing when it was never pooled', () => {
    expect(pooledElsewhere(note(0), null)).toBeNull()
  })

  it('leaves the pack that is edited out, whether or not it is the last one', () => {
    expect(pooledElsewhere(note(1, 'BBBBBBBBBB'), own())).toBeNull()
    expect(pooledElsewhere(note(3, 'BBBBBBBBBB'), own())).toMatchObject({ total: 2, last: null })
    expect(pooledElsewhere(note(3), own())).toMatchObject({ total: 2, last })
  })

  it('counts all when that pack is not listed', () => {
    expect(pooledElsewhere(note(3), own('unlisted'))).toMatchObject({ total: 3 })
    expect(pooledElsewhere(note(3), own('public', { hiddenAt: last.updatedAt }))).toMatchObject({
      total: 3,
    })
  })

  it('is a draft, if it is in one', () => {
    const draft = {
      tournament: { slug: 'CCCCCCCCCC', name: 'Cup' },
      round: 'Finals',
      mod: 'NM',
      index: 1,
    }
    expect(pooledElsewhere({ ...note(0), drafts: [draft] }, null)).toEqual({
      total: 0,
      last: null,
      drafts: [draft],
    })
  })
})

describe('asking', () => {
  const open = () => {
    const asked: string[] = []
    const waiting: (() => void)[] = []
    let fails = false
    const ask = async (ids: string): Promise<UsageLookReply> => {
      asked.push(ids)
      if (fails) throw new Error('away')
      return { beatmaps: ids.split(',').map((id) => ({ ...note(2), beatmapId: Number(id) })) }
    }
    const notes = new PooledNotes({ ask, later: (_ms, then) => void waiting.push(then) })
    const settle = async () => {
      for (const work of waiting.splice(0)) work()
      await new Promise((resolve) => setImmediate(resolve))
    }
    return { asked, notes, settle, fail: (is: boolean) => void (fails = is) }
  }

  it('is one question for what changes together, and asks for each beatmap once', async () => {
    const { asked, notes, settle } = open()
    notes.want([])
    notes.want([75, 76, 75])
    notes.want([75, 77])
    await settle()
    expect(asked).toEqual(['75,76,77'])
    expect(notes.of(77)).toMatchObject({ total: 2 })
    expect(notes.of(78)).toBeNull()
    notes.want([75, 76])
    await settle()
    expect(asked).toHaveLength(1)
  })

  it('is for 64 beatmaps at a time', async () => {
    const { asked, notes, settle } = open()
    notes.want(Array.from({ length: 70 }, (_, at) => at + 1))
    await settle()
    expect(asked.map((ids) => ids.split(',').length)).toEqual([64, 6])
  })

  it('that fails is repeated with the next change', async () => {
    const { asked, notes, settle, fail } = open()
    fail(true)
    notes.want([75])
    await settle()
    expect(notes.of(75)).toBeNull()
    fail(false)
    notes.want([75, 76])
    await settle()
    expect(asked).toEqual(['75', '75,76'])
    expect(notes.of(75)).toMatchObject({ total: 2 })
  })
})
