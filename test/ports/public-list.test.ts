import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSqliteEngine, type SqliteEngine } from '../../src/adapters/storage/sqlite/engine.ts'
import {
  openSqliteFile,
  SQLITE_MIGRATIONS,
  type SqliteFile,
} from '../../src/adapters/storage/sqlite/file.ts'
import { createChangeCounter } from '../../src/adapters/storage/stores/public-count.ts'
import {
  createPublicList,
  currentVersion,
  type ListKey,
  type PublicList,
} from '../../src/adapters/storage/stores/public-list.ts'
import { type SqliteTempStore, tempSqliteStore } from './temp-store.ts'

// Blocks of 8 instead of 512: everything that happens to a large list happens to a small one.
const LARGEST = 8

// Few different times, so that many packs share one, and the clock steps back all the time.
const time = fc.integer({ min: 0, max: 12 })
const which = fc.nat({ max: 1000 })
const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), at: time }),
  fc.record({ kind: fc.constant('touch' as const), which, at: time }),
  fc.record({ kind: fc.constant('toggle' as const), which }),
  fc.record({ kind: fc.constant('remove' as const), which }),
  fc.record({ kind: fc.constant('count' as const) }),
)
// A list of some blocks to begin with; then more goes than comes.
const steps = fc
  .tuple(
    fc.array(fc.record({ kind: fc.constant('add' as const), at: time }), {
      maxLength: 90,
      size: 'max',
    }),
    fc.array(step, { maxLength: 150, size: 'max' }),
  )
  .map(([first, then]) => [...first, ...then])

