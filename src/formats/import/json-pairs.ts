import { foldCode } from '../../pool/slots.ts'
import { shown } from '../draft-builder.ts'
import type { Literal } from '../json/parse-literal.ts'
import {
  codeOf,
  idMember,
  idOf,
  type LiteralObject,
  labelOf,
  names,
  textIn,
} from './json-fields.ts'
import { askWhether, type Place } from './json-slots.ts'
import { type BucketCodes, isKnown, type Label, modsOfCode, readWhole } from './labels.ts'
import { asked, type Reading, reasons, refused, slotReading } from './readings.ts'
import { isRoundName } from './round-names.ts'

/** Whether a key of an object is the label of a bucket that is known: the others that look like labels are such, too. */
export function hasPairs({ members }: Pick<LiteralObject, 'members'>, codes: BucketCodes): boolean {
  return members.some(
    ({ key, value }) => isCertain(key, value, codes) && keyLabel(key, value, codes) !== null,
  )
}

/** `"NM1": 129891`, `"129891": "NM1"`, and the same with objects. null when it is no pair. */
export function readPair(
  key: string,
  value: Literal,
  place: Place,
  isPairs: boolean,
  codes: BucketCodes,
): Reading | null {
  const label = keyLabel(key, value, codes) ?? indexIn(place, key, value)
  if (label !== null && (isPairs || label.code === place.code || isCertain(key, value, codes))) {
    return readingAt(key, label, value)
  }
  const id = readWhole(key)
  if (id === null || id < 1) return null
  const text =
    value.kind === 'object'
      ? textIn(value, names.labels)
      : value.kind === 'text'
        ? value.value
        : null
  const own = text === null ? null : labelOf(text, codes)
  if (own === null) return null
  const inside = value.kind === 'object' ? idOf(value) : null
  const byKey = slotReading(own, id, 'pair')
  if (typeof inside !== 'number' || inside === id) return byKey
  return asked(
    'The key and the field inside name different beatmaps. Which one is it?',
    [
      ['The one in the key', byKey],
      ['The one in the field', { ...byKey, beatmapId: inside }],
    ],
    'key or field',
  )
}

/** What a key that is a label says with its value. */
function readingAt(key: string, label: Label, value: Literal): Reading {
  const ids = (value.kind === 'list' ? value.items : [value]).map(idOf)
  const [beatmapId = null, second] = ids
  if (typeof beatmapId !== 'number') {
    return refused(beatmapId ?? `${shown(key)} has no beatmap id.`)
  }
  const slot = slotReading(label, beatmapId, 'pair')
  if (second === undefined) {
    const mayBeCount = label.index === null && !isTiebreaker(label)
    return mayBeCount
      ? askWhether(slot, 'Are the numbers at the names of buckets beatmap ids?')
      : slot
  }
  if (ids.length > 2 || typeof second !== 'number') return refused(reasons.severalBeatmaps)
  return asked(
    'There are two beatmaps at a slot. Which one is it?',
    [
      ['The first', slot],
      ['The second', { ...slot, beatmapId: second }],
    ],
    'two ids at a key',
  )
}

/** The label that a key is, if its value can be a beatmap. */
function keyLabel(key: string, value: Literal, codes: BucketCodes): Label | null {
  const code = codeOf(key, codes)
  const label = code === null ? labelOf(key, codes) : { code, index: null }
  if (label?.code == null) return null
  if (label.index === null) {
    const isOne = value.kind !== 'object' && value.kind !== 'list'
    return isOne && (isTiebreaker(label) || typeof idOf(value) === 'number') ? label : null
  }
  const isBeatmap =
    value.kind === 'object'
      ? idMember(value) !== undefined
      : value.kind !== 'list' || value.items.some((item) => idOf(item) !== null)
  return isBeatmap ? label : null
}

function isTiebreaker({ code }: Label): boolean {
  return foldCode(code ?? '') === 'TB'
}

function isCertain(key: string, value: Literal, codes: BucketCodes): boolean {
  const label = labelOf(key, codes)
  const isLabel = isKnown(label, codes) || (label?.code != null && modsOfCode(label.code) !== null)
  if (isLabel || codeOf(key, codes) !== null) return true
  // Buckets of one's own: `RC1`.
  return (
    label?.code != null &&
    label.index !== null &&
    !isRoundName(key) &&
    typeof idOf(value) === 'number'
  )
}

/** `{"NM": {"1": 129891}}`: below a bucket, a small number is that of a slot. */
function indexIn({ code }: Place, key: string, value: Literal): Label | null {
  const index = code === null ? null : readWhole(key)
  const isSlot = index !== null && index >= 1 && index <= 99 && typeof idOf(value) === 'number'
  return isSlot ? { code, index } : null
}
