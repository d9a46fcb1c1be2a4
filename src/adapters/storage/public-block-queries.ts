import { type ExpressionBuilder, sql } from 'kysely'
import type { Db } from './engine.ts'
import { prepareQuery } from './prepared-query.ts'
import type { ListKey } from './list-key.ts'
import type { Tables } from './tables.ts'

type Blocks = ExpressionBuilder<Tables, 'public_block'>

/** The queries behind the public list's blocks, compiled once. */
export const publicBlockQueries = (db: Db) => {
  const blocks = db
    .selectFrom('public_block')
    .select(['first_updated_at as updatedAt', 'first_id as id', 'size'])
  const start = (eb: Blocks) => eb.refTuple('first_updated_at', 'first_id')
  const newestFirst = blocks.orderBy('first_updated_at', 'desc').orderBy('first_id', 'desc')
  const oldestFirst = blocks.orderBy('first_updated_at').orderBy('first_id')

  return {
    newestFirst: prepareQuery(() => newestFirst),

    /** The block that a key belongs to. */
    at: prepareQuery((key: ListKey) =>
      newestFirst.where((eb) => eb(start(eb), '<=', eb.tuple(key.updatedAt, key.id))).limit(1),
    ),

    /** The next older block. */
    before: prepareQuery((key: ListKey) =>
      newestFirst.where((eb) => eb(start(eb), '<', eb.tuple(key.updatedAt, key.id))).limit(1),
    ),

    /** The next newer block. */
    after: prepareQuery((key: ListKey) =>
      oldestFirst.where((eb) => eb(start(eb), '>', eb.tuple(key.updatedAt, key.id))).limit(1),
    ),

    insert: prepareQuery((block: ListKey & { size: number }) =>
      db.insertInto('public_block').values({
        first_updated_at: block.updatedAt,
        first_id: block.id,
        size: block.size,
      }),
    ),

    setSize: prepareQuery((block: ListKey & { size: number }) =>
      db
        .updateTable('public_block')
        .set('size', block.size)
        .where('first_updated_at', '=', block.updatedAt)
        .where('first_id', '=', block.id),
    ),

    remove: prepareQuery((key: ListKey) =>
      db
        .deleteFrom('public_block')
        .where('first_updated_at', '=', key.updatedAt)
        .where('first_id', '=', key.id),
    ),

    /** The key that stands `skip` places behind a block's start, oldest first. */
    keyBehind: prepareQuery((from: ListKey & { skip: number }) =>
      db
        .selectFrom('pack')
        .select(['updated_at as updatedAt', 'id'])
        .where('visibility', '=', sql.lit('public'))
        .where('hidden_at', 'is', null)
        .where((eb) => eb(eb.refTuple('updated_at', 'id'), '>=', eb.tuple(from.updatedAt, from.id)))
        .orderBy('updated_at')
        .orderBy('id')
        .limit(1)
        .offset(from.skip),
    ),
  }
}
