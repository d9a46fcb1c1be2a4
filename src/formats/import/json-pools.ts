import { roundFields } from '../../pool/round-fields.ts'
import { shown } from '../draft-builder.ts'
import { FormatError } from '../format-error.ts'
import { type Literal, plainValue } from '../json/parse-literal.ts'
import { poolOf } from '../read-pool-json.ts'
import { type LiteralObject, plainName, type Span, textIn, wholeOf } from './json-fields.ts'
import { type Reading, refused, type RoundStart, skipped, slotReading } from './readings.ts'
import { roundOfFile } from './round-names.ts'

/**
 * Reads a pool as the API has it strictly, with its buckets: one wrong slot refuses the pool, by its path. Slots of a round
 * that are only planned are refused each. The round is null where the pool is refused.
 *
 * @param path of the object, empty at the top.
 */
export function readApiPool(
  value: LiteralObject,
  path: string,
): { round: RoundStart | null; parts: { span: Span; reading: Reading }[] } {
  const prefix = path === '' ? '' : `${path}.`
  const isRound = roundFields.names.some((key) => has(value, key))
  const items = slotsOf(value)?.items ?? []
  // In a pack, which has no such slots, one without a beatmap is left, to be refused.
  const isPlanned = (item: Literal | undefined): boolean =>
    item?.kind === 'object' && (has(item, 'placeholder') || (isRound && !has(item, 'beatmapId')))
  try {
    const pool = plainValue(value) as { readonly slots?: unknown }
    const filled = Array.isArray(pool.slots)
      ? pool.slots.filter((_, at) => !isPlanned(items[at]))
      : pool.slots
    const { draft, fields } = poolOf({ ...pool, slots: filled }, NAMELESS)
    const { name, slots, buckets = null } = draft
    const round = roundOfFile(name === NAMELESS ? '' : name, { buckets, fields })
    if (items.length === 0) return { round, parts: [{ span: value, reading: skipped }] }
    const left = slots.values()
    const parts = items.flatMap((item, at) => {
      if (item.kind !== 'object') return []
      const slot = isPlanned(item) ? undefined : left.next().value
      if (slot === undefined) {
        const label = shown(`${textIn(item, ['mod', 'code']) ?? ''}${wholeIn(item, 'index') ?? ''}`)
        const reason = `${label} at ${prefix}slots[${at}] has no beatmap yet.`
        return { span: item, reading: refused(reason) }
      }
      const { mod: code, index, beatmapId } = slot
      return { span: item, reading: slotReading({ code, index }, beatmapId, 'fields') }
    })
    return { round, parts }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    const reason = `${path === 'pack' ? '' : prefix}${error.message}`
    return { round: null, parts: [{ span: value, reading: refused(reason) }] }
  }
}

/** A name that no pool has: a character for private use. */
const NAMELESS = '\u{E000}'

/** Whether an object is a pool as the API has it: one of its slots is as there, or its slots cannot be read at all. */
export function isApiPool(value: LiteralObject): boolean {
  const own = value.members.find(({ key }) => key === 'slots')?.value.kind
  const slots = slotsOf(value)
  if (slots === null) return own !== undefined && own !== 'object'
  const isOurs = slots.items.some(
    (item) =>
      item.kind === 'object' &&
      ['index', 'beatmapId'].every((key) => has(item, key)) &&
      (has(item, 'mod') || has(item, 'code')),
  )
  return (
    isOurs ||
    ('bestOf buckets visibility packKey'.split(' ').some((key) => has(value, key)) &&
      slots.items.every((item) => item.kind === 'object' && has(item, 'index')))
  )
}

function slotsOf(value: LiteralObject): Extract<Literal, { kind: 'list' }> | null {
  const slots = value.members.find(({ key }) => key === 'slots')?.value
  return slots?.kind === 'list' ? slots : null
}

function has({ members }: LiteralObject, key: string): boolean {
  return members.some((member) => member.key === key)
}

function wholeIn(value: LiteralObject, name: string): number | null {
  const member = value.members.find(({ key }) => plainName(key) === name)
  return member === undefined ? null : wholeOf(member.value)
}
