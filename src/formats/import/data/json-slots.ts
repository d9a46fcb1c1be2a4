import { foldCode } from '../../../pool/slots.ts'
import { shown } from '../../draft-builder.ts'
import type { Literal } from '../../json/parse-literal.ts'
import {
  codeOf,
  difficultySigns,
  type FieldLabel,
  type Find,
  idMember,
  idOf,
  isNothing,
  isNumberedLabel,
  isOfPeople,
  isOther,
  isVagueId,
  labelOf,
  LEAST_ID,
  type LiteralObject,
  type ModFacts,
  type NamedMember,
  names,
  signs,
  textIn,
  wholeOf,
} from './json-fields.ts'
import { areBare, holdsSlots, labelTextOf } from './json-kinds.ts'
import { beatmapsIn, labelWithin, membersOf, onlyLabelIn, readIdWithin } from './json-inside.ts'
import { isFlat, lacksId, planOfFields, planOfValue, planFor, surePlanOf } from './json-plans.ts'
import { DT, LEAST_OLD, ownCode } from '../words/bucket-names.ts'
import { plannedOfSet } from '../words/planned.ts'
import { isOfMods } from '../lines/plans.ts'
import { type BucketCodes, isKnown, type Label, modsOfCode, readWhole } from '../words/labels.ts'
import { readPlainLine } from '../lines/lines.ts'
import {
  asked,
  type AskedReading,
  type Reading,
  reasons,
  refused,
  type RefusedReading,
  skipped,
  slotReading,
  type SlotReading,
} from '../readings.ts'
import { isRoundName } from '../lines/round-names.ts'
import { type ImportMessage, say } from '../import-message.ts'

