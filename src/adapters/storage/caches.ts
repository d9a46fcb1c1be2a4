import type { DatabaseSync } from 'node:sqlite'
import { SYSTEM_ACCOUNT_ID } from '../../domain/accounts.ts'
import { BoundedMap } from '../../domain/loading.ts'
import type { Cache, CacheTag } from './engine.ts'
import type { Tables } from './tables.ts'

// Which rows make what is in memory old, for both engines. SQLite makes triggers of it whenever it opens a file; for
// PostgreSQL they are in `migrations/`, and a test compares: after a change here, a migration replaces them.

/** What a change of a row touches, in the SQL that both engines have. */
export type TouchRule = {
  readonly table: keyof Tables
  /** Updates that leave these as they are touch nothing. Left out: no update does. */
  readonly columns?: readonly string[]
  /** Expressions for the tags that a row has; null is no tag. */
  readonly tags: (row: string) => readonly string[]
  /** What the expressions select from besides; `each` returns the items of a JSON array as rows with the column `value`. */
  readonly from?: (row: string, each: (json: string) => string) => string
  /** A new row touches nothing: what the expressions select from has nothing of it. */
  readonly isQuietWhenNew?: true
  /** Written many at a time: PostgreSQL notes them together. */
  readonly isOfMany?: true
}

const words = (...lines: readonly string[]): string[] => lines.flatMap((line) => line.split(' '))

const isListed = (row: string): string =>
  `${row}.visibility = 'public' and ${row}.hidden_at is null`

export const touchRules: readonly TouchRule[] = [
  {
    table: 'pack',
    // The rest is the queue of the worker.
    columns: words(
      'slug owner_id name visibility description other_fields slots buckets pack_key content_hash exports',
      'hidden_at hidden_reason pinned_rank stats history_public version version_at version_hidden updated_at',
    ),
    tags: (row) => [
      `'pack ' || ${row}.slug`,
      `'owner ' || ${row}.owner_id`,
      `case when ${isListed(row)} then 'list' end`,
      `case when ${row}.pinned_rank is not null then 'pins' end`,
      `case when ${row}.owner_id = '${SYSTEM_ACCOUNT_ID}' then (
        select 'tournament ' || tournament from tournament_round where pack_slug = ${row}.slug) end`,
    ],
  },
  {
    // What is shown of the pack where its beatmaps were used.
    table: 'pack',
    columns: words('slug owner_id name visibility hidden_at updated_at'),
    tags: () => [`'use ' || value`],
    from: (row, each) => `search_pack, ${each('search_pack.beatmaps')} where pack_id = ${row}.id`,
    isQuietWhenNew: true,
  },
  {
    table: 'beatmap_use',
    columns: words('beatmap_id pack_id mod slot_index'),
    tags: (row) => [`'use ' || ${row}.beatmap_id`],
    isOfMany: true,
  },
  {
    table: 'account',
    columns: words('game_id username language'),
    tags: (row) => [`'names'`, `'account ' || ${row}.id`],
  },
  { table: 'moderator', tags: () => [`'moderators'`] },
  {
    table: 'api_key',
    columns: words('account_id service hash'),
    tags: (row) => [`'key ' || ${row}.hash`],
  },
  {
    table: 'session',
    columns: words('hash account_id service csrf created_at last_seen_at'),
    tags: (row) => [`'session ' || ${row}.hash`],
  },
  {
    table: 'tournament',
    columns: ['mark'],
    tags: (row) => [`'tournament ' || ${row}.slug`],
  },
  {
    table: 'tournament',
    columns: words(
      'slug name short_name description ruleset year rank_min rank_max link visibility announce_rounds',
      'copied_from hidden_at hidden_reason created_at public_at',
    ),
    tags: () => [`'tournaments'`],
  },
  {
    table: 'tournament_round',
    columns: words('tournament released pack_slug'),
    tags: (row) => [`case when ${row}.pack_slug is not null then 'tournaments' end`],
  },
  {
    table: 'tournament_staff',
    columns: words('tournament account_id role'),
    tags: (row) => [`'host ' || ${row}.account_id`],
  },
]

/** A value in memory, or on its way there. */
type Entry<V> = {
  readonly tags: readonly CacheTag[]
  readonly drop: () => void
  value: V | null
  /** Something that it is made of has been touched since it was begun to be read. */
  isOld: boolean
}

/** Caches of what is read from the store, each value until one of its tags is touched by a commit of any process. */
export abstract class TaggedCaches {
  readonly #caches: { clear: () => void }[] = []
  readonly #byTag = new Map<CacheTag, Set<Entry<unknown>>>()
  /** Will be told what is touched from now on? */
  protected canKeep = false

  /**
   * Drops what others have touched up to now; undefined when that is done already.
   *
   * @param isKept false: nothing is taken from memory, so that what is there may be old.
   */
  protected abstract look(isKept: boolean): Promise<void> | undefined