describe('the public list counted in blocks (D-16)', () => {
  let store: SqliteTempStore
  let file: SqliteFile
  let engine: SqliteEngine
  let list: PublicList
  let counter: ReturnType<typeof createChangeCounter>

  beforeEach(async () => {
    store = await tempSqliteStore()
    file = await openSqliteFile(store.file, SQLITE_MIGRATIONS, 1000)
    file.writer.exec('pragma synchronous = off')
    engine = createSqliteEngine(file, 1000)
    list = createPublicList()
    counter = createChangeCounter(engine, { largest: LARGEST })
  })

  afterEach(async () => {
    file.reader.close()
    file.writer.close()
    await store.remove()
  })

  const emptyTheStore = () =>
    file.writer.exec(
      `delete from pack; delete from public_change;
       delete from public_block where first_id > 0; update public_block set size = 0;
       update shared_number set value = value + 1`,
    )

  type Row = ListKey & { listed: boolean }
  const keyOf = (row: Row | null): ListKey | null => (row?.listed ? row : null)

  /** Writes the row as it is to be and counts it, as the pack store does. */
  const put = (before: Row | null, after: Row | null): Promise<void> =>
    engine.write('packs', async (tx) => {
      const id = (before ?? after)?.id ?? 0
      if (after === null) await tx.deleteFrom('pack').where('id', '=', id).execute()
      else await tx.replaceInto('pack').values(columnsOf(after)).execute()
      await list.move(tx, String(id), keyOf(before), keyOf(after))
    })

  const columnsOf = ({ id, updatedAt, listed }: Row) => ({
    id,
    slug: String(id),
    owner_id: 'tournament-pools',
    name: 'x',
    content_hash: 0,
    visibility: 'public' as const,
    slots: '[]',
    pack_key: 'x',
    exports: '[]',
    history_public: 0 as const,
    version: 1,
    version_hidden: 0 as const,
    hidden_at: listed ? null : 1,
    created_at: 0,
    updated_at: updatedAt,
  })

  const blocks = () =>
    file.reader
      .prepare(
        'select first_updated_at as at, first_id as id, size from public_block order by 1, 2',
      )
      .all() as { at: number; id: number; size: number }[]

  const newestFirst = (rows: readonly Row[]): Row[] =>
    rows.filter(({ listed }) => listed).toSorted((a, b) => b.updatedAt - a.updatedAt || b.id - a.id)

  const locate = async (offset: number) =>
    list.locate(engine.db, offset, await list.readState(engine.db))

  /** Every place of the list, as `locate` says it and the index then gives it, before and after counting. */
  const expectSameAs = async (rows: readonly Row[]): Promise<void> => {
    await expectPlaces(rows)
    const before = currentVersion(await list.readState(engine.db))
    expect(await counter.version()).toBe(before)
    await expectPlaces(rows)

    const sizes = blocks().map(({ size }) => size)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(LARGEST)
    // Two neighbours that fit in half a block never stay apart, so the blocks do not pile up.
    const pairs = sizes.slice(1).map((size, at) => sizes[at]! + size)
    expect(pairs.filter((pair) => pair <= LARGEST / 2)).toEqual([])
  }

  const expectPlaces = async (rows: readonly Row[]): Promise<void> => {
    const expected = newestFirst(rows)
    const found = file.reader.prepare(
      `select id from pack where visibility = 'public' and hidden_at is null
       and (updated_at, id) < (?, ?) order by updated_at desc, id desc limit 1 offset ?`,
    )
    for (const [offset, row] of expected.entries()) {
      const { total, under, skip } = await locate(offset)
      expect(total).toBe(expected.length)
      expect(found.get(under.updatedAt, under.id, skip)?.['id']).toBe(row.id)
    }
    const past = await locate(expected.length)
    expect(past).toMatchObject({ total: expected.length, skip: null })
  }

  it('is the naive sort, whatever comes, goes, moves, hides or reappears', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        emptyTheStore()
        const rows = new Map<number, Row>()
        for (const [at, next] of steps.entries()) {
          if (next.kind === 'count') {
            await counter.version()
            continue
          }
          if (next.kind === 'add') {
            const row = { id: at + 1, updatedAt: next.at, listed: true }
            rows.set(row.id, row)
            await put(null, row)
            continue
          }
          const before = [...rows.values()][next.which % Math.max(rows.size, 1)]
          if (before === undefined) continue
          const after = {
            remove: null,
            toggle: { ...before, listed: !before.listed },
            touch: { ...before, updatedAt: 'at' in next ? next.at : 0 },
          }[next.kind]
          if (after === null) rows.delete(before.id)
          else rows.set(after.id, after)
          await put(before, after)
        }
        await expectSameAs([...rows.values()])
      }),
      { numRuns: 60 },
    )
  })

  it('stays right as it grows at the front and is emptied from either end', async () => {
    const rows = Array.from({ length: 100 }, (_, at): Row => ({
      id: at + 1,
      updatedAt: at,
      listed: true,
    }))
    for (const row of rows) await put(null, row)
    await expectSameAs(rows)
    for (const row of rows.slice(0, 40)) await put(row, null)
    await expectSameAs(rows.slice(40))
    for (const row of rows.slice(60).toReversed()) await put(row, null)
    await expectSameAs(rows.slice(40, 60))
    for (const row of rows.slice(40, 60)) await put(row, null)
    await expectSameAs([])
    expect(blocks()).toEqual([{ at: 0, id: 0, size: 0 }])
  })

  it('splits what many changes have made of one block, however many were counted at once', async () => {
    const rows = Array.from({ length: 100 }, (_, at): Row => ({
      id: at + 1,
      updatedAt: at >> 2,
      listed: true,
    }))
    for (const row of rows) await put(null, row)
    expect(blocks()).toEqual([{ at: 0, id: 0, size: 0 }])
    await expectSameAs(rows)
    // The older ones are three quarters full: most packs come at the newer end.
    expect(blocks().map(({ size }) => size)).toEqual([...Array(16).fill(6), 4])
  })

  it('joins two neighbours as soon as they fit in half a block, and no sooner', async () => {
    const rows = Array.from({ length: 9 }, (_, at): Row => ({
      id: at + 1,
      updatedAt: at,
      listed: true,
    }))
    for (const row of rows) await put(null, row)
    const seen: number[][] = []
    for (const row of [null, ...rows.toReversed()]) {
      if (row !== null) await put(row, null)
      await counter.version()
      seen.push(blocks().map(({ size }) => size))
    }
    expect(seen).toEqual([[6, 3], [6, 2], [6, 1], [6, 0], [5, 0], [4], [3], [2], [1], [0]])
  })

  it('adds every pending change to its block once, and gives it the number of its version', async () => {
    const rows = [5, 3, 9].map((updatedAt, at): Row => ({ id: at + 1, updatedAt, listed: true }))
    const [before] = (await counter.version()).split('.')
    for (const row of rows) await put(null, row)
    const [value, mark] = (await counter.version()).split('.')
    await put(rows[0]!, { ...rows[0]!, updatedAt: 12 })
    const last = Number.parseInt(await counter.version(), 10)
    const noted = file.reader
      .prepare('select seq, slug, mark_before as mark from public_change order by seq')
      .all()
    const first = Number(before) + 1
    expect([Number(value), last]).toEqual([first + 2, first + 3])
    expect(noted.map((row) => ({ ...row }))).toEqual([
      { seq: first, slug: '1', mark: '' },
      { seq: first + 1, slug: '2', mark: null },
      { seq: first + 2, slug: '3', mark: null },
      { seq: first + 3, slug: '1', mark },
    ])
  })

  it('counts a long backlog in portions, and every page is exact meanwhile', async () => {
    const rows = Array.from({ length: 50 }, (_, at): Row => ({
      id: at + 1,
      updatedAt: (at * 7) % 11,
      listed: true,
    }))
    for (const row of rows) await put(null, row)
    counter = createChangeCounter(engine, { largest: LARGEST, atOnce: 20 })
    const pending: number[] = []
    for (let left = 50; left > 0; pending.push(left)) {
      const version = await counter.version()
      await expectPlaces(rows)
      left = (await list.readState(engine.db)).pending
      if (left === 0) expect(await counter.version()).toBe(version)
    }
    expect(pending).toEqual([30, 10, 0])
    await expectSameAs(rows)
    const noted = file.reader.prepare('select seq from public_change order by seq').all()
    expect(noted.map(({ seq }) => Number(seq) - Number(noted[0]!['seq']))).toEqual(
      rows.map((_, at) => at),
    )
  })

  it('counts nothing of a transaction that fails', async () => {
    const row = { id: 1, updatedAt: 5, listed: true }
    await expect(
      engine.write('packs', async (tx) => {
        await tx.replaceInto('pack').values(columnsOf(row)).execute()
        await list.move(tx, '1', null, row)
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    await expectSameAs([])
  })

  it('reads a page through the index, without sorting and without a look at skipped packs', () => {
    const plan = file.reader
      .prepare(
        `explain query plan select slug from pack where visibility = 'public' and hidden_at is null
         and (updated_at, id) < (?, ?) order by updated_at desc, id desc limit 50 offset 1000`,
      )
      .all(1, 1)
      .map(({ detail }) => String(detail))
    expect(plan).toEqual(['SEARCH pack USING INDEX pack_public (updated_at<?)'])
  })

  it('is not written by a look at its version where nothing is pending', async () => {
    await put(null, { id: 1, updatedAt: 1, listed: true })
    let writes = 0
    const counting: typeof engine = {
      ...engine,
      write: (...asked) => {
        writes += 1
        return engine.write(...asked)
      },
      tryWrite: (...asked) => {
        writes += 1
        return engine.tryWrite(...asked)
      },
    }
    const own = createChangeCounter(counting, { largest: LARGEST })
    const first = await own.version()
    expect(writes).toBe(1)
    expect([await own.version(), await own.version()]).toEqual([first, first])
    await own.countInTurn()
    expect(writes).toBe(1)
  })
})
