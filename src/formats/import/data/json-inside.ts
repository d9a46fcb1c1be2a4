import { findTargets } from '../../../pool/beatmap-links.ts'
import { shown } from '../../draft-builder.ts'
import type { Literal } from '../../json/parse-literal.ts'
import { LARGEST_ID } from '../lines/plausible-ids.ts'
import { asked, type Choice, type Reading, slotReading } from '../readings.ts'
import { holdsSets } from '../tables/column-names.ts'
import { type BucketCodes, isKnown, type Label, readWhole } from '../words/labels.ts'
import { say } from '../import-message.ts'
import { holdsSlots, isPart, isSpareKey } from './json-kinds.ts'
import { ofFacts, planFor, planOfFields } from './json-plans.ts'
import { namesRound } from './json-rounds.ts'
import {
  beatmapLists,
  codeOf,
  containers,
  type FieldLabel,
  type Find,
  holders,
  idOf,
  isNothing,
  isNumberedLabel,
  isOther,
  isVagueId,
  labelIn,
  labelOf,
  LEAST_ID,
  type LiteralObject,
  type ModFacts,
  type NamedMember,
  names,
  plainName,
  signs,
  textIn,
  wholeOf,
} from './json-fields.ts'

// What an object about one beatmap says of it in the objects and lists inside it.

/** A text, number or word at any depth. */
export type Leaf = NamedMember & {
  /** The keys that lead to it. */
  readonly path: string
  /** Whether a key above it says that it is about people, sets or anything else. */
  readonly isOthers: boolean
  /** Whether it is no item of a list. */
  readonly isOne: boolean
}

/** Deeper ones are not looked for. */
const [DEPTH, MOST_LEAVES] = [6, 200]
/** Longer lists have a thing of each item. */
const MOST_ITEMS = 3
/** What names more of them is about several beatmaps. */
const MOST_PLACES = 2

/** The values in an object without parts. Lists of several objects are about several things. */
export function leavesOf(members: readonly NamedMember[]): Leaf[] {
  const leaves: Leaf[] = []
  const open = [{ members, path: '', isOthers: false, depth: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { key, name, value, start } of next.members) {
      const path = next.path === '' ? key : `${next.path}.${key}`
      const isOthers = next.isOthers || isOther(name) || holdsSets(key) || isSpareKey(key, name)
      const depth = next.depth + 1
      const parts = value.kind === 'list' ? value.items : [value]
      if (parts.length > MOST_ITEMS) continue
      for (const part of parts) {
        if (leaves.length >= MOST_LEAVES) return leaves
        const isOne = parts.length === 1
        if (part.kind === 'object') {
          if (isOne && depth < DEPTH) open.push({ members: membersOf(part), path, isOthers, depth })
        } else if (part.kind !== 'list') {
          leaves.push({ key, name, value: part, start, path, isOthers, isOne: part === value })
        }
      }
    }
  }
  return leaves
}

export function membersOf(value: Literal): NamedMember[] {
  if (value.kind === 'list') return value.items.flatMap(membersOf)
  if (value.kind !== 'object') return []
  return value.members.map((each) => ({ ...each, name: plainName(each.key) }))
}

/** What an object's own fields say of its place, else what is inside them: the one label there, or two to choose from. */
export function labelWithin(
  members: readonly NamedMember[],
  find: Find,
  codes: BucketCodes,
  facts: ModFacts,
): FieldLabel {
  const own = labelIn(find, codes, facts)
  if (own.label !== null || own.unknown !== null) return own
  const found: { label: Label; key: string; text: string }[] = []
  const withIds = members.filter((member) => idsWithin([member]).length > 0)
  for (const member of members) {
    // Its beatmap is beside it.
    const isBeside = withIds.some((each) => each !== member)
    const isHolder = holders.has(member.name)
    const isOwn = member.value.kind === 'object' && withIds.includes(member)
    // Below an id is what belongs to its beatmap.
    const isOfId = (readWhole(member.key) ?? 0) >= LEAST_ID
    if (isOfId || (!isHolder && (!isBeside || isOwn))) continue
    const leaves = leavesOf([member])
    const inner = member.value.kind === 'object' || member.value.kind === 'list' ? leaves : []
    // What a field for the bucket or the label holds, whatever it is called in there.
    const isOwnName = ({ value }: Leaf, name: string): boolean =>
      value.kind === 'text' &&
      member.name === name &&
      (names.mods.includes(name)
        ? codeOf(value.value, codes) !== null
        : labelOf(value.value, codes) !== null)
    const { label, text } = labelIn(
      (wanted) =>
        wanted.flatMap((name) =>
          inner.filter((leaf) => leaf.name === name || isOwnName(leaf, name)),
        ),
      codes,
    )
    if (label?.code != null) found.push({ label, key: member.key, text: text ?? '' })
    for (const { key, value, path } of leaves) {
      const isPair = readWhole(key) !== null
      const other = value.kind === 'text' && !isPair ? labelOf(value.value, codes) : null
      if (value.kind === 'text' && other !== null && isNumberedLabel(value.value))
        found.push({ label: other, key: path, text: value.value })
    }
  }
  const whole = found.filter(({ label }) => label.index !== null)
  const [first, ...others] = whole.length > 0 ? whole : found
  if (first === undefined) return own
  const { code, index } = first.label
  const places = new Set(whole.map(({ label }) => `${label.code}${label.index}`))
  if (places.size > MOST_PLACES) return own
  const other = others.find(({ label }) => label.code !== code || label.index !== index) ?? null
  return { ...own, ...first, other }
}