/** What is known of an object from where it is. */
export type Place = ModFacts & {
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
  // `{ "1": {}, "2": {} }`, `{ "NM1": {} }`
  if (members.every(({ key }) => /^[0-9]{1,2}$/.test(key) || isNumberedLabel(key))) return null
  const label = labelWithin(members, find, codes, place)
  // In one word, `NM3` is the third of NM, whatever is in front of it.
  const isWhole = label.label?.index != null && /^\S+\d$/.test(label.text ?? '')
  const whole = isWhole ? { isSplit: false } : {}
  const named = find(names.ids)
  // Beside a field for the beatmap, `id` is that of a row.
  const isNamed = named.some(({ name }) => !isVagueId(name) && name !== 'link' && name !== 'url')
  const ids = named
    .filter(({ name }) => !isNamed || !isVagueId(name))
    .map((member) => ({ ...member, id: idOf(member.value) }))
    .filter(({ name, id }) => id !== null && (name !== 'id' || typeof id === 'number'))
  const isOne = label.label?.code != null && label.label.index !== null
  const inList =
    ids.length > 0 || !isKnown(label.label, codes) || !isOne ? undefined : listIn(members)
  const readingOf = ({ value }: NamedMember) => readingAt(label.text ?? '', label.label!, value)
  if (inList !== undefined)
    return { reading: readingOf(inList), slotField: label.key, idField: inList.key }
  const [best, ...others] = ids
  const lists = members.filter(({ name, value }) => value.kind === 'list' && !isOfPeople(name))
  if (!(isOne && best !== undefined) && lists.some(({ value }) => holdsSlots(value))) return null
  if (best === undefined) {
    const mods = label.unknown === null ? null : ownCode(label.unknown)
    const known = mods === null ? label.label : { code: mods, index: null }
    const own = ownLabel(known, find, place)
    const isBare =
      place.isBeatmap && members.every(({ value }) => value.kind === 'text' || isNothing(value))
    const isBucket = own !== null && (isOfMods(own, codes) || (isBare && own.code !== null))
    const filling = planOfFields(members)
    const isMap =
      (filling.details?.title ?? filling.placeholder) !== undefined &&
      (place.index !== null || place.haveIds === true || find(['placeholder']).length > 0)
    const isSlot = isOne || (isBucket && (lacksId(find) || isBare || isMap))
    const what = shown(label.text ?? '')
    const reason =
      place.path === '' ? say('noIdOf', { what }) : say('noIdAt', { what, place: place.path })
    const plan = planFor(own ?? label.label, filling, reason)
    const inside = readIdWithin(label.label ?? own, members, plan, codes)
    if (inside !== null) {
      const reading = inside.kind === 'slot' ? { ...inside, ...whole } : inside
      return { reading, slotField: label.key, idField: null }
    }
    if (!isSlot || !isFlat({ members: [...members] })) return null
    return { reading: plan, slotField: label.key, idField: null }
  }
  const fields = { slotField: label.key, idField: best.key }
  // A usual word such as LN may name a kind of map in rows that are counted.
  const isLow = typeof best.id === 'number' && best.id < LEAST_ID
  const isWord =
    isLow &&
    label.text !== null &&
    find(names.mods).some(({ key }) => key === label.key) &&
    codeOf(label.text, codes) === null &&
    !isKnown(labelOf(label.text, codes), codes)
  const isBare = (label.label === null || isWord) && label.unknown === null && place.code === null
  const isVague = isVagueId(best.name)
  const isSure =
    place.isBeatmap ||
    (place.named != null && !isLow) ||
    members.some(({ name }) => difficultySigns.has(name))
  const isUnsure = isBare && isVague && !isSure
  if (isUnsure && !members.some(({ name }) => signs.has(name))) return null
  const own = ownLabel(label.label, find, place)
  if (typeof best.id === 'string') {
    const reading = refused(best.id)
    const linked = best.value.kind === 'text' ? plannedOfSet(best.value.value) : null
    if (own?.code == null || linked === null) return { reading, ...fields }
    const filling = { ...planOfFields(members), ...linked }
    const plan = { label: own, filling, isSure: true, refusal: best.id }
    return { reading: { ...reading, plan }, ...fields }
  }
  const beatmapId = best.id ?? 0
  const rule = label.label !== null ? 'fields' : own === null ? 'alone' : 'keyOfList'
  const note = label.note === null ? {} : { note: label.note }
  const slot = (id: number, at: Label | null): SlotReading => ({
    ...slotReading(at, id, at === null ? 'alone' : rule),
    ...whole,
    ...note,
  })
  const askField = (
    kind: 'fieldsOfBeatmaps' | 'fieldsOfSlots',
    [key, one]: FieldChoice,
    [otherKey, other]: FieldChoice,
  ) => {
    const question = say(kind, { one: key ?? '', other: otherKey ?? '' })
    const choices = [
      [say('inField', { field: key ?? '' }), one],
      [say('inField', { field: otherKey ?? '' }), other],
    ] as const
    return { reading: asked(question, choices, `${key}/${otherKey}`), ...fields }
  }
  if (isUnsure) {
    const unsure = askWhether(slot(beatmapId, null), say('isId', { field: best.key }))
    return { reading: unsure, ...fields }
  }
  const other = others.find(
    ({ id, name }) => typeof id === 'number' && id !== beatmapId && name !== 'id' && name !== 'map',
  )
  if (typeof other?.id === 'number') {
    return askField(
      'fieldsOfBeatmaps',
      [best.key, slot(beatmapId, own)],
      [other.key, slot(other.id, own)],
    )
  }
  if (label.other !== null) {
    return askField(
      'fieldsOfSlots',
      [label.key, slot(beatmapId, label.label)],
      [label.other.key, slot(beatmapId, label.other.label)],
    )
  }
  const code = find(names.mods).some(({ key }) => key === label.key) ? label.text : null
  if (code !== null && isOne && place.doubted?.has(code) === true) {
    const question = say('whichBucket', { what: shown(code) })
    const choices = [
      [say('newBucket', { code }), slot(beatmapId, { code, index: null })],
      [say('newBucket', { code: label.label?.code ?? '' }), slot(beatmapId, label.label)],
    ] as const
    return { reading: asked(question, choices, `bucket ${code}`), ...fields }
  }
  const unknown = readUnknown(label, slot, beatmapId)
  return { reading: unknown ?? slot(beatmapId, own), ...fields }
}

