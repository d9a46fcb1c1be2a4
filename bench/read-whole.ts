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

/** All that a store holds of packs, by slug. */
export type Kept = {
  readonly packs: ReadonlyMap<string, WholePack>
  /** The entries of the feed of changes, oldest first: `changed 1 1`, listed before and since. */
  readonly entries: ReadonlyMap<string, readonly string[]>
}

/** Versions that later saves have replaced, oldest first; one that belongs to no pack has no slug. */
export const REPLACED_VERSIONS = `
  select slug, pack_version.version, pack_version.saved_at, pack_version.pack_key
  from pack_version left join pack on pack.id = pack_version.pack_id
  order by pack_version.pack_id, pack_version.version`

/** The order is that of each pack's own changes. */
export const ENTRIES = 'select slug, kind, was_listed, is_listed from pack_change order by id'

/**
 * Every pack in the store by its slug, read past all of the service's code.
 *
 * @throws when SQLite finds damage, a pack's key does not say what its other columns say, or its versions
 *   are not those of its saves, one after the other.
 */
export const readWhole = (folder: string): Kept => {
  const db = new DatabaseSync(join(folder, 'mapcrate.db'))
  try {
    const check = db.prepare('PRAGMA integrity_check').get()?.['integrity_check']
    if (check !== 'ok') throw new Error(String(check))
    const all = (query: string) => db.prepare(query).all()
    return keptOf(all('SELECT * FROM pack'), all(REPLACED_VERSIONS), all(ENTRIES))
  } finally {
    db.close()
  }
}

type Row = Readonly<Record<string, unknown>>

const slugOf = ({ slug }: Row): string => String(slug)

/** @throws as `readWhole`. */
export const keptOf = (
  packs: readonly Row[],
  replaced: readonly Row[],
  entries: readonly Row[],
): Kept => {
  const versions = Map.groupBy(replaced, slugOf)
  if (versions.has('null')) throw new Error('a version belongs to no pack')
  const kinds = Map.groupBy(entries, slugOf)
  return {
    packs: new Map(packs.map((row) => [slugOf(row), readRow(row, versions.get(slugOf(row)))])),
    entries: new Map(
      [...kinds].map(([slug, rows]) => [
        slug,
        rows.map((row) => [row['kind'], row['was_listed'], row['is_listed']].join(' ')),
      ]),
    ),
  }
}

/** @param replaced the versions that later saves of it have replaced. */
const readRow = (row: Row, replaced: readonly Row[] = []): WholePack => {
  const slug = slugOf(row)
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
