import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import examples from '../../src/contract/examples.json' with { type: 'json' }
import type { Pack } from '../../src/contract/packs.ts'
import { IndexEntry } from '../../src/contract/search-index.ts'
import { rowAfter } from '../../src/web/focus.ts'
import { BulkWork, type Run } from '../../src/web/my-packs/bulk-work.ts'
import {
  entryOf,
  nextOf,
  rangeOf,
  readView,
  showPacks,
  type View,
  writeView,
} from '../../src/web/my-packs/view.ts'
import { listPageSearch, readListPage } from '../../src/web/parts/pager.tsx'
import { CallFailure } from '../../src/web/site-failure.ts'

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

const packOf = (slug: string, changes: Partial<Pack> = {}): Pack => ({
  ...(packExample as Pack),
  slug,
  name: slug,
  ...changes,
})
const slugsOf = (packs: readonly Pack[]): string => packs.map(({ slug }) => slug).join('')

describe('where the focus goes when packs are deleted', () => {
  const packs = ['a', 'b', 'c', 'd'].map((slug) => packOf(slug))

  it.each([
    ['a', 'b'],
    ['b', 'c'],
    ['bc', 'd'],
    ['bd', 'c'],
    ['cd', 'b'],
    ['d', 'c'],
    ['abcd', null],
  ])('of %s is %s', (gone, next) => {
    expect(nextOf(packs, new Set(gone))).toBe(next)
  })
})

describe('the view in the address', () => {
  it.each<[string, View]>([
    ['', { query: '', state: null, sort: 'updated', isReversed: false }],
    [
      '?q=cup+one&visibility=hidden&sort=beatmaps&reversed=1',
      { query: 'cup one', state: 'hidden', sort: 'beatmaps', isReversed: true },
    ],
  ])('%s is read and written', (search, view) => {
    expect(readView(search)).toEqual(view)
    expect(writeView(view)).toBe(search)
  })

  it('is read without what no view has', () => {
    const search = `?visibility=secret&sort=constructor&reversed=yes&page=2&q=${'x'.repeat(300)}`
    expect(readView(search)).toEqual({ ...readView(''), query: 'x'.repeat(200) })
  })
})

describe('the packs of a view', () => {
  const at = (day: number): string => `2026-10-0${day}T00:00:00.000Z`
  const { stats } = packExample as Pack
  const rated = (srAvg: number | null) => ({ stats: { ...stats!, srAvg } })
  const some = (many: number) => ({ slots: (packExample as Pack).slots.slice(0, many) })
  const packs = [
    packOf('a', { ...rated(5), ...some(3), name: 'Cup 10', updatedAt: at(2), createdAt: at(2) }),
    packOf('b', { ...rated(null), ...some(1), name: 'cup 9', updatedAt: at(3), createdAt: at(1) }),
    packOf('c', { ...rated(7), ...some(2), name: 'Élan', updatedAt: at(1), createdAt: at(3) }),
    packOf('d', { ...some(1), name: 'Zz', updatedAt: at(1), createdAt: at(4) }),
  ].map((pack, place) => ({ ...pack, description: place === 3 ? 'For the cup' : '' }))
  const unrated = packs.map((pack) => {
    const { stats: _, ...rest } = pack
    return pack.slug === 'd' ? rest : pack
  })
  const shown = (changes: Partial<View>) => showPacks(unrated, { ...readView(''), ...changes })

  it.each<[View['sort'], string, string]>([
    ['updated', 'badc', 'dcab'],
    ['created', 'dcab', 'bacd'],
    ['name', 'bacd', 'dcab'],
    ['stars', 'cabd', 'acbd'],
    ['beatmaps', 'acbd', 'bdca'],
  ])('by %s are %s; reversed, %s: equal ones stay in order, unknown stars come last', (...row) => {
    const [sort, usual, reversed] = row
    expect(slugsOf(shown({ sort }).packs)).toBe(usual)
    expect(slugsOf(shown({ sort, isReversed: true }).packs)).toBe(reversed)
  })

  it.each([
    ['cup', 'bad'],
    ['CUP 10', 'a'],
    ['CUP 1', ''],
    ['elan', 'c'],
    ['ÉLAN', 'c'],
    ['example-owner', ''],
  ])(
    'that have all words of %s in name or description, whatever marks and case, are %s',
    (...row) => {
      expect(slugsOf(shown({ query: row[0] }).packs)).toBe(row[1])
    },
  )

  it('are those of one state; the counts say what each state would show of the query', () => {
    const states = [
      packOf('a', { visibility: 'public' }),
      packOf('b', { visibility: 'public', hiddenAt: at(1) }),
      packOf('c', { visibility: 'private' }),
      packOf('d', { visibility: 'unlisted', name: 'other' }),
    ]
    const view = { ...readView(''), query: 'Example' }
    const all = states.map((pack) => ({ ...pack, description: pack.slug === 'd' ? '' : 'example' }))
    const found = showPacks(all, { ...view, state: 'public' })
    expect(slugsOf(found.packs)).toBe('ab')
    expect(found.counts).toEqual({ all: 3, public: 2, unlisted: 0, private: 1, hidden: 1 })
    expect(slugsOf(showPacks(all, { ...view, state: 'hidden' }).packs)).toBe('b')
  })

  it('between two of them are a range in the order shown', () => {
    const list = ['a', 'b', 'c', 'd', 'e'].map((slug) => packOf(slug))
    expect(rangeOf(list, 'b', 'd').join('')).toBe('bcd')
    expect(rangeOf(list, 'd', 'b').join('')).toBe('bcd')
    expect(rangeOf(list, 'x', 'b').join('')).toBe('b')
    expect(rangeOf(list, null, 'b').join('')).toBe('b')
  })
})

