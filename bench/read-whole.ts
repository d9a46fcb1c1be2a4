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
}

/**
 * Every pack in the store by its slug, read past all of the service's code.
 *
 * @throws when SQLite finds damage, or a pack's key does not say what its other columns say.
 */
export const readWhole = (folder: string): Map<string, WholePack> => {
  const db = new DatabaseSync(join(folder, 'mapcrate.db'))
  try {
    const check = db.prepare('PRAGMA integrity_check').get()?.['integrity_check']
    if (check !== 'ok') throw new Error(String(check))
    const rows = db.prepare('SELECT * FROM pack').all()
    return new Map(rows.map((row) => [String(row['slug']), readRow(row)]))
  } finally {
    db.close()
  }
}

const readRow = (row: Record<string, unknown>): WholePack => {
  const name = String(row['name'])
  const slots = JSON.parse(String(row['slots'])) as Slot[]
  const { buckets: text } = row
  const buckets = typeof text === 'string' ? (JSON.parse(text) as Bucket[]) : null
  const packKey = String(row['pack_key'])
  if (encodePackKey({ name, buckets, slots }) !== packKey) {
    throw new Error(`pack ${String(row['slug'])} is not whole`)
  }
  const updatedAt = new Date(Number(row['updated_at'])).toISOString()
  return { name, visibility: String(row['visibility']), slots, packKey, updatedAt }
}
