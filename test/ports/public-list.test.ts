import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ListKey } from '../../src/adapters/storage/list-key.ts'
import { createPublicList, type PublicList } from '../../src/adapters/storage/public-list.ts'
import { createSqliteEngine, type SqliteEngine } from '../../src/adapters/storage/sqlite-engine.ts'
import { openSqliteFile, type SqliteFile } from '../../src/adapters/storage/sqlite-file.ts'
import { SQLITE_MIGRATIONS } from '../../src/adapters/storage/sqlite-migrations.ts'
import { tempSqliteStore, type SqliteTempStore } from './temp-store.ts'

// Blocks of 8 instead of 1,024: everything that happens to a large list happens to a small one.
const LARGEST = 8

type Step =
  | { readonly kind: 'add'; readonly at: number; readonly listed: boolean }
  | { readonly kind: 'touch'; readonly which: number; readonly at: number }
  | { readonly kind: 'toggle'; readonly which: number }
  | { readonly kind: 'remove'; readonly which: number }

// Few different times, so that many packs share one, and the clock steps back all the time.
const time = fc.integer({ min: 0, max: 12 })
const which = fc.nat({ max: 1000 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('add'), at: time, listed: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('touch'), which, at: time }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('toggle'), which }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove'), which }) },
)

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
    list = createPublicList(engine.db, LARGEST)
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
    engine.write(async (tx) => {
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
    expect(sizes.length).toBeLessThanOrEqual((8 * expected.length) / LARGEST + 2)
  }

  it('is the naive sort, whatever comes, goes, moves, hides or reappears', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 120 }), async (steps) => {
        emptyTheStore()
        const rows = new Map<number, Row>()
        let lastId = 0
        for (const next of steps) {
          if (next.kind === 'add') {
            lastId += 1
            const row = { id: lastId, updatedAt: next.at, listed: next.listed }
            await put(null, row)
            rows.set(row.id, row)
            continue
          }
          const before = [...rows.values()][next.which % Math.max(rows.size, 1)]
          if (before === undefined) continue
          if (next.kind === 'remove') {
            await put(before, null)
            rows.delete(before.id)
            continue
          }
          const after =
            next.kind === 'touch'
              ? { ...before, updatedAt: next.at }
              : { ...before, listed: !before.listed }
          await put(before, after)
          rows.set(after.id, after)
        }
        await expectSameAs(rows.values())
      }),
      { numRuns: 40 },
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

  it('counts nothing of a transaction that fails', async () => {
    const row = { id: 1, updatedAt: 5, listed: true }
    await expect(
      engine.write(async (tx) => {
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
