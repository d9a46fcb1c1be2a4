import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import examples from '../../src/contract/examples.json' with { type: 'json' }
import type { Pack } from '../../src/contract/packs.ts'
import { IndexEntry } from '../../src/contract/search-index.ts'
import { rowAfter } from '../../src/web/focus.ts'
import { entryOf, heirOf } from '../../src/web/my-packs/my-packs-page.tsx'
import { listPageSearch, readListPage } from '../../src/web/parts/pager.tsx'

const { newPack: newPackExample, pack: packExample } = examples

describe('a pack as the search index would tell it', () => {
  const withStats = packExample as Pack

  it.each([withStats, newPackExample as Pack])('is an entry of the index: %#', (pack) => {
    expect([...Value.Errors(IndexEntry, entryOf(pack))]).toEqual([])
  })

  it('says what the stats say, and leaves out what they do not know', () => {
    const { stats } = withStats
    if (stats === undefined) throw new Error('the example has lost its stats')
    expect(entryOf(withStats)).toMatchObject({
      r: [stats.srMin, stats.srMax],
      a: stats.srAvg,
      l: [stats.lenMin, stats.lenMax],
      b: [stats.bpmMin, stats.bpmMax],
      m: stats.mods.join(','),
    })
    const unknown = { srMin: null, srMax: null, srAvg: null, lenMin: null, lenMax: null }
    const bare = entryOf({ ...withStats, stats: { ...stats, ...unknown } })
    expect(bare).toHaveProperty('b')
    for (const key of ['r', 'a', 'l']) expect(bare).not.toHaveProperty(key)
  })
})

describe('the page of a list in the address (D-15)', () => {
  it.each([
    ['', 1],
    ['?page=1', 1],
    ['?page=7', 7],
    ['?page=999999', 999_999],
    ['?page=0', 1],
    ['?page=1000000', 1],
    ['?page=-1', 1],
    ['?page=two', 1],
  ])('%s is page %d', (search, page) => {
    expect(readListPage(search)).toBe(page)
  })

  it('is written beside what else stands there; the first page is not', () => {
    expect(listPageSearch(1)).toBe('')
    expect(listPageSearch(2)).toBe('?page=2')
    expect(listPageSearch(3, '?only=hidden&page=2')).toBe('?only=hidden&page=3')
    expect(listPageSearch(1, '?only=hidden&page=2')).toBe('?only=hidden')
  })
})

describe('keys between rows', () => {
  const none = { ctrlKey: false, altKey: false, metaKey: false, shiftKey: false }

  it.each([
    ['ArrowDown', 0, 1],
    ['ArrowDown', 2, null],
    ['ArrowUp', 2, 1],
    ['ArrowUp', 0, null],
    ['Home', 2, 0],
    ['End', 0, 2],
    ['Enter', 0, null],
    ['ArrowDown', -1, null],
  ])('%s leads from row %d of three to %s', (key, from, to) => {
    expect(rowAfter({ ...none, key }, from, 3)).toBe(to)
  })

  it('leave shortcuts of the browser alone', () => {
    expect(rowAfter({ ...none, altKey: true, key: 'ArrowDown' }, 0, 3)).toBeNull()
  })
})

describe('what stands in the place of a deleted pack', () => {
  const packs = ['a', 'b', 'c'].map((slug) => ({ slug }) as Pack)

  it.each([
    ['a', 'b'],
    ['b', 'c'],
    ['c', 'b'],
  ])('of %s is %s', (slug, heir) => {
    expect(heirOf(packs, slug)).toBe(heir)
  })

  it('is nothing where it was the only one', () => {
    expect(heirOf(packs.slice(0, 1), 'a')).toBeNull()
  })
})
