import * as fc from 'fast-check'
import type { TProperties } from 'typebox'
import { RoundInput, RoundSlot } from '../../src/contract/rounds.ts'
import { completePool } from '../../src/pool/checks.ts'
import { anyPool } from '../pool/pool-arbitrary.ts'
import { anyOf } from './any-of-schema.ts'

/** Any values of these fields but some, from their schemas: a new field is there by itself. */
const anyBut = (properties: TProperties, ...others: string[]) =>
  fc.record<Record<string, unknown>>(
    Object.fromEntries(
      Object.entries(properties).flatMap(([name, schema]) =>
        others.includes(name) ? [] : [[name, anyOf(schema).map(inOrder)]],
      ),
    ),
  )

/** The value with its ranges turned the right way round. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const { min, max, ...others } = value as Record<string, unknown>
  const rest = Object.fromEntries(Object.entries(others).map(([name, of]) => [name, inOrder(of)]))
  if (typeof min !== 'number' || typeof max !== 'number') return rest
  return { min: Math.min(min, max), max: Math.max(min, max), ...rest }
}

/** Every field that a slot has beside its place, but for the one that cannot be beside another. */
const anyFilling = fc
  .tuple(anyBut(RoundSlot.properties, 'mod', 'index'), fc.boolean())
  .map(([{ beatmapId, placeholder, ...others }, isPlanned]) => ({
    ...(isPlanned ? { placeholder } : { beatmapId }),
    ...others,
  }))

const MOST_SLOTS = 20

export type WholeRound = RoundInput & Pick<Required<RoundInput>, 'slots'>

/** Any round with every field, as it is sent and as it comes back. */
export const anyRound = fc
  .tuple(
    anyPool.filter(({ slots }) => slots.length > 0),
    fc.array(anyFilling, { minLength: MOST_SLOTS, maxLength: MOST_SLOTS }),
    anyBut(RoundInput.properties, 'name', 'slots', 'buckets'),
  )
  .map(([pool, fillings, fields]) => {
    const { name, slots, buckets } = completePool({
      ...pool,
      slots: pool.slots.slice(0, MOST_SLOTS),
    })
    return {
      name,
      slots: slots.map(({ mod, index }, at) => ({ mod, index, ...fillings[at] })),
      ...(buckets !== null && { buckets: [...buckets] }),
      ...fields,
    } as WholeRound
  })

/** The round with a beatmap in each slot. */
export const filled = (round: WholeRound) => ({
  ...round,
  slots: round.slots.map((slot, at) => {
    const { placeholder: _, ...others } = { beatmapId: at + 1, ...slot }
    return others
  }),
})

/** What hosts draft, of anything that has it among other things, by the schema alone. */
export const drafted = (round: object): object =>
  Object.fromEntries(
    Object.keys(RoundInput.properties).flatMap((name) => {
      const value: unknown = Reflect.get(round, name)
      return value === undefined || value === null ? [] : [[name, value]]
    }),
  )
