import { randomBytes } from 'node:crypto'
import type { IndexVersion } from '../../../ports/search-index.ts'
import type { Db } from '../engine.ts'
import { prepareQuery } from '../query.ts'
import type { SharedNumberTable } from '../tables.ts'

type Name = SharedNumberTable['name']

/** Single numbers that all processes share. */
export const sharedNumbers = (db: Db) => {
  const value = prepareQuery((key: { name: Name }) =>
    db.selectFrom('shared_number').select(['value', 'mark']).where('name', '=', key.name),
  )
  const add = prepareQuery((change: { name: Name; by: number; mark: string }) =>
    db
      .updateTable('shared_number')
      .set((eb) => ({ value: eb('value', '+', change.by), mark: change.mark }))
      .where('name', '=', change.name),
  )
  const set = prepareQuery((change: { name: Name; to: number }) =>
    db.updateTable('shared_number').set({ value: change.to }).where('name', '=', change.name),
  )
  const readRow = async (on: Db, name: Name) => {
    const [row] = await value(on, { name })
    if (row === undefined) throw new Error(`The store has lost its ${name}`)
    return row
  }

  return {
    read: async (on: Db, name: Name): Promise<number> => (await readRow(on, name)).value,

    /** It changes with whatever the search index or a page of the public list shows. */
    async indexVersion(on: Db): Promise<IndexVersion> {
      const row = await readRow(on, 'index_version')
      return `${row.value}.${row.mark ?? ''}`
    },

    /**
     * Records, in the transaction that made them, changes that the search index shows. The mark is
     * random: when commits are lost and the number is reached again, the version is still another.
     */
    bumpIndex: (tx: Db, changes = 1) =>
      add(tx, { name: 'index_version', by: changes, mark: randomBytes(9).toString('base64url') }),

    set: (tx: Db, name: Name, to: number) => set(tx, { name, to }),
  }
}

export type SharedNumbers = ReturnType<typeof sharedNumbers>
