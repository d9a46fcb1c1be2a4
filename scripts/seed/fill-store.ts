import { randomUUID } from 'node:crypto'
import type { Db } from '../../src/adapters/storage/engine.ts'
import type { Tables } from '../../src/adapters/storage/tables.ts'
import { StartupError } from '../../src/main/startup-error.ts'
import { appendPacks } from './append-packs.ts'
import { accountAt, packAt, slugAt } from './made-up-packs.ts'
import { makeScene, type Scene } from './made-up-scene.ts'
import type { BulkStore } from './open-bulk-store.ts'

export type Wish = { readonly packs: number; readonly accounts: number }

/** Rows that go in at once: engines bound how many values a query takes. */
const AT_ONCE = 500
/** More made-up packs would be of a time to come. */
export const MOST_PACKS = 3_000_000
export const MOST_PACKS_AN_ACCOUNT = 20

const portions = function* (from: number, to: number): Generator<number[]> {
  for (let first = from; first < to; first += AT_ONCE) {
    yield Array.from({ length: Math.min(AT_ONCE, to - first) }, (_, at) => first + at)
  }
}

const count = async (db: Db, table: 'account' | 'pack'): Promise<number> => {
  const counted = db.selectFrom(table).select((eb) => eb.fn.countAll<number>().as('rows'))
  return (await counted.executeTakeFirstOrThrow()).rows
}

/** Accounts, the system's aside, and packs. */
const countBoth = async (db: Db): Promise<Wish> => ({
  accounts: (await count(db, 'account')) - 1,
  packs: await count(db, 'pack'),
})

/**
 * How far the same wish has come before. Accounts come first, each portion of packs whole: a number
 * of rows, the last of them and the first tell it.
 *
 * @throws StartupError when the store holds anything else.
 */
const findPlace = async (db: Db, wish: Wish): Promise<Wish> => {
  const there = await countBoth(db)
  const has = async (table: 'account' | 'pack', column: 'id' | 'slug', value: string) => {
    const found = db
      .selectFrom(table)
      .select('id')
      .where(column as 'id', '=', value as never)
    return (await found.executeTakeFirst()) !== undefined
  }
  const hasAccounts = async (): Promise<boolean> =>
    there.accounts <= wish.accounts &&
    (await has('account', 'id', accountAt(0).id)) &&
    (await has('account', 'id', accountAt(there.accounts - 1).id))
  const hasPacks = async (): Promise<boolean> =>
    there.accounts === wish.accounts &&
    there.packs <= wish.packs &&
    (await has('pack', 'slug', slugAt(0))) &&
    (await has('pack', 'slug', slugAt(there.packs - 1)))
  const isOurs =
    (there.accounts === 0 || (await hasAccounts())) && (there.packs === 0 || (await hasPacks()))
  if (isOurs) return there
  throw new StartupError(
    `the store holds ${there.packs} packs and ${there.accounts} accounts that this does not make; give an empty store, or the numbers that it was begun with`,
  )
}

const inPortions = async <T>(
  rows: readonly T[],
  insert: (rows: readonly T[]) => Promise<unknown>,
) => {
  for (let first = 0; first < rows.length; first += AT_ONCE) {
    await insert(rows.slice(first, first + AT_ONCE))
  }
}

/** What the platform said of the beatmaps, as it would be remembered. */
const keepScene = async ({ engine }: BulkStore, scene: Scene, now: number): Promise<void> => {
  const beatmaps = scene.beatmaps.map((beatmap): Tables['beatmap'] => ({
    id: beatmap.id,
    known_at: now,
    details: JSON.stringify(beatmap),
    is_public: 1,
  }))
  const ratings = scene.ratings.map(({ key, stars }): Tables['rating'] => ({
    beatmap_id: key.beatmapId,
    ruleset: key.ruleset,
    mods: key.mods.join(','),
    known_at: now,
    stars,
    verdict: null,
    nones: 0,
    is_public: 1,
  }))
  await engine.write('beatmaps', async (tx) => {
    await tx.deleteFrom('beatmap').execute()
    await tx.deleteFrom('rating').execute()
    await inPortions(beatmaps, (rows) => tx.insertInto('beatmap').values(rows).execute())
    await inPortions(ratings, (rows) => tx.insertInto('rating').values(rows).execute())
    // Processes that have read the tables before read them again.
    const mark = randomUUID()
    await tx
      .insertInto('shared_number')
      .values({ name: 'beatmap_version', value: 0, mark })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ mark }))
      .execute()
  })
}

/**
 * Fills an empty store, or goes on where the same wish was cut short. The store is then as if the
 * players had saved their packs one by one and the worker had computed all stats.
 *
 * @param now ms since the epoch: when the platform said what it says of the beatmaps.
 * @param onPacks hears how many packs are there.
 * @throws StartupError when the store holds anything else.
 */
export const fillStore = async (
  store: BulkStore,
  wish: Wish,
  now: number,
  onPacks: (packs: number) => void = () => {},
): Promise<void> => {
  const { engine } = store
  const there = await findPlace(engine.db, wish)
  const scene = makeScene()
  if (there.packs === 0) await keepScene(store, scene, now)
  for (const numbers of portions(there.accounts, wish.accounts)) {
    const accounts = numbers.map(accountAt).map(({ id, gameId, username, createdAt }) => ({
      id,
      game_id: gameId,
      username,
      created_at: createdAt,
    }))
    await engine.write('packs', (tx) => tx.insertInto('account').values(accounts).execute())
  }
  for (const numbers of portions(there.packs, wish.packs)) {
    await appendPacks(
      store,
      numbers.map((number) => packAt(number, wish.accounts, scene)),
    )
    onPacks((numbers.at(-1) ?? 0) + 1)
  }
  if (there.packs < wish.packs) await store.settle()
}
