import { describe, expect, it } from 'vitest'
import type { ChangeKind } from '../../src/contract/changes.ts'
import { changeFor, type PackFeedEntry } from '../../src/domain/changes.ts'

const entry: PackFeedEntry = {
  cursor: 'Zm9vYmFyYmF6cXV4Y29ycw',
  at: 0,
  kind: 'changed',
  slug: 'q7Jm2_xT0a',
  ownerId: 'ann',
  wasListed: true,
  isListed: true,
}

describe('what of a change others may know (D-73)', () => {
  const cases: [ChangeKind, boolean, boolean, ChangeKind | null][] = [
    ['created', false, true, 'created'],
    ['created', false, false, null],
    ['changed', true, true, 'changed'],
    ['changed', true, false, 'hidden'],
    ['changed', false, true, 'shown'],
    ['changed', false, false, null],
    ['hidden', true, false, 'hidden'],
    ['hidden', false, false, null],
    ['shown', false, true, 'shown'],
    ['shown', false, false, null],
    ['deleted', true, false, 'deleted'],
    ['deleted', false, false, null],
  ]

  it.each(cases)('%s, listed before: %s, since: %s: %s', (kind, wasListed, isListed, seen) => {
    const change = { ...entry, kind, wasListed, isListed }
    expect(changeFor(change, 'ben')?.kind ?? null).toBe(seen)
    expect(changeFor({ ...change, ownerId: null }, '')?.kind ?? null).toBe(seen)
    expect(changeFor(change, 'ann')?.kind).toBe(kind)
  })

  it('is the cursor, the time, the kind and the slug, and nothing else', () => {
    expect(changeFor(entry, 'ben')).toEqual({
      cursor: entry.cursor,
      at: '1970-01-01T00:00:00.000Z',
      kind: 'changed',
      slug: entry.slug,
    })
  })
})
