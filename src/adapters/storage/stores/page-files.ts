import type { PageFile, PageFiles } from '../../../ports/store.ts'
import type { Db, Engine } from '../engine.ts'

/** Bytes that are written in one transaction: others wait for it. */
const BATCH_BYTES = 524_288

/** The built files of the pages in an SQL database. */
export const createPageFiles = ({ db, write }: Engine): PageFiles => ({
  async publish(files, now, keep) {
    const known = new Set(await listPaths(db))
    for (const batch of batchesOf(files.filter(({ path }) => !known.has(path)))) {
      await write('pages', (tx) => insert(tx, batch, now))
    }
    const own = files.map(({ path }) => path)
    await write('pages', async (tx) => {
      await tx
        .updateTable('page_file')
        .set({ published_at: now })
        .where('path', 'in', [...own, ''])
        .where('published_at', '<', now)
        .execute()
      await removeOld(tx, new Set(own), keep)
    })
  },

  list: () => listPaths(db),

  async read(path) {
    const row = await db
      .selectFrom('page_file')
      .select('bytes')
      .where('path', '=', path)
      .executeTakeFirst()
    return row?.bytes ?? null
  },
})

const listPaths = async (db: Db): Promise<readonly string[]> => {
  const rows = await db.selectFrom('page_file').select('path').execute()
  return rows.map(({ path }) => path)
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

const insert = async (tx: Db, files: readonly PageFile[], now: number): Promise<void> => {
  await tx
    .insertInto('page_file')
    .values(
      files.map(({ path, bytes }) => ({ path, bytes, size: bytes.length, published_at: now })),
    )
    // Another process of this version may start at the same time.
    .onConflict((conflict) => conflict.column('path').doNothing())
    .execute()
}

const removeOld = async (
  tx: Db,
  own: ReadonlySet<string>,
  keep: { readonly since: number; readonly bytes: number },
): Promise<void> => {
  const all = await tx
    .selectFrom('page_file')
    .select(['path', 'size', 'published_at'])
    .orderBy('published_at', 'desc')
    .orderBy('path')
    .execute()
  const mine = all.filter(({ path }) => own.has(path))
  let bytes = mine.reduce((sum, { size }) => sum + size, 0)
  const old: string[] = []
  for (const file of all.filter(({ path }) => !own.has(path))) {
    bytes += file.size
    if (file.published_at < keep.since || bytes > keep.bytes) old.push(file.path)
  }
  if (old.length > 0) await tx.deleteFrom('page_file').where('path', 'in', old).execute()
}