/** The label of a part at any depth, if there is one. */
export function onlyLabelIn(value: Literal, codes: BucketCodes): Label | null {
  const found = leavesOf(membersOf(value)).flatMap(({ key, value: each }) =>
    each.kind === 'text' && readWhole(key) === null && isNumberedLabel(each.value)
      ? (labelOf(each.value, codes) ?? [])
      : [],
  )
  const places = new Set(found.map(({ code, index }) => `${code}${index}`))
  return places.size === 1 ? found[0]! : null
}

/** Names of what is counted or measured. */
const counts =
  /(?:at|by|count|length|drain|points?|size|season|edition|prize|max|min|total|timestamp|port|duration|delay|timer|limit|bpm|players?|combo|plays|passes|favou?rites|width|height|offset|time|objects|circles|sliders)$/
const grouped = /^\D{0,6}([1-9][0-9]{0,2}(?:[,. '_\u00a0][0-9]{3})+|[1-9][0-9]{3,7})\D{0,2}$/

type FoundId = { readonly id: number; readonly leaf: Leaf; readonly isSure: boolean }

/** The ids of beatmaps that an object may have where none of its fields is known to hold one. */
function idsWithin(members: readonly NamedMember[]): FoundId[] {
  const all = leavesOf(members)
  // Beside a field for the beatmap, `id` is that of a row.
  const isNamed = all.some(
    ({ name, value }) =>
      names.ids.includes(name) &&
      !/^(?:id|map|link|url)$/.test(name) &&
      (isNothing(value) || idOf(value) !== null),
  )
  return all.flatMap((leaf): FoundId[] => {
    const { key, name, value, isOthers, isOne } = leaf
    if (isNamed && isVagueId(name)) return []
    if (isOthers || readWhole(key) !== null || value.kind === 'word') return []
    const isId = names.ids.includes(name)
    if (value.kind === 'text') {
      const [target, another] = findTargets(value.value)
      const id = another === undefined ? (target?.beatmapId ?? null) : null
      if (id !== null) return [{ id, leaf, isSure: true }]
    }
    if (!isOne) return []
    if (!isId && (counts.test(name) || (signs.has(name) && value.kind === 'text'))) return []
    const digits =
      value.kind === 'text' ? grouped.exec(value.value)?.[1]?.replaceAll(/\D/g, '') : ''
    const id = value.kind === 'text' ? Number(digits ?? Number.NaN) : (wholeOf(value) ?? 0)
    if (!(id >= LEAST_ID && id <= LARGEST_ID)) return []
    const isNamedSo = isId && (!isVagueId(name) || (name === 'id' && isOfBeatmap(leaf, all)))
    return [{ id, leaf, isSure: isNamedSo && wholeOf(value) === id }]
  })
}

/** Whether artist, title and difficulty stand beside an id: it is that of the beatmap that they name. */
function isOfBeatmap({ path, key }: Leaf, all: readonly Leaf[]): boolean {
  const within = path.slice(0, path.length - key.length)
  const own = new Set(all.flatMap((each) => (each.path === within + each.key ? [each.name] : [])))
  return (
    own.has('artist') &&
    own.has('title') &&
    /^(?:difficulty|version|diff)$/m.test([...own].join('\n'))
  )
}

/** A slot whose id is in no usual place: taken where its field is named after it, else asked; null where there is none. */
export function readIdWithin(
  label: Label | null,
  members: readonly NamedMember[],
  planned: Choice['reading'],
  codes: BucketCodes,
): Reading | null {
  if (label?.code == null) return null
  const all = idsWithin(members)
  const sure = all.filter(({ isSure }) => isSure)
  const found = sure.length > 0 ? sure : all
  const [first] = found
  if (first === undefined) return null
  const distinct = new Map(found.map((each) => [each.id, each]))
  const isOfSeveral = found.some(({ leaf }) => labelOf(leaf.key, codes) !== null)
  if (isOfSeveral || (distinct.size > 2 && found.some(({ leaf }) => leaf.path !== leaf.key)))
    return null
  const [, second] = distinct.values()
  const one = slotReading(label, first.id, 'fields')
  const field = first.leaf.path
  if (second === undefined) {
    if (first.isSure && isKnown(label, codes)) return one
    const choices = [
      [say('yesUseIt'), one],
      [say('noLeaveIt'), planned],
    ] as const
    return asked(say('isId', { field }), choices, `inside ${first.leaf.key}`)
  }
  const other = second.leaf.path
  const choices = [
    [say('inField', { field }), one],
    [say('inField', { field: other }), { ...one, beatmapId: second.id }],
    [say('noLeaveIt'), planned],
  ] as const
  return asked(say('fieldsOfBeatmaps', { one: field, other }), choices, `${field}/${other}`)
}

/** A label, which may be a key, with an id anywhere below it. */
export function lostWithin(
  key: string | null,
  value: Literal,
  isBeside: boolean,
  codes: BucketCodes,
): Reading | null {
  if (value.kind !== 'object') return null
  const named = key === null ? null : labelOf(key, codes)
  const label = named?.index != null && isKnown(named, codes) ? named : onlyLabelIn(value, codes)
  const members = membersOf(value)
  if (label === null) return null
  const what = shown(`${label.code ?? ''}${label.index ?? ''}`)
  const plan = planFor(label, planOfFields(members), say('noIdOf', { what }))
  return (
    readIdWithin(label, members, plan, codes) ??
    (isBeside && textIn(value, names.codes) !== null ? plan : null)
  )
}

/** Whether an object is about one beatmap: it has one id at any depth, below no label and in no list. */
export function isOneBeatmap(value: Literal, codes: BucketCodes): boolean {
  const members = membersOf(value)
  const hasLists = members.some(({ value: each }) => each.kind === 'list' && holdsSlots(each))
  if (value.kind !== 'object' || hasLists) return false
  const found = idsWithin(members)
  const isKey = (key: string): boolean =>
    !holders.has(plainName(key)) && (codeOf(key, codes) !== null || labelOf(key, codes) !== null)
  return (
    new Set(found.map(({ id }) => id)).size === 1 &&
    !found.some(({ leaf }) => leaf.path.split('.').some(isKey))
  )
}

/** The key of all slots of an object, which is no name: `{ "meta": { "name": "Finals" }, "content": { "maps": [] } }`. */
export function wrapperIn(members: readonly NamedMember[], codes: BucketCodes): string | null {
  const [only, second] = members.filter(
    ({ name, value }) => isPart(value) && holdsSlots(value) && !ofFacts.has(name),
  )
  const isWrapper =
    only?.value.kind === 'object' &&
    second === undefined &&
    !containers.has(only.name) &&
    !namesRound(only.key) &&
    codeOf(only.key, codes) === null &&
    labelOf(only.key, codes) === null
  return isWrapper ? only.key : null
}

/** The beatmaps of a set that a label has for its value, three objects deep. */
export function beatmapsIn(value: Literal, depth = 3): Literal[] {
  if (value.kind !== 'object' || depth === 0) return []
  return value.members.flatMap(({ key, value: each }) =>
    each.kind === 'list' && beatmapLists.has(plainName(key))
      ? each.items.filter((item) => typeof idOf(item) === 'number')
      : beatmapsIn(each, depth - 1),
  )
}

/** `{ "group": { "name": "NoMod", "maps": [] } }`: the object that is all of another one. */
export function onlyWithin(value: LiteralObject): LiteralObject {
  const [only, second] = value.members
  return second === undefined && only?.value.kind === 'object' ? only.value : value
}
