import type { PackRow } from './pack-row.ts'

/** A pack's place in a list: most recently updated first, newest created first among equals (D-16). */
export type ListKey = { readonly updatedAt: number; readonly id: number }

/** Behind every key there can be. */
export const ABOVE_ALL: ListKey = {
  updatedAt: Number.MAX_SAFE_INTEGER,
  id: Number.MAX_SAFE_INTEGER,
}

export const isSameKey = (a: ListKey, b: ListKey): boolean =>
  a.updatedAt === b.updatedAt && a.id === b.id

/** The pack's place in the public list, or null when it is not in it. */
export const publicKey = (
  row: Pick<PackRow, 'id' | 'visibility' | 'hidden_at' | 'updated_at'>,
): ListKey | null =>
  row.visibility === 'public' && row.hidden_at === null
    ? { updatedAt: row.updated_at, id: row.id }
    : null
