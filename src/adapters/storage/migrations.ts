import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

export type Migration = { readonly name: string; readonly sql: string; readonly hash: string }

/** This version's migrations in the order of their names. */
export async function readMigrations(directory: URL): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      // A checkout may have changed the line ends; the migration is the same.
      const sql = (await readFile(new URL(name, directory), 'utf8')).replaceAll('\r\n', '\n')
      return { name, sql, hash: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/**
 * The migrations that a store lacks, by the `recorded` hashes of those that it was made with.
 *
 * @param isFatal which unknown names show that the store is too new.
 * @throws when the store was made by a newer version, or by other migrations than these.
 */
export function findMissing(
  recorded: ReadonlyMap<string, string>,
  migrations: readonly Migration[],
  isFatal: (name: string) => boolean = () => true,
): Migration[] {
  const names = new Set(migrations.map(({ name }) => name))
  const unknown = [...recorded.keys()].find((name) => !names.has(name) && isFatal(name))
  if (unknown !== undefined) {
    throw new Error(
      `The store was made by a newer version (${unknown} is not known here): update this ` +
        'installation, or restore the backup that was made before the upgrade',
    )
  }
  const changed = migrations.find(({ name, hash }) => (recorded.get(name) ?? hash) !== hash)
  if (changed !== undefined) {
    throw new Error(
      `Migration ${changed.name} is not the one that this store was made with: restore the file as ` +
        'it was, and put changes into a new migration',
    )
  }
  return migrations.filter(({ name }) => !recorded.has(name))
}
