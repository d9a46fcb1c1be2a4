import { foldCode, isBuiltinCode, isCode } from '../../../pool/slots.ts'
import { isRoundName } from '../lines/round-names.ts'
import { isUsualCode } from '../lines/plausible-ids.ts'
import { modsOfCode, poolWords } from '../words/labels.ts'

/** The collections of one pool, each with the code of its bucket; null is none. */
type PoolCollections<Collection> = {
  readonly name: string
  readonly parts: readonly { readonly code: string | null; readonly collection: Collection }[]
}

type Named = { readonly name: string }
type Split<Collection> = {
  readonly collection: Collection
  readonly prefix: string
  readonly code: string
}

/** `HC26 Finals NM`, `HC26 Finals - HD`, `HC26 Finals [TB]` */
const ending = /^(?:(.*\S)(?:\s+|\s*(?=[([])))?[([]?([\p{L}\p{N}]{1,12})[)\]]?$/u
const separators = /[\s:|/–—-]+$/u

/**
 * Collections whose names are the same but for the code of a bucket at the end are one pool, where it is a built-in code or
 * one of mods, or at least two of them are codes that tournaments use. Codes of all others of the same beginning are custom
 * buckets, and the collection of that name alone is of no bucket.
 */
export function poolsOfCollections<Collection extends Named>(
  collections: readonly Collection[],
): PoolCollections<Collection>[] {
  const splits = collections.map((collection) => splitName(collection))
  const byPrefix = new Map<string, Split<Collection>[]>()
  for (const split of splits) {
    if (split === null) continue
    byPrefix.set(split.prefix, [...(byPrefix.get(split.prefix) ?? []), split])
  }
  const prefixes = new Set([...byPrefix].flatMap(([prefix, own]) => (isPool(own) ? [prefix] : [])))
  const pools: { name: string; parts: { code: string | null; collection: Collection }[] }[] = []
  const open = new Map<string, (typeof pools)[number]>()
  for (const [at, collection] of collections.entries()) {
    const split = splits[at] ?? null
    const isWhole = prefixes.has(collection.name.trim())
    const isPart = !isWhole && split !== null && prefixes.has(split.prefix)
    const [name, code] = isPart ? [split.prefix, split.code] : [collection.name.trim(), null]
    const before = open.get(name)
    const isAgain = before?.parts.some((part) => foldOf(part.code) === foldOf(code)) ?? true
    const pool = before === undefined || isAgain ? { name, parts: [] } : before
    if (pool !== before) {
      pools.push(pool)
      open.set(name, pool)
    }
    pool.parts.push({ code, collection })
  }
  return pools
}

const foldOf = (code: string | null): string => foldCode(code ?? '')

function splitName<Collection extends Named>(collection: Collection): Split<Collection> | null {
  const [, before = '', code = ''] = ending.exec(collection.name.trim()) ?? []
  const isOther = !isCode(code) || isRoundName(code) || poolWords.has(code.toLowerCase())
  return isOther ? null : { collection, prefix: before.replace(separators, ''), code }
}

function isPool(splits: readonly Split<Named>[]): boolean {
  const written = splits.filter(({ code }) => code === code.toUpperCase())
  const isSure = written.some(({ code }) => isBuiltinCode(code) || modsOfCode(code) !== null)
  const isNamed = splits.length > 1 || splits.every(({ prefix }) => prefix !== '')
  return isNamed && (isSure || written.filter(({ code }) => isUsualCode(code)).length > 1)
}
