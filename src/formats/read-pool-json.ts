import type { RoundInput, RoundSlot } from '../contract/rounds.ts'
import { findProblems } from '../pool/checks.ts'
import { readFields, type SentFields } from '../pool/pack-fields.ts'
import type { PoolDraft } from '../pool/pool.ts'
import { roundFields, slotFields } from '../pool/round-fields.ts'
import { fault, FormatError } from './format-error.ts'
import { scanJson } from './json/scan-json.ts'
import {
  check,
  fields,
  list,
  readBucket,
  readDraft,
  readPlace,
  refuseType,
  WrongType,
} from './pool-values.ts'

export type PoolJson = {
  /** Completes, unless it has no slot. */
  readonly draft: PoolDraft
  readonly fields: SentFields
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
  return poolOf(JSON.parse(text.replace(/^\ufeff/, '')), nameless)
}

/**
 * As `readPoolJson`, of a value that is parsed.
 *
 * @throws FormatError with the path of what is wrong.
 */
export function poolOf(value: unknown, nameless: string): PoolJson {
  return typed(() => readPool(value, nameless))
}

function readPool(value: unknown, nameless: string): PoolJson {
  const body = fields(value, 'the file')
  if ('packs' in body) {
    throw new FormatError(fault('severalPacks'))
  }
  const pack = 'pack' in body ? fields(body['pack'], 'pack') : body
  const read = {
    draft: readDraft({ name: nameless, ...pack }),
    fields: readFields(pack, refuseType),
  }
  refuseProblems(read.draft)
  return read
}

/**
 * Reads a round of a tournament as the API answers it (`{ "round": … }` around it may be missing), or the body that
 * saves one: slots may have a placeholder in place of a beatmap, or neither. A round without slots has an empty list:
 * a field that is misspelt would remove them all. Ignores other fields; coerces nothing.
 * Bounds of numbers and texts other than those of pools are left to the service.
 *
 * @throws FormatError as `readPoolJson`.
 */
export function readRoundJson(text: string): RoundInput {
  scanJson(text)
  return typed(() => readRound(text))
}

function readRound(text: string): RoundInput {
  const body = fields(JSON.parse(text.replace(/^\ufeff/, '')), 'the file')
  const round = 'round' in body ? fields(body['round'], 'round') : body
  const { name, slots, buckets } = round
  check(typeof name === 'string', 'name', 'a string')
  const read: RoundInput = {
    name,
    slots: list(slots, 'slots').map(readRoundSlot),
    ...roundFields.read(round, refuseType),
    ...(buckets !== undefined && { buckets: list(buckets, 'buckets').map(readBucket) }),
  }
  refuseProblems({
    name,
    buckets: read.buckets ?? null,
    slots: (read.slots ?? []).map((slot) => ({ beatmapId: 1, ...slot })),
  })
  return read
}

function readRoundSlot(value: unknown, at: number): RoundSlot {
  const place = `slots[${at}]`
  const slot = fields(value, place)
  const filling = slotFields.read(slot, (field, what) => refuseType(`${place}.${field}`, what))
  const isEither = filling.beatmapId === undefined || filling.placeholder === undefined
  check(isEither, `${place}.placeholder`, 'left out: the slot has a beatmap')
  return { ...readPlace(slot, place), ...filling }
}

function refuseProblems(draft: PoolDraft): void {
  const [problem] = findProblems(draft, 0)
  if (problem !== undefined) throw new FormatError(fault('notAPool', problem))
}

/** Returns what `read` does; what is of another type is an error of the file. */
function typed<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof WrongType)) throw error
    const { place, what } = error
    throw new FormatError(fault('mustBe', { place, what }))
  }
}
