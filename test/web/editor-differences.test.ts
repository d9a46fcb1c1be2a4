import { describe, expect, it } from 'vitest'
import { differences, editOf } from '../../src/web/editor/edit.ts'

const mine = editOf({
  name: 'Cup',
  visibility: 'public',
  slots: [
    { mod: 'NM', index: 1, beatmapId: 1 },
    { mod: 'NM', index: 2, beatmapId: 2 },
    { mod: null, index: 1, beatmapId: 3 },
  ],
})

describe('how two states of a pack differ', () => {
  it('is in nothing when both are the same', () => {
    const other = editOf({ ...mine, slots: mine.slots.toReversed() })
    expect(differences(mine, other)).toEqual([])
  })

  it('is told for name, description, visibility and buckets', () => {
    const custom = { code: 'RC', color: 1, mods: { kind: 'forced' as const, set: ['HD' as const] } }
    const buckets = [...mine.buckets, custom]
    const theirs = {
      ...mine,
      name: 'Mug',
      description: 'late',
      visibility: 'private' as const,
      buckets,
    }
    expect(differences(mine, theirs)).toEqual([
      { what: 'Name', mine: 'Cup', theirs: 'Mug' },
      { what: 'Description', mine: null, theirs: 'late' },
      { what: 'Visibility', mine: 'Public', theirs: 'Private' },
      {
        what: 'Buckets',
        mine: 'NM, HD, HR, DT, FM, TB',
        theirs: 'NM, HD, HR, DT, FM, TB, RC (HD)',
      },
      { what: 'Colors', mine: null, theirs: 'RC teal' },
    ])
  })

  it('is told for beatmaps that one side lacks, and those that stand elsewhere', () => {
    const theirs = editOf({
      ...mine,
      slots: [
        { mod: 'NM', index: 1, beatmapId: 1 },
        { mod: 'HD', index: 1, beatmapId: 2 },
        { mod: 'TB', index: 1, beatmapId: 9 },
      ],
    })
    expect(differences(mine, theirs)).toEqual([
      { what: '', beatmapId: 3, mine: '1 (no bucket)', theirs: null },
      { what: '', beatmapId: 2, mine: 'NM2', theirs: 'HD1' },
      { what: '', beatmapId: 9, mine: null, theirs: 'TB' },
    ])
  })

  it('counts a beatmap that stands twice twice', () => {
    const slots = [1, 2, 3].map((index) => ({ mod: 'NM', index, beatmapId: 5 }))
    const found = differences(
      editOf({ name: 'A', slots }),
      editOf({ name: 'A', slots: slots.slice(1) }),
    )
    expect(found).toEqual([{ what: '', beatmapId: 5, mine: 'NM1', theirs: null }])
  })
})
