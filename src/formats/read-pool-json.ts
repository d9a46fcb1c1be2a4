import { forcedMods } from '../contract/mods.ts'
import type { Bucket, BucketMods, Slot } from '../contract/pools.ts'
import { isBuiltinCode } from '../pool/buckets.ts'
import { findProblems } from '../pool/checks.ts'
import type { PoolDraft } from '../pool/pool.ts'
import { FormatError } from './format-error.ts'
import { scanJson } from './json/scan-json.ts'

export type PoolJson = {
  /** Completes, unless it has no slot. */
  readonly draft: PoolDraft
  readonly visibility: 'private' | 'unlisted' | 'public' | null
  readonly description: string | null
}

/**
 * Reads a pack as the API answers it (`{ "pack": … }` around it may be missing), the body that creates one, or
 * a referee program's slots, where `code` is the name of `mod`. Ignores other fields; coerces nothing.
 *
 * @param nameless the name of a pool that has none.
 * @throws FormatError with line and column for what is no JSON, else with the path: `slots[3].index`.
 */
export function readPoolJson(text: string, nameless = 'Pool'): PoolJson {
  scanJson(text)
  const body = fields(JSON.parse(text.replace(/^\ufeff/, '')), 'the file')
  if ('packs' in body) {
    throw new FormatError('packs: the file has several packs; choose one of them')
  }
  const pack = 'pack' in body ? fields(body['pack'], 'pack') : body
  const { name = nameless, slots, buckets, visibility = null, description = null } = pack
  check(typeof name === 'string', 'name', 'a string')
  const draft: PoolDraft = {
    name,
    buckets: buckets === undefined ? null : list(buckets, 'buckets').map(readBucket),
    slots: list(slots, 'slots').map(readSlot),
  }
  const [problem] = findProblems(draft, 0)
  if (problem !== undefined) throw new FormatError(`${problem.place} ${problem.remedy}`)
  const visible =
    visibility === null ? null : oneOf(visibility, ['private', 'unlisted', 'public'], 'visibility')
  check(description === null || typeof description === 'string', 'description', 'a string')
  return { draft, visibility: visible, description }
}

function readSlot(value: unknown, at: number): Slot {
  const place = `slots[${at}]`
  const slot = fields(value, place)
  const name = 'mod' in slot ? 'mod' : 'code'
  const { [name]: mod, index, beatmapId } = slot
  check(mod === null || typeof mod === 'string', `${place}.${name}`, 'a string')
  check(typeof index === 'number', `${place}.index`, 'a number')
  check(typeof beatmapId === 'number', `${place}.beatmapId`, 'a number')
  return { mod, index, beatmapId }
}

function readBucket(value: unknown, at: number): Bucket {
  const place = `buckets[${at}]`
  const { code, color, mods } = fields(value, place)
  check(typeof code === 'string', `${place}.code`, 'a string')
  if (isBuiltinCode(code) && color === undefined && mods === undefined) return { code }
  check(typeof color === 'number', `${place}.color`, 'a number')
  return { code, color, ...(mods !== undefined && { mods: readMods(mods, `${place}.mods`) }) }
}

function readMods(value: unknown, place: string): BucketMods {
  const { kind, set } = fields(value, place)
  if (oneOf(kind, ['forced', 'free'], `${place}.kind`) === 'free') return { kind: 'free' }
  const mods = list(set, `${place}.set`)
  const forced = mods.map((mod, at) => oneOf(mod, forcedMods, `${place}.set[${at}]`))
  return { kind: 'forced', set: forced }
}

function fields(value: unknown, place: string): Record<string, unknown> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  check(isObject, place, 'an object')
  return value as Record<string, unknown>
}

function list(value: unknown, place: string): readonly unknown[] {
  check(Array.isArray(value), place, 'a list')
  return value
}

function oneOf<T extends string>(value: unknown, choices: readonly T[], place: string): T {
  const choice = choices.find((each) => each === value)
  check(choice !== undefined, place, `one of ${choices.join(', ')}`)
  return choice
}

function check(holds: boolean, place: string, what: string): asserts holds {
  if (!holds) throw new FormatError(`${place} must be ${what}`)
}