describe('an order over many packs', () => {
  const refusal = (status: number, retryAfter: number | null = null) =>
    new CallFailure('unreadable', 'no', { status, retryAfter })

  /** Work on packs of which some are refused once, with a hand-driven clock. */
  const start = (refusals: Readonly<Record<string, CallFailure>>) => {
    const open = new Map(Object.entries(refusals))
    const sent: string[] = []
    const ended: Run[] = []
    const timers: { ms: number; goOn: () => void }[] = []
    const work = new BulkWork({
      send: async (_, pack, isAgain) => {
        const error = open.get(pack.slug)
        open.delete(pack.slug)
        if (error) throw error
        sent.push(pack.slug + (isAgain ? '!' : ''))
        return pack
      },
      later: (ms, then) => {
        const timer = { ms, goOn: then }
        timers.push(timer)
        return () => timers.splice(timers.indexOf(timer), 1)
      },
      now: () => 0,
      onDone: () => {},
      onEnd: (run) => ended.push(run),
      onChange: () => {},
    })
    const packs = ['a', 'b', 'c', 'd'].map((slug) => packOf(slug))
    work.add({ kind: 'visibility', to: 'public' }, packs)
    return { work, sent, ended, timers, packs }
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve))

  it('sends one after the other, and orders in the order given', async () => {
    const { work, sent, ended } = start({})
    work.add({ kind: 'delete' }, [packOf('x'), packOf('y')])
    expect(slugsOf(work.toDelete())).toBe('xy')
    await settled()
    expect(sent.join('')).toBe('abcdxy')
    expect(ended.map(({ order, done }) => [order.kind, done.length])).toEqual([
      ['visibility', 4],
      ['delete', 2],
    ])
    expect(work.run).toBeNull()
  })

  it('leaves a deletion that was refused open until that is decided', async () => {
    const { work, sent } = start({ x: refusal(403) })
    work.add({ kind: 'delete' }, [packOf('x'), packOf('y')])
    work.add({ kind: 'delete' }, [packOf('z')])
    await settled()
    expect(work.run?.phase).toBe('stopped')
    expect(slugsOf(work.toDelete())).toBe('z')
    work.tryAgain()
    expect(slugsOf(work.toDelete())).toBe('xyz')
    await settled()
    expect(sent.join('')).toBe('abcdx!yz')
  })

  it('waits as long as the quota says, then goes on by itself (spec 8)', async () => {
    const { work, sent, timers } = start({ c: refusal(429, 43) })
    await settled()
    expect(work.run).toMatchObject({ phase: 'waiting', until: '1970-01-01T00:00:43.000Z' })
    expect(timers.map(({ ms }) => ms)).toEqual([43_000])
    timers[0]?.goOn()
    await settled()
    expect(sent.join('')).toBe('abcd')
  })

  it('can be cancelled while it waits: what is left stays as it is', async () => {
    const { work, sent, timers, ended } = start({ c: refusal(429, 43) })
    await settled()
    work.cancel()
    expect(timers).toEqual([])
    expect(sent.join('')).toBe('ab')
    expect(slugsOf(ended[0]?.left ?? [])).toBe('cd')
  })

  it('can be cancelled while it works: what is being sent is counted', async () => {
    const { work, sent, ended } = start({})
    work.cancel()
    await settled()
    expect(sent.join('')).toBe('a')
    expect(slugsOf(ended[0]?.left ?? [])).toBe('bcd')
  })

  it('stops where a pack is refused, and says which; tries it again when asked', async () => {
    const { work, sent } = start({ b: refusal(409) })
    await settled()
    expect(work.run).toMatchObject({ phase: 'stopped', done: [{ slug: 'a' }] })
    expect(slugsOf(work.run?.left ?? [])).toBe('bcd')
    work.tryAgain()
    await settled()
    expect(sent.join('')).toBe('ab!cd')
  })

  it('leaves out a pack that was refused when asked, and counts it as left', async () => {
    const { work, sent, ended } = start({ b: refusal(400) })
    await settled()
    work.skip()
    await settled()
    expect(sent.join('')).toBe('acd')
    expect(ended[0]).toMatchObject({ total: 4, skipped: [{ slug: 'b' }], left: [] })
  })
})
