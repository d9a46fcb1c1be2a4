import { beforeAll, describe, expect, inject, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import type { Tables } from '../../../src/adapters/storage/tables.ts'
import { aNewPack } from '../sample-pack.ts'
import { addOwners, type TempStore, withStore } from '../temp-store.ts'

type Column<T extends keyof Tables> = keyof Tables[T] & string

/** The column of a version that has what is in a column of its pack; null: it is no part of a version. */
const keptAs: Readonly<Record<Column<'pack'>, Column<'pack_version'> | null>> = {
  id: 'pack_id',
  version: 'version',
  version_at: 'saved_at',
  version_hidden: 'is_hidden',
  visibility: 'visibility',
  description: 'description',
  other_fields: 'other_fields',
  pack_key: 'pack_key',
  // The pack key has them.
  name: null,
  slots: null,
  buckets: null,
  // The same in every version.
  slug: null,
  owner_id: null,
  created_at: null,
  // No save sets them, or they follow from the rest.
  updated_at: null,
  content_hash: null,
  exports: null,
  hidden_at: null,
  hidden_reason: null,
  suspended: null,
  pinned_rank: null,
  stats: null,
  history_public: null,
  stats_due_at: null,
  stats_lease_until: null,
  stats_lease_token: null,
  stats_attempts: null,
  ask_again_at: null,
}

/** What a pack has before, and another value that its column takes, as SQL. */
const values: Readonly<Partial<Record<Column<'pack'>, readonly [string, string]>>> = {
  version_at: ['1001', '1002'],
  version_hidden: ['0', '1'],
  visibility: ["'public'", "'private'"],
  description: ["'before'", "'after'"],
  other_fields: [`'{"a":1}'`, `'{"a":2}'`],
  pack_key: ["'pk1.before'", "'pk1.after'"],
}
const given = Object.entries(values)
const kept = Object.entries(keptAs).filter(([, column]) => column !== null)

describe('the versions of packs', () => {
  let store: TempStore
  let stores: Stores
  withStore(beforeAll, async (opened) => {
    ;({ store, one: stores } = opened)
    await addOwners(stores)
  })

  const columnsOf = async (table: string): Promise<Set<unknown>> => {
    const rows = await store.query(
      inject('engine') === 'sqlite'
        ? `select name from pragma_table_info('${table}')`
        : `select column_name as name from information_schema.columns
           where table_schema = current_schema() and table_name = '${table}'`,
    )
    return new Set(rows.map(({ name }) => name))
  }

  it('have a column for each that a save changes, and no others', async () => {
    expect(await columnsOf('pack')).toEqual(new Set(Object.keys(keptAs)))
    expect(await columnsOf('pack_version')).toEqual(new Set(kept.map(([, to]) => to)))
    // Which pack and which number it is changes in no save alone.
    expect(new Set(['id', 'version', ...given.map(([from]) => from)])).toEqual(
      new Set(kept.map(([from]) => from)),
    )
  })

  it.each(given)('have the %s that was there before it alone changed', async (column, [, next]) => {
    const pack = aNewPack()
    await stores.packs.create(pack, null)
    const set = async (columns: string): Promise<void> => {
      await store.query(`update pack set ${columns} where slug = '${pack.slug}'`)
    }
    const select = kept.map(([from, to]) => `${from} as ${to}`).join(', ')
    const read = async () =>
      (await store.query(`select ${select} from pack where slug = '${pack.slug}'`))[0]
    await set(given.map(([each, [before]]) => `${each} = ${before}`).join(', '))
    const states = [await read()]
    await set(`${column} = ${next}, version = 2`)
    states.push(await read())
    await set('version = 3')
    const versions = await store.query(
      `select * from pack_version where pack_id = ${String(states[0]?.['pack_id'])} order by version`,
    )
    expect(versions).toEqual(states)
    const [first, second] = versions.map((version) => version[keptAs[column as Column<'pack'>]!])
    expect(first).not.toEqual(second)
  })
})
