import { DatabaseSync } from 'node:sqlite'
import { Client, type QueryResult } from 'pg'

// Rows that no ORDER BY sorts come in the same order for as long as a table is small and at rest, and then in another.
// Here they come in the reverse of it, so that code and tests which count on it fail in every run.

/** Puts `around(method)` in the place of a method. */
function wrap<T extends object>(
  of: T,
  name: keyof T,
  around: (method: (on: T, args: unknown[]) => unknown) => (on: T, args: unknown[]) => unknown,
): void {
  const method = Reflect.get(of, name) as (...args: unknown[]) => unknown
  const wrapped = around((on, args) => Reflect.apply(method, on, args))
  Reflect.set(of, name, function (this: T, ...args: unknown[]) {
    return wrapped(this, args)
  })
}

const isUnordered = (asked: unknown): boolean =>
  typeof asked === 'object' &&
  asked !== null &&
  'text' in asked &&
  !/order by/i.test(String(asked.text))

// Once in a worker, which runs this before each file of tests: reversed twice, rows would be as they were.
const DONE = Symbol.for('rows in any order')
if (!Reflect.has(globalThis, DONE)) {
  Reflect.set(globalThis, DONE, true)
  const reversed = new WeakSet<DatabaseSync>()
  wrap(DatabaseSync.prototype, 'prepare', (prepare) => (database, args) => {
    if (!reversed.has(database)) {
      reversed.add(database)
      database.exec('pragma reverse_unordered_selects = on')
    }
    return prepare(database, args)
  })

  wrap(Client.prototype, 'query', (query) => (client, args) => {
    const answer = query(client, args)
    if (!(answer instanceof Promise) || !isUnordered(args[0])) return answer
    return answer.then((result: QueryResult | QueryResult[]) => {
      for (const { rows } of [result].flat()) rows.reverse()
      return result
    })
  })
}
