import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { StoreCare } from '../../src/ports/store.ts'

/**
 * Everything that a store keeps, as its backup has it, table by table.
 *
 * @param except tables that are left out.
 */
export const dumpStore = async (
  care: StoreCare,
  folder: string,
  except: readonly string[] = [],
): Promise<ReadonlyMap<string, string>> => {
  const file = join(folder, 'dump.db')
  await care.backup(file)
  using database = new DatabaseSync(file, { readOnly: true })
  const tables = database
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
    .all()
    .map(({ name }) => String(name))
  const dump = new Map<string, string>()
  for (const table of tables.filter((name) => !except.includes(name))) {
    const rows = database.prepare(`select * from "${table}"`).all()
    dump.set(table, JSON.stringify(rows.map((row) => JSON.stringify(row)).toSorted()))
  }
  database.close()
  await rm(file)
  return dump
}
