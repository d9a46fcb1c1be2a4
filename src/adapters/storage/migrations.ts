import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

/** A command that fills a store, which is not served before all is there. */
export type Filler = 'backup' | 'copy' | 'restore'

/**
 * Begins the name of an entry among the migrations of a store that is being filled, and is the first thing in it: what
 * opens a store reads these before it does anything.
 */
export const UNFINISHED = 'unfinished-'

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

export const isUnfinished = (recorded: ReadonlyMap<string, string>): boolean =>
  [...recorded.keys()].some((name) => name.startsWith(UNFINISHED))

export const NAME_A_STORE = 'name a store, or a file that "backup" wrote'
export const IN_USE = 'a server or another command uses it; stop that first'
export const SOURCE_IN_USE =
  'a server or another command uses it, and what that saves from now on would not be copied; stop it first, or let ' +
  'nothing be changed meanwhile: mapcrate-server read-only on'
export const NOT_EMPTY = 'it is not empty; name a new file or a new database'

/** What operators have decided in a store that has no players yet; each is copied, and would be lost to a copy. */
const decisions = ['moderator', 'suspension', 'operator_state', 'moderation_log']

/** Finds a row of a store in which nothing may be changed. */
export const FIND_READ_ONLY = "select 1 from operator_state where name = 'read_only'"

/**
 * Finds a row of a store that is not empty: an account other than the system's, or what an operator has decided.
 *
 * @param tables those that the store has; one of an older version has fewer.
 */
export const findContent = (tables: readonly string[]): string =>
  [
    'select 1 from (select 1 from account limit 1 offset 1) as players',
    ...decisions.filter((name) => tables.includes(name)).map((name) => `select 1 from ${name}`),
  ].join(' union all ') + ' limit 1'

/**
 * The migrations that a store lacks, by the `recorded` hashes of those that it was made with.
 *
 * @param filler is what opens a store that is being filled.
 * @param isFatal which unknown names show that the store is too new.
 * @throws when the store was made by a newer version, or by other migrations than these, or holds only a part of what
 *   is to be copied to it.
 */
export function findMissing(
  recorded: ReadonlyMap<string, string>,
  migrations: readonly Migration[],
  filler?: Filler,
  isFatal: (name: string) => boolean = () => true,
): Migration[] {
  const names = new Set(migrations.map(({ name }) => name))
  const others = [...recorded.keys()].filter((name) => !names.has(name))
  const mark = others.find((name) => name.startsWith(UNFINISHED))
  if (mark !== undefined && filler === undefined) {
    const command = mark.slice(UNFINISHED.length)
    throw new Error(
      `a ${command} to this store was broken off: run mapcrate-server ${command} again to finish it`,
    )
  }
  const unknown = others.find((name) => name !== mark && isFatal(name))
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

/**
 * What a store that is copied from lacks, of which all must be known here: a column that is not would be lost.
 *
 * @throws as `findMissing`, and when there is no store.
 */
export function findMissingOfSource(
  recorded: ReadonlyMap<string, string>,
  migrations: readonly Migration[],
): Migration[] {
  if (isUnfinished(recorded) || migrations.some(({ name }) => recorded.has(name))) {
    return findMissing(recorded, migrations)
  }
  throw new Error(`there is no store of Mapcrate in it; ${NAME_A_STORE}`)
}
