import type { Db } from './engine.ts'
import { prepareQuery } from './prepared-query.ts'
import type { SharedNumberTable } from './tables.ts'

type Name = SharedNumberTable['name']

/** Single numbers that all processes share. */
export const sharedNumbers = (db: Db) => {
  const value = prepareQuery((key: { name: Name }) =>
    db.selectFrom('shared_number').select('value').where('name', '=', key.name),
  )
  const add = prepareQuery((change: { name: Name; by: number }) =>
    db
      .updateTable('shared_number')
      .set((eb) => ({ value: eb('value', '+', change.by) }))
      .where('name', '=', change.name),
  )
  const raise = prepareQuery((change: { name: Name; to: number }) =>
    db
      .updateTable('shared_number')
      .set({ value: change.to })
      .where('name', '=', change.name)
      .where('value', '<', change.to),
  )
  return {
    async read(on: Db, name: Name): Promise<number> {
      const [row] = await value(on, { name })
      if (row === undefined) throw new Error(`The store has lost its ${name}`)
      return row.value
    },
    /** Says, in the transaction that changed it, that something the search index shows is another. */
    bumpIndex: (tx: Db) => add(tx, { name: 'index_version', by: 1 }),
    raise: (tx: Db, name: Name, to: number) => raise(tx, { name, to }),
  }
}

export type SharedNumbers = ReturnType<typeof sharedNumbers>