  /** Drops what has one of these tags, and keeps nothing of it that is being read. */
  touch(tags: Iterable<CacheTag>): void {
    for (const tag of tags) {
      for (const entry of this.#byTag.get(tag) ?? []) this.#discard(entry)
    }
  }

  /** Drops everything, and keeps nothing that is being read. */
  protected touchAll(): void {
    for (const entries of this.#byTag.values()) for (const entry of entries) entry.isOld = true
    this.#byTag.clear()
    for (const cache of this.#caches) cache.clear()
  }

  newCache<V extends object | string>(
    maxEntries: number,
    tagsOf: (key: string) => readonly CacheTag[],
  ): Cache<V> {
    const cached = new BoundedMap<string, Entry<V>>({
      maxEntries,
      onDrop: (old) => this.#unlink(old),
    })
    this.#caches.push(cached)

    const fill = async <T extends V | null>(key: string, load: () => Promise<T>): Promise<T> => {
      const entry: Entry<V> = {
        tags: tagsOf(key),
        drop: () => cached.peek(key) === entry && cached.delete(key),
        value: null,
        isOld: !this.canKeep,
      }
      this.#link(entry)
      try {
        const loaded = await load()
        entry.value = loaded
        return loaded
      } finally {
        if (entry.value === null || entry.isOld) this.#unlink(entry)
        else cached.set(key, entry)
      }
    }
    return <T extends V | null>(key: string, load: () => Promise<T>): V | Promise<V | T> => {
      const find = (): V | Promise<V | T> => cached.peek(key)?.value ?? fill(key, load)
      const looking = this.look(cached.peek(key) !== undefined)
      return looking === undefined ? find() : looking.then(find)
    }
  }

  #link(entry: Entry<unknown>): void {
    for (const tag of entry.tags) {
      const tagged = this.#byTag.get(tag)
      if (tagged === undefined) this.#byTag.set(tag, new Set([entry]))
      else tagged.add(entry)
    }
  }

  #unlink(entry: Entry<unknown>): void {
    for (const tag of entry.tags) {
      const tagged = this.#byTag.get(tag)
      if (tagged?.delete(entry) && tagged.size === 0) this.#byTag.delete(tag)
    }
  }

  #discard(entry: Entry<unknown>): void {
    entry.isOld = true
    entry.drop()
    this.#unlink(entry)
  }
}

/**
 * Notes what the writes of this connection touch, whatever statement or foreign key makes them, also what is then undone.
 * The triggers are its own: no other connection sees them.
 *
 * @returns what was touched since the last call.
 */
export function noteTouched(writer: DatabaseSync): () => ReadonlySet<CacheTag> {
  let touched = new Set<CacheTag>()
  writer.function('touch', { varargs: true }, (...tags) => {
    for (const tag of tags) if (typeof tag === 'string') touched.add(tag as CacheTag)
    return null
  })
  writer.exec('pragma temp_store = memory')
  for (const [at, { table, columns, tags, from, isQuietWhenNew }] of touchRules.entries()) {
    const add = (event: string, ...rows: readonly string[]): void => {
      const queries = rows.map((row) => {
        const others = from?.(row, (json) => `json_each(${json})`)
        return `select touch(${tags(row).join(', ')}) ${others === undefined ? '' : `from ${others}`};`
      })
      writer.exec(`
        create temp trigger touch_${at}_${event.split(' ')[0]} after ${event}
        begin ${[...new Set(queries)].join(' ')} end`)
    }
    if (isQuietWhenNew !== true) add(`insert on main.${table}`, 'new')
    add(`delete on main.${table}`, 'old')
    if (columns === undefined) continue
    const row = (name: 'old' | 'new') =>
      `(${columns.map((column) => `${name}.${column}`).join(', ')})`
    const update = `update of ${columns.join(', ')} on main.${table} when ${row('old')} is not ${row('new')}`
    add(update, 'old', 'new')
  }
  return () => {
    const taken = touched
    touched = new Set()
    return taken
  }
}

/** Those of a store in a file. Whether another process has written is looked up once in each turn of the event loop, and then nothing is kept. */
export class FileCaches extends TaggedCaches {
  readonly #readVersion: () => number | null
  readonly #atEndOfTurn: (work: () => void) => void
  #version: number | null = null
  /** Was the version read in this turn? */
  #isCurrent = false

  /**
   * @param readVersion changes with each commit of another connection; null when it cannot be read now.
   * @param atEndOfTurn calls back when this turn of the event loop ends.
   */
  constructor(
    readVersion: () => number | null,
    atEndOfTurn: (work: () => void) => void = setImmediate,
  ) {
    super()
    this.#readVersion = readVersion
    this.#atEndOfTurn = atEndOfTurn
  }

  /** What was read before another process has written is dropped, as is everything while that cannot be told. */
  protected override look(): undefined {
    if (this.#isCurrent) return
    const version = this.#readVersion()
    if (version !== null) {
      this.#isCurrent = true
      this.#atEndOfTurn(() => {
        this.#isCurrent = false
      })
    }
    if (version !== null && version === this.#version) return
    this.#version = version
    this.canKeep = version !== null
    this.touchAll()
  }
}

/**
 * Reads a number that changes with each commit by any other connection, of this process or another.
 *
 * @param database may write: what it commits itself does not change the number.
 */
export function versionOf(database: DatabaseSync): () => number | null {
  const statement = database.prepare('pragma data_version')
  statement.setReturnArrays(true)
  return () => {
    try {
      const [version] = statement.get() as unknown as [number]
      return version
    } catch {
      // Locked for a moment or already closed: then nothing cached can be trusted.
      return null
    }
  }
}
