import { sql } from 'kysely'
import type { PageFile, PageFiles } from '../../../ports/store.ts'
import type { Db, Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** Bytes that are written in one transaction: others wait for it. */
const BATCH_BYTES = 524_288

export function createPageFiles({ db, write }: Engine): PageFiles {
  const list = async (): Promise<string[]> => {
    const rows = await db.selectFrom('page_file').select('path').execute()
    return rows.map(({ path }) => path)
  }

  return {
    list,

    async publish(files, now, keep) {
      const present = new Set(await list())
      for (const batch of batchesOf(files.filter(({ path }) => !present.has(path)))) {
        await write('pages', (tx) => insert(tx, batch, now))
      }
      const own = new Set(files.map(({ path }) => path))
      await write('pages', async (tx) => {
        await sql`
          update page_file set published_at = ${now}
          where path in (${sql.join([...own, ''])}) and published_at < ${now}`.execute(tx)
        await removeOld(tx, own, keep)
      })
    },

    async read(path) {
      const file = db.selectFrom('page_file').select('bytes').where('path', '=', path)
      return (await file.executeTakeFirst())?.bytes ?? null
    },
  }
}

function* batchesOf(files: readonly PageFile[]): Generator<readonly PageFile[]> {
  let batch: PageFile[] = []
  let bytes = 0
  for (const file of files) {
    if (batch.length > 0 && bytes + file.bytes.length > BATCH_BYTES) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(file)
    bytes += file.bytes.length
  }
  if (batch.length > 0) yield batch
}

async function insert(tx: Db, files: readonly PageFile[], now: number): Promise<void> {
  await tx
    .insertInto('page_file')
    .values(
      files.map(({ path, bytes }) => ({ path, bytes, size: bytes.length, published_at: now })),
    )
    // Another process of this version may start at the same time.
    .onConflict((conflict) => conflict.column('path').doNothing())
    .execute()
}

async function removeOld(
  tx: Db,
  own: ReadonlySet<string>,
  keep: { readonly since: number; readonly bytes: number },
): Promise<void> {
  const { rows: all } = await sql<Omit<Tables['page_file'], 'bytes'>>`
    select path, size, published_at from page_file order by published_at desc, path`.execute(tx)
  let bytes = all.reduce((sum, { path, size }) => sum + (own.has(path) ? size : 0), 0)
  const old: string[] = []
  for (const { path, size, published_at } of all) {
    if (own.has(path)) continue
    bytes += size
    if (published_at < keep.since || bytes > keep.bytes) old.push(path)
  }
  if (old.length > 0) await tx.deleteFrom('page_file').where('path', 'in', old).execute()
}
