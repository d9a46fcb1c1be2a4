import { forcedMods } from '../contract/mods.ts'
import type { Bucket, BucketMods, Slot } from '../contract/pools.ts'
import { isBuiltinCode } from '../pool/buckets.ts'
import { findProblems } from '../pool/checks.ts'
import type { PoolDraft } from '../pool/pool.ts'
import { FormatError } from './format-error.ts'
import { scanJson } from './json/scan-json.ts'

/** A pool as programs write it down. */
export type PoolJson = {
  /** Completes, unless it has no slot. */
  readonly draft: PoolDraft
  readonly visibility: 'private' | 'unlisted' | 'public' | null
  readonly description: string | null
}

type Fields = Readonly<Record<string, unknown>>

const visibilities = ['private', 'unlisted', 'public'] as const

/**
 * Reads a pack as the API answers it (with or without `{ "pack": … }` around it), the body that
 * creates one, or the slots of a referee program, where `code` stands for `mod`. Fields that are
 * not a pool's are ignored; nothing is coerced.
 *
 * @param nameless what a pool is called that has no name.
 * @throws FormatError with line and column for what is no JSON, else with the path: `slots[3].index`.
 */
export function readPoolJson(text: string, nameless = 'Pool'): PoolJson {
  scanJson(text)
  const body = fields(JSON.parse(text.replace(/^\ufeff/, '')), 'the file')
  if ('packs' in body)
    throw new FormatError('packs: the file has several packs; choose one of them')
  const pack = 'pack' in body ? fields(body['pack'], 'pack') : body
  const { name = nameless, slots, buckets, visibility = null, description = null } = pack
  const draft: PoolDraft = {
    name: string(name, 'name'),
    buckets: buckets === undefined ? null : list(buckets, 'buckets').map(readBucket),
    slots: list(slots, 'slots').map(readSlot),
  }
  const [problem] = findProblems(draft, 0)
  if (problem !== undefined) throw new FormatError(`${problem.place} ${problem.remedy}`)
  return {
    draft,
    visibility: visibility === null ? null : oneOf(visibility, visibilities, 'visibility'),
    description: description === null ? null : string(description, 'description'),
  }
}

function readSlot(value: unknown, at: number): Slot {
  const place = `slots[${at}]`
  const slot = fields(value, place)
  const name = 'mod' in slot ? 'mod' : 'code'
  const mod = slot[name]
  return {
    mod: mod === null ? null : string(mod, `${place}.${name}`),
    index: number(slot['index'], `${place}.index`),
    beatmapId: number(slot['beatmapId'], `${place}.beatmapId`),
  }
}

function readBucket(value: unknown, at: number): Bucket {
  const place = `buckets[${at}]`
  const { code: unread, color, mods } = fields(value, place)
  const code = string(unread, `${place}.code`)
  if (isBuiltinCode(code) && color === undefined && mods === undefined) return { code }
  const bucket = { code, color: number(color, `${place}.color`) }
  return mods === undefined ? bucket : { ...bucket, mods: readMods(mods, `${place}.mods`) }
}

function readMods(value: unknown, place: string): BucketMods {
  const { kind: unread, set } = fields(value, place)
  const kind = oneOf(unread, ['forced', 'free'] as const, `${place}.kind`)
  if (kind === 'free') return { kind }
  const mods = list(set, `${place}.set`)
  return { kind, set: mods.map((mod, at) => oneOf(mod, forcedMods, `${place}.set[${at}]`)) }
}

function fields(value: unknown, place: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw new FormatError(`${place} must be an object`)
}

function list(value: unknown, place: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw new FormatError(`${place} must be a list`)
}

function string(value: unknown, place: string): string {
  if (typeof value === 'string') return value
  throw new FormatError(`${place} must be a string`)
}

function number(value: unknown, place: string): number {
  if (typeof value === 'number') return value
  throw new FormatError(`${place} must be a number`)
}

function oneOf<T extends string>(value: unknown, choices: readonly T[], place: string): T {
  const choice = choices.find((each) => each === value)
  if (choice !== undefined) return choice
  throw new FormatError(`${place} must be one of ${choices.join(', ')}`)
}
