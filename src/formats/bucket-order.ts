import { builtinCodes } from '../contract/mods.ts'
import type { Bucket } from '../contract/pools.ts'
import { isBuiltinCode, isDefaultTable } from '../pool/buckets.ts'

/**
 * The bucket table of a file that says no more of buckets than in which order they come: that
 * order, with each built-in that the file leaves out behind its neighbour of the default table.
 *
 * @param codes unique ignoring case; custom ones get the colours 0, 1, 2 …
 * @returns null when it is the default table.
 */
export function tableInOrder(codes: readonly string[]): Bucket[] | null {
  const order = [...codes]
  for (const [rank, code] of builtinCodes.entries()) {
    if (order.includes(code)) continue
    if (code === 'TB') order.push(code)
    else order.splice(order.indexOf(builtinCodes[rank - 1] ?? '') + 1, 0, code)
  }
  let color = 0
  const table = order.map((code) => (isBuiltinCode(code) ? { code } : { code, color: color++ }))
  return isDefaultTable(table) ? null : table
}
