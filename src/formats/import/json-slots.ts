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
import { refused } from './lines.ts'
import { type AskedReading, type Reading, skipped, type SlotReading } from './readings.ts'

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
    kind: 'slot',
    label: at,
    beatmapId: id,
    rule: at === null ? 'alone' : rule,
    ...note,
  })
  if (isUnsure) {
    const question = `Is “${best.key}” the id of a beatmap, not of its set or anything else?`
    return { reading: askWhether(slot(beatmapId, null), question), ...fields }
  }
  const other = others.find(
    ({ id, name }) => typeof id === 'number' && id !== beatmapId && name !== 'id' && name !== 'map',
  )
  if (typeof other?.id === 'number') {
    const choices = [
      { text: `The one in “${best.key}”`, reading: slot(beatmapId, own) },
      { text: `The one in “${other.key}”`, reading: slot(other.id, own) },
    ]
    const question = `The fields “${best.key}” and “${other.key}” name different beatmaps. Which one is it?`
    const topic = `${best.key}/${other.key}`
    return { reading: { kind: 'asked', topic, question, choices }, ...fields }
  }
  if (label.other !== undefined) {
    const { key, label: second } = label.other
    const choices = [
      { text: `The one in “${label.key}”`, reading: slot(beatmapId, label.label) },
      { text: `The one in “${key}”`, reading: slot(beatmapId, second) },
    ]
    const question = `The fields “${label.key}” and “${key}” name different slots. Which one is it?`
    const topic = `${label.key}/${key}`
    return { reading: { kind: 'asked', topic, question, choices }, ...fields }
  }
  const asked = readUnknown(label, slot, beatmapId)
  return { reading: asked ?? slot(beatmapId, own), ...fields }
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
  return {
    kind: 'asked',
    topic: `bucket ${code}`,
    question: `${shown(unknown)} is no bucket that is known. Where do its beatmaps belong?`,
    choices: [
      { text: `In a new bucket ${code}`, reading: slot(beatmapId, { code, index: null }) },
      { text: 'In no bucket', reading: slot(beatmapId, null) },
    ],
  }
}

const MAX_CODE = 12

/** Asks once for all of a key whether a number in it is a beatmap's id. */
export function askWhether(reading: SlotReading, question: string): AskedReading {
  return {
    kind: 'asked',
    topic: question,
    question,
    choices: [
      { text: 'They are beatmap ids', reading },
      { text: 'Leave them out', reading: skipped },
    ],
  }
}