const listIn = (members: readonly NamedMember[]): NamedMember | undefined =>
  members.find(
    ({ name, value }) =>
      /^(?:beatmap|map)?ids$|^(?:beat)?maps$/.test(name) &&
      value.kind === 'list' &&
      value.items.length > 0 &&
      areBare([{ value }]) &&
      value.items.every((item) => typeof idOf(item) === 'number'),
  )

/** The label of an object; a number without a bucket is in that of the key above. */
function ownLabel(label: Label | null, find: Find, { code, index }: Place): Label | null {
  if (label?.code != null || code === null) return label
  const [number] = find(names.inBucket).flatMap(({ value }) => wholeOf(value) ?? [])
  return { code, index: label?.index ?? number ?? index }
}

/** Mods that are no known bucket: a code makes one, other words are asked. */
function readUnknown(
  { unknown, label, key }: FieldLabel,
  slot: (id: number, at: Label | null) => SlotReading,
  beatmapId: number,
): AskedReading | SlotReading | null {
  if (unknown === null || label !== null) return null
  const code = ownCode(unknown)
  if (code === null) return null
  if (key === null && likeCode.test(unknown)) return slot(beatmapId, { code: unknown, index: null })
  return asked(
    say('whichBucket', { what: shown(unknown) }),
    [
      [say('newBucket', { code }), slot(beatmapId, { code, index: null })],
      [say('noBucket'), slot(beatmapId, null)],
    ],
    `bucket ${code}`,
  )
}

/** As the tournament client writes buckets of one's own; longer words may say something else of the beatmap. */
const likeCode = /^[A-Z][A-Za-z]{1,3}$/
/**
 * A beatmap in a list: a label in front of its link goes before the key above the list.
 *
 * @param place `numbers` is the question, if there is one, whether those of the list are ids.
 */
export function readInList(
  value: Literal,
  beatmapId: number,
  place: Pick<Place, 'code' | 'index'> & { readonly numbers: boolean | ImportMessage },
  codes: BucketCodes,
): Reading {
  const reading = labelledInList(value, beatmapId, place, codes)
  return typeof place.numbers === 'string' && reading.kind === 'slot'
    ? askWhether(reading, place.numbers)
    : reading
}

function labelledInList(
  value: Literal,
  beatmapId: number,
  { code, index }: Pick<Place, 'code' | 'index'>,
  codes: BucketCodes,
): SlotReading | RefusedReading {
  const own = value.kind === 'text' ? readPlainLine(value.value, codes) : null
  const label = own?.kind === 'slot' && own.isTitled !== true ? own.label : null
  if (label?.code != null && label.index !== null) {
    const isOfKey = code !== null && foldCode(label.code) === foldCode(code)
    if (isOfKey || isKnown(label, codes)) return slotReading(label, beatmapId, 'line')
    if (code !== null) return refused(reasons.unclearSlot)
  }
  return code === null
    ? slotReading(null, beatmapId, 'numbers')
    : slotReading({ code, index }, beatmapId, 'keyOfList')
}

