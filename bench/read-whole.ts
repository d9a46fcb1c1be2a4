import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Bucket, Slot } from '../src/contract/pools.ts'
import { encodePackKey } from '../src/pool/pack-key/pack-key.ts'

/** A pack as the store holds it, found to be whole. */
export type WholePack = {
  readonly name: string
  readonly visibility: string
  readonly slots: readonly Slot[]
  readonly packKey: string
  readonly updatedAt: string
  /** The pack keys of its versions, oldest first. */
  readonly versions: readonly string[]
}

/** A version that a later save has replaced, as the store holds it. */
export type VersionRow = Readonly<
  Record<'slug' | 'version' | 'saved_at' | 'pack_key', string | number>
>

/** By pack, oldest first; a version that belongs to no pack has no slug. */
export const REPLACED_VERSIONS = `
  select slug, pack_version.version, pack_version.saved_at, pack_version.pack_key
  from pack_version left join pack on pack.id = pack_version.pack_id
  order by pack_version.pack_id, pack_version.version`

/**
 * Every pack in the store by its slug, read past all of the service's code.
 *
 * @throws when SQLite finds damage, a pack's key does not say what its other columns say, or its versions
 *   are not those of its saves, one after the other.
 */
export const readWhole = (folder: string): Map<string, WholePack> => {
  const db = new DatabaseSync(join(folder, 'mapcrate.db'))
  try {
    const check = db.prepare('PRAGMA integrity_check').get()?.['integrity_check']
    if (check !== 'ok') throw new Error(String(check))
    const replaced = bySlug(db.prepare(REPLACED_VERSIONS).all() as VersionRow[])
    const rows = db.prepare('SELECT * FROM pack').all()
    return new Map(
      rows.map((row) => [String(row['slug']), readRow(row, replaced.get(String(row['slug'])))]),
    )
  } finally {
    db.close()
  }
}

/** The versions that later saves have replaced, by the slugs of their packs. */
export const bySlug = (rows: readonly VersionRow[]): ReadonlyMap<string, VersionRow[]> => {
  const found = Map.groupBy(rows, ({ slug }) => String(slug))
  if (found.has('null')) throw new Error('a version belongs to no pack')
  return found
}

/** @param replaced the versions that later saves of it have replaced. */
export const readRow = (
  row: Readonly<Record<string, unknown>>,
  replaced: readonly VersionRow[] = [],
): WholePack => {
  const slug = String(row['slug'])
  const name = String(row['name'])
  const slots = JSON.parse(String(row['slots'])) as Slot[]
  const { buckets: text } = row
  const buckets = typeof text === 'string' ? (JSON.parse(text) as Bucket[]) : null
  const packKey = String(row['pack_key'])
  if (encodePackKey({ name, buckets, slots }) !== packKey) {
    throw new Error(`pack ${slug} is not whole`)
  }
  const updatedAt = Number(row['updated_at'])
  const times = [...replaced.map(({ saved_at: at }) => Number(at)), updatedAt]
  const numbers = [...replaced.map(({ version }) => Number(version)), Number(row['version'])]
  const isInOrder = times.every((at, place) => place === 0 || at > (times[place - 1] ?? at))
  if (!isInOrder || numbers.some((number, place) => number !== place + 1)) {
    throw new Error(`pack ${slug} has the versions ${numbers.join()} of ${times.join()}`)
  }
  return {
    name,
    visibility: String(row['visibility']),
    slots,
    packKey,
    updatedAt: new Date(updatedAt).toISOString(),
    versions: [...replaced.map(({ pack_key: key }) => String(key)), packKey],
  }
}
