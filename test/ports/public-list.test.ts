import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSqliteEngine, type SqliteEngine } from '../../src/adapters/storage/sqlite/engine.ts'
import {
  openSqliteFile,
  SQLITE_MIGRATIONS,
  type SqliteFile,
} from '../../src/adapters/storage/sqlite/file.ts'
import {
  createPublicList,
  type ListKey,
  type PublicList,
} from '../../src/adapters/storage/stores/public-list.ts'
import { type SqliteTempStore, tempSqliteStore } from './temp-store.ts'

// Blocks of 8 instead of 1,024: everything that happens to a large list happens to a small one.
const LARGEST = 8

// Few different times, so that many packs share one, and the clock steps back all the time.
const time = fc.integer({ min: 0, max: 12 })
const which = fc.nat({ max: 1000 })
const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), at: time }),
  fc.record({ kind: fc.constant('touch' as const), which, at: time }),
  fc.record({ kind: fc.constant('toggle' as const), which }),
  fc.record({ kind: fc.constant('remove' as const), which }),
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

  beforeEach(async () => {
    store = await tempSqliteStore()
    file = await openSqliteFile(store.file, SQLITE_MIGRATIONS, 1000)
    file.writer.exec('pragma synchronous = off')
    engine = createSqliteEngine(file, 1000)
    list = createPublicList(LARGEST)
  })

  afterEach(async () => {
    file.reader.close()
    file.watcher.close()
    file.writer.close()
    await store.remove()
  })

  const emptyTheStore = () =>
    file.writer.exec(
      'delete from pack; delete from public_block where first_id > 0; update public_block set size = 0',
    )

  type Row = ListKey & { listed: boolean }
  const keyOf = (row: Row | null): ListKey | null => (row?.listed ? row : null)

  /** Writes the row as it is to be and counts it, as the pack store does. */
  const put = (before: Row | null, after: Row | null): Promise<void> =>
    engine.write('packs', async (tx) => {
      const id = (before ?? after)?.id ?? 0
      if (after === null) await tx.deleteFrom('pack').where('id', '=', id).execute()
      else await tx.replaceInto('pack').values(columnsOf(after)).execute()
      await list.move(tx, keyOf(before), keyOf(after))
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

  const newestFirst = (rows: Iterable<Row>): Row[] =>
    [...rows]
      .filter(({ listed }) => listed)
      .toSorted((a, b) => b.updatedAt - a.updatedAt || b.id - a.id)

  /** Every place of the list, as `locate` says it and the index then gives it. */
  const expectSameAs = async (rows: Iterable<Row>): Promise<void> => {
    const expected = newestFirst(rows)
    const found = file.reader.prepare(
      `select id from pack where visibility = 'public' and hidden_at is null
       and (updated_at, id) < (?, ?) order by updated_at desc, id desc limit 1 offset ?`,
    )
    for (const [offset, row] of expected.entries()) {
      const { total, under, skip } = await list.locate(engine.db, offset)
      expect(total).toBe(expected.length)
      expect(skip).toBeLessThan(LARGEST)
      expect(found.get(under.updatedAt, under.id, skip)?.['id']).toBe(row.id)
    }
    const past = await list.locate(engine.db, expected.length)
    expect(past).toMatchObject({ total: expected.length, skip: null })

    const sizes = blocks().map(({ size }) => size)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(LARGEST)
    // Two sparse neighbours never stay apart, so the blocks do not pile up.
    const isSparse = (size: number | undefined) => size !== undefined && size <= LARGEST / 4
    const pairs = sizes.map((size, at) => [size, sizes[at + 1]])
    expect(pairs.filter((pair) => pair.every(isSparse))).toEqual([])
  }

  it('is the naive sort, whatever comes, goes, moves, hides or reappears', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        emptyTheStore()
        const rows = new Map<number, Row>()
        for (const [at, next] of steps.entries()) {
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
        await expectSameAs(rows.values())
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

  it('joins two neighbours as soon as they fit in half a block, and no sooner', async () => {
    const rows = Array.from({ length: 9 }, (_, at): Row => ({
      id: at + 1,
      updatedAt: at,
      listed: true,
    }))
    const sizes = () => blocks().map(({ size }) => size)
    /** Beginning with blocks of 4 and 5, takes from either so often; the sizes after each. */
    const takenFrom = async (order: readonly ('older' | 'newer')[]): Promise<number[][]> => {
      emptyTheStore()
      for (const row of rows) await put(null, row)
      expect(sizes()).toEqual([4, 5])
      const left = { older: rows.slice(0, 4), newer: rows.slice(4) }
      const seen: number[][] = []
      for (const block of order) {
        await put(left[block].pop()!, null)
        seen.push(sizes())
      }
      return seen
    }
    expect(await takenFrom(['older', 'older', 'newer', 'older', 'older'])).toEqual([
      [3, 5],
      [2, 5],
      [2, 4],
      [1, 4],
      [4],
    ])
    // A block of more than a quarter does not look for a neighbour.
    expect(await takenFrom(['older', 'older', 'older', 'newer', 'newer', 'newer'])).toEqual([
      [3, 5],
      [2, 5],
      [1, 5],
      [1, 4],
      [1, 3],
      [3],
    ])
  })

  it('counts nothing of a transaction that fails', async () => {
    const row = { id: 1, updatedAt: 5, listed: true }
    await expect(
      engine.write('packs', async (tx) => {
        await tx.replaceInto('pack').values(columnsOf(row)).execute()
        await list.move(tx, null, row)
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
})
