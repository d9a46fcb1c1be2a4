import type { Compilable } from 'kysely'
import type { Db } from './engine.ts'

/** Stands in a query for a value that comes with each run. */
class Placeholder {
  readonly name: PropertyKey

  constructor(name: PropertyKey) {
    this.name = name
  }
}

const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(name) })

/**
 * Compiles a query once, because building it costs more than running it.
 *
 * @param build makes the query from named values; it sees stand-ins for them, never the values.
 * @returns runs the query with its values and gives the rows.
 */
export const prepareQuery = <P extends object, R>(
  build: (values: P) => Compilable<R>,
): ((on: Db, values: P) => Promise<R[]>) => {
  const compiled = build(placeholders as P).compile()
  const { query, queryId, sql } = compiled
  const order = compiled.parameters.map((parameter) =>
    parameter instanceof Placeholder
      ? { name: parameter.name as keyof P }
      : { constant: parameter },
  )
  return async (on, values) => {
    const parameters = order.map((part) => ('name' in part ? values[part.name] : part.constant))
    const result = await on.executeQuery<R>({ query, queryId, sql, parameters })
    return result.rows
  }
}