/** Asks once for all of a key whether a number in it is a beatmap's id. */
export function askWhether(reading: SlotReading, question: ImportMessage): AskedReading {
  const choices = [
    [say('areIdsThen'), reading],
    [say('leaveThem'), skipped],
  ] as const
  return asked(question, choices, question)
}

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
  const known = value.kind === 'object' ? labelOf(key, codes) : null
  if (known?.index != null && isKnown(known, codes)) {
    const items = beatmapsIn(value)
    if (items.length > 0) return readingAt(key, known, { ...value, kind: 'list', items })
    const without = refused(say('noIdOf', { what: shown(key) }))
    const inside = readIdWithin(known, membersOf(value), without, codes)
    if (inside !== null) return inside
  }
  const other = isPairs ? labelOf(key, codes, true) : null
  const otherId = other === null || value.kind === 'object' ? null : idOf(value)
  if (other !== null && typeof otherId === 'number' && otherId >= LEAST_ID && !isRoundName(key)) {
    return askWhether(slotReading(other, otherId, 'pair'), say('areIdsIn', { what: shown(key) }))
  }
  const id = readWhole(key) ?? 0
  const named = labelOf(labelTextOf(value) ?? '', codes)
  const own =
    named ?? (id >= LEAST_ID ? (onlyLabelIn(value, codes) ?? bucketIn(value, codes)) : null)
  if (own === null || id < 1) return null
  const field = value.kind === 'object' ? idOf(value) : null
  const byKey = slotReading(own, id, 'pair')
  if (typeof field !== 'number' || field === id) return byKey
  return asked(
    say('keyOrField'),
    [
      [say('inKey'), byKey],
      [say('inTheField'), { ...byKey, beatmapId: field }],
    ],
    'key or field',
  )
}

/** The bucket that is a text, or that the mods of an object name which is about a beatmap alone. */
function bucketIn(value: Literal, codes: BucketCodes): Label | null {
  const isOthers = membersOf(value).some(({ name }) => isOther(name) && !signs.has(name))
  const text = value.kind === 'object' ? textIn(value, names.mods) : labelTextOf(value)
  const code = isOthers || text === null ? null : codeOf(text, codes)
  return code === null ? null : { code, index: null }
}

/** What a key that is a label says with its value. */
function readingAt(key: string, label: Label, value: Literal): Reading {
  const all = value.kind === 'list' ? value.items : [value]
  const given = all.map(idOf).filter((id) => id !== null)
  // `(129891, 0)` has the mods of its beatmap, `[129891, "Artist - Title"]` its name.
  const isBits = (id: string | number): boolean =>
    typeof id === 'number' && (id < LEAST_OLD || id === DT)
  const isOne = typeof given[0] === 'number' && given[0] >= LEAST_ID
  const ids = given.filter((id, at) => at === 0 || !isOne || !isBits(id))
  const [beatmapId = null, second] = ids
  if (typeof beatmapId !== 'number') {
    const reason = beatmapId ?? say('noIdOf', { what: shown(key) })
    const planned = value.kind === 'list' ? null : planOfValue(value)
    return planned === null ? refused(reason) : planFor(label, planned, reason)
  }
  const slot = slotReading(label, beatmapId, 'pair')
  if (second === undefined) {
    const mayBeCount = label.index === null && !isTiebreaker(label)
    return mayBeCount ? askWhether(slot, say('areIdsOfBuckets')) : slot
  }
  if (ids.length > 2 || typeof second !== 'number') return refused(reasons.severalBeatmaps)
  return asked(
    say('twoAtSlot'),
    [
      [say('first'), slot],
      [say('second'), { ...slot, beatmapId: second }],
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
      ? idMember(value) !== undefined || (isKnown(label, codes) && planOfValue(value) !== null)
      : value.kind !== 'list' || value.items.some((item) => idOf(item) !== null)
  return isBeatmap ? label : null
}

const isTiebreaker = ({ code }: Label): boolean => foldCode(code ?? '') === 'TB'

function isCertain(key: string, value: Literal, codes: BucketCodes): boolean {
  const label = labelOf(key, codes)
  const isLabel = isKnown(label, codes) || (label?.code != null && modsOfCode(label.code) !== null)
  const isOwn = label?.code != null && !isRoundName(key)
  // Buckets of one's own: `RC1`.
  return isLabel || codeOf(key, codes) !== null || (isOwn && typeof idOf(value) === 'number')
}

/** `{"NM": {"1": 129891}}`: below a bucket, a small number is that of a slot. */
function indexIn({ code }: Place, key: string, value: Literal): Label | null {
  const index = code === null ? null : readWhole(key)
  const isFilled = typeof idOf(value) === 'number' || surePlanOf(value) !== null
  return index !== null && index >= 1 && index <= 99 && isFilled ? { code, index } : null
}
