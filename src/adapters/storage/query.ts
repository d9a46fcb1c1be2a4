import { type Compilable, type RawBuilder, sql, type SqlBool } from 'kysely'
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

/** Engines bound how many values a query takes. */
const LONGEST = 500
/** A statement for each length is kept prepared: there are to be few. */
const LENGTHS = [1, 4, 16, 64, 256, LONGEST] as const

/**
 * Distinct values in lists for `in (…)`, of few different lengths: a list that is shorter repeats its
 * last value, which changes nothing of what it contains.
 */
export const valueLists = <T extends string | number>(values: readonly T[]): T[][] => {
  const distinct = [...new Set(values)]
  return Array.from({ length: Math.ceil(distinct.length / LONGEST) }, (_, at) =>
    filled(distinct.slice(at * LONGEST, (at + 1) * LONGEST)),
  )
}

const filled = <T>(values: readonly T[]): T[] => {
  const length = LENGTHS.find((room) => room >= values.length) ?? LONGEST
  return Array.from({ length }, (_, at) => values[at] ?? values.at(-1)!)
}

const ASCII = /^[ -~]*$/

/**
 * Does the column contain the text, in any case? `fold` gives the small letters of every script and
 * costs ten times what `lower` does, so that only texts that need it ask for it.
 */
export const textContains = (column: string, text: string): RawBuilder<SqlBool> => {
  const fold = sql.raw(ASCII.test(text) ? 'lower' : 'fold')
  const pattern = `%${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql<SqlBool>`${fold}(${sql.ref(column)}) like ${pattern} escape ${sql.lit('\\')}`
}
