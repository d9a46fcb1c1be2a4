import { describe, expect, it } from 'vitest'
import type { Bucket } from '../../src/contract/pools.ts'
import { type Edit, editOf, emptyEdit } from '../../src/web/editor/edit.ts'
import { hintsOf, problemsOf, readRefusal, isStillRefused } from '../../src/web/editor/problems.ts'
import { slotViews } from '../../src/web/pool/slots.ts'

const base = editOf({
  name: 'Cup',
  slots: [
    { mod: 'HD', index: 1, beatmapId: 2 },
    { mod: 'NM', index: 1, beatmapId: 1 },
  ],
})
const change = (changes: Partial<Edit>): Edit => ({ ...base, ...changes })
const texts = (edit: Edit): string[] => problemsOf(edit).map(({ text }) => text)

describe('what keeps an edit from being saved (spec 2.8, D-19 to D-23)', () => {
  it('is nothing in a sound one', () => {
    expect(problemsOf(base)).toEqual([])
  })

  it('is a name and a beatmap in an empty one; nothing of it is wrong', () => {
    const found = problemsOf(emptyEdit)
    expect(found.map(({ id, isMissing }) => [id, isMissing])).toEqual([
      ['edit-name', true],
      ['edit-slots', true],
    ])
  })

  it('stands at the field', () => {
    expect(texts(change({ name: 'x'.repeat(65) }))).toEqual([
      'Name must be at most 64 characters long.',
    ])
    const long = change({ description: 'x'.repeat(501) })
    expect(problemsOf(long)[0]).toMatchObject({
      id: 'edit-description',
      text: 'Description must be at most 500 characters long.',
    })
  })

  it('stands at the slot, called as the page calls it', () => {
    const slots = [...base.slots, { key: 9, mod: 'HD', index: 1, beatmapId: 3 }]
    const [problem] = problemsOf(change({ slots }))
    expect(problem?.id).toBe('edit-slot-9')
    expect(problem?.text).toBe(
      'HD1: The number must be another number: HD1 has the same mod and index.',
    )
  })

  it('stands at the bucket', () => {
    const buckets: Bucket[] = [...base.buckets, { code: 'nm', color: 1 }]
    const [problem] = problemsOf(change({ buckets }))
    expect(problem?.id).toBe('edit-bucket-nm')
    expect(problem?.text).toContain('Bucket nm: The code must be another code')
  })

  it('is a ninth custom bucket, and a 65th slot', () => {
    const nine = Array.from({ length: 9 }, (_, at) => ({ code: `C${at}`, color: at }))
    const many = Array.from({ length: 65 }, (_, at) => ({
      key: at,
      mod: 'NM',
      index: at + 1,
      beatmapId: 1,
    }))
    expect(texts(change({ buckets: [...base.buckets, ...nine] }))).toContain(
      'Buckets must hold at most 8 custom buckets.',
    )
    expect(texts(change({ slots: many }))).toEqual(['The pack has 65 slots. The limit is 64.'])
  })
})

describe('what is worth a look, and keeps nothing from being saved', () => {
  const edit = editOf({
    name: 'Cup',
    slots: [
      { mod: 'TB', index: 1, beatmapId: 7 },
      { mod: 'HD', index: 1, beatmapId: 1 },
      { mod: 'NM', index: 1, beatmapId: 1 },
      { mod: 'NM', index: 2, beatmapId: 2 },
      { mod: 'FM', index: 1, beatmapId: 1 },
    ],
  })
  const found = (...gone: readonly number[]) =>
    hintsOf(
      slotViews(edit, new Map()).map((view) => ({
        ...view,
        beatmap: { state: gone.includes(view.beatmapId) ? 'gone' : 'pending' },
      })),
    )
  const hints = (...gone: readonly number[]) => found(...gone).map(({ text }) => text)

  it('is the same beatmap twice, and one that is gone, in pool order, at the first of the slots', () => {
    expect(hints()).toEqual(['NM1, HD1 and FM1 have the same beatmap.'])
    expect(hints(7, 2)).toEqual([
      'NM1, HD1 and FM1 have the same beatmap.',
      'NM2: The game platform has no beatmap 2.',
      'TB: The game platform has no beatmap 7.',
    ])
    const { key } = edit.slots.find(({ mod, index }) => mod === 'NM' && index === 1)!
    expect(found()[0]!.id).toBe(`edit-slot-${key}`)
  })

  it('is that a beatmap is gone, once, if it is there twice', () => {
    expect(hints(1)).toEqual(['NM1, HD1 and FM1: The game platform has no beatmap 1.'])
  })

  it('is no problem', () => {
    expect(problemsOf(edit)).toEqual([])
  })
})

describe('what the site refuses (D-14, D-24)', () => {
  const refusalAt = (message: string, ...places: readonly string[]) => ({
    message,
    problems: places.map((place) => ({ place, what: 'slur' })),
  })

  it('is told as the site tells it, at the first field that it names', () => {
    const { problem } = readRefusal(refusalAt('Nein.', 'description', 'name'), base)
    expect(problem).toEqual({ id: 'edit-description', text: 'Nein.', isMissing: false })
  })

  it('stands at the field it names, for as long as nothing changes there', () => {
    const refusal = readRefusal(refusalAt('Name must not contain a slur.', 'name'), base)
    expect(refusal.problem.id).toBe('edit-name')
    expect(isStillRefused(refusal, change({ slots: [] }))).toBe(true)
    expect(isStillRefused(refusal, change({ name: 'Mug' }))).toBe(false)
  })

  it('stands at a field when it is about a part of it', () => {
    const refusal = readRefusal(refusalAt('Nein.', 'description[2]'), base)
    expect(refusal.problem.id).toBe('edit-description')
  })

  it('finds the slot in the order in which slots were sent', () => {
    const { problem } = readRefusal(refusalAt('No.', 'slots[1].index'), base)
    const { key } = base.slots.find(({ mod }) => mod === 'HD')!
    expect(problem.id).toBe(`edit-slot-${key}`)
  })

  it('finds the bucket', () => {
    const buckets = [...base.buckets, { code: 'RC', color: 0 }]
    const { problem } = readRefusal(refusalAt('No.', 'buckets[6].code'), change({ buckets }))
    expect(problem.id).toBe('edit-bucket-RC')
  })

  it('is told as it is where it names no place, and holds nobody up', () => {
    const refusal = readRefusal(refusalAt('The body is no JSON.'), base)
    expect(refusal.problem).toMatchObject({ text: 'The body is no JSON.', id: null })
    expect(isStillRefused(refusal, base)).toBe(false)
  })
})
