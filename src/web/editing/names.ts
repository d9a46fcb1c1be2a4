import * as texts from '#texts/editing'
import { formatList } from '../format.ts'

/** Names as a list in a sentence, of which at most so many are named: `NM1, NM2 and 3 more`. */
export function listNames(names: readonly string[], most: number): string {
  const more = names.length - most
  return formatList(more > 0 ? [...names.slice(0, most), texts.more({ n: more })] : names)
}
