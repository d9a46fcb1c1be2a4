import { type RawBuilder, sql, type SqlBool } from 'kysely'

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
