import { isCode } from '../../pool/slots.ts'
import { shown } from '../draft-builder.ts'
import {
  difficultySigns,
  type Find,
  holdsSlots,
  idOf,
  labelIn,
  type NamedMember,
  names,
  signs,
  wholeOf,
} from './json-fields.ts'
import type { BucketCodes, Label } from './labels.ts'
import {
  asked,
  type AskedReading,
  type Reading,
  refused,
  skipped,
  slotReading,
  type SlotReading,
} from './readings.ts'

/** What is known of an object from where it is. */
export type Place = {
  /** The bucket that a key above names, and the number in it. */
  readonly code: string | null
  readonly index: number | null
  /** Whether it is in a list of beatmaps. */
  readonly isBeatmap: boolean
  /** Where it is, to be shown; empty at the top. */
  readonly path: string
}

type FieldChoice = readonly [key: string | null, reading: SlotReading]
type Fields = { readonly members: readonly NamedMember[]; readonly find: Find }

/**
 * What an object says of one beatmap, with the fields that say so; null when it is about none, or about several. A
 * label in it has priority over where it is.
 */
export function readSlotFields(
  { members, find }: Fields,
  place: Place,
  codes: BucketCodes,
): { reading: Reading; slotField: string | null; idField: string | null } | null {
  const label = labelIn(find, codes)
  const ids = find(names.ids)
    .map((member) => ({ ...member, id: idOf(member.value) }))
    .filter(({ name, id }) => id !== null && (name !== 'id' || typeof id === 'number'))
  const [best, ...others] = ids
  const isOne = label.label?.code != null && label.label.index !== null
  const hasList = members.some(({ value }) => value.kind === 'list' && holdsSlots(value))
  if (hasList && !(isOne && best !== undefined)) return null
  if (best === undefined) {
    const isSlot =
      isOne && members.every(({ value: { kind } }) => kind !== 'object' && kind !== 'list')
    if (!isSlot) return null
    const where = place.path === '' ? '' : ` at ${place.path}`
    const reason = `${shown(label.text ?? '')}${where} has no beatmap id.`
    return { reading: refused(reason), slotField: label.key, idField: null }
  }
  const fields = { slotField: label.key, idField: best.key }
  const isBare = label.label === null && label.unknown === null && place.code === null
  const isVague = best.name === 'id' || best.name === 'map'
  const isSure = place.isBeatmap || members.some(({ name }) => difficultySigns.has(name))
  const isUnsure = isBare && isVague && !isSure
  if (isUnsure && !members.some(({ name }) => signs.has(name))) return null
  if (typeof best.id === 'string') return { reading: refused(best.id), ...fields }
  const beatmapId = best.id ?? 0
  const own = ownLabel(label.label, find, place)
  const rule = label.label !== null ? 'fields' : own === null ? 'alone' : 'keyOfList'
  const note = label.note === null ? {} : { note: label.note }
  const slot = (id: number, at: Label | null): SlotReading => ({
    ...slotReading(at, id, at === null ? 'alone' : rule),
    ...note,
  })
  const askField = (thing: string, [key, one]: FieldChoice, [otherKey, other]: FieldChoice) => {
    const question = `The fields “${key}” and “${otherKey}” name different ${thing}. Which one is it?`
    const choices = [
      [`The one in “${key}”`, one],
      [`The one in “${otherKey}”`, other],
    ] as const
    return { reading: asked(question, choices, `${key}/${otherKey}`), ...fields }
  }
  if (isUnsure) {
    const question = `Is “${best.key}” the id of a beatmap, not of its set or anything else?`
    return { reading: askWhether(slot(beatmapId, null), question), ...fields }
  }
  const other = others.find(
    ({ id, name }) => typeof id === 'number' && id !== beatmapId && name !== 'id' && name !== 'map',
  )
  if (typeof other?.id === 'number') {
    return askField('beatmaps', [best.key, slot(beatmapId, own)], [other.key, slot(other.id, own)])
  }
  if (label.other !== undefined) {
    return askField(
      'slots',
      [label.key, slot(beatmapId, label.label)],
      [label.other.key, slot(beatmapId, label.other.label)],
    )
  }
  const unknown = readUnknown(label, slot, beatmapId)
  return { reading: unknown ?? slot(beatmapId, own), ...fields }
}

/** The label of an object; a number without a bucket is in that of the key above. */
function ownLabel(label: Label | null, find: Find, { code, index }: Place): Label | null {
  if (label?.code != null || code === null) return label
  const [number] = find(names.inBucket).flatMap(({ value }) => wholeOf(value) ?? [])
  return { code, index: label?.index ?? number ?? index }
}

/** Mods that are no known bucket: a code makes one, other words are asked. */
function readUnknown(
  { unknown, label }: Pick<ReturnType<typeof labelIn>, 'unknown' | 'label'>,
  slot: (id: number, at: Label | null) => SlotReading,
  beatmapId: number,
): AskedReading | SlotReading | null {
  if (unknown === null || label !== null) return null
  // As the tournament client writes buckets of one's own.
  if (/^[A-Z]{2,4}$/.test(unknown)) return slot(beatmapId, { code: unknown, index: null })
  const code = unknown.replaceAll(/[^\p{L}\p{N}]/gu, '').slice(0, MAX_CODE)
  if (!isCode(code)) return null
  return asked(
    `${shown(unknown)} is no bucket that is known. Where do its beatmaps belong?`,
    [
      [`In a new bucket ${code}`, slot(beatmapId, { code, index: null })],
      ['In no bucket', slot(beatmapId, null)],
    ],
    `bucket ${code}`,
  )
}

const MAX_CODE = 12

/** Asks once for all of a key whether a number in it is a beatmap's id. */
export function askWhether(reading: SlotReading, question: string): AskedReading {
  const choices = [
    ['They are beatmap ids', reading],
    ['Leave them out', skipped],
  ] as const
  return asked(question, choices, question)
}
