import { listedIn } from './text-ids.ts'
import { inEnglishAll } from '../../../pool/checks.ts'
import { roundFields, type SentRoundFields, slotFields } from '../../../pool/round-fields.ts'
import { foldCode, isBuiltinCode } from '../../../pool/slots.ts'
import { fault, FormatError } from '../../format-error.ts'
import type { Literal } from '../../json/parse-literal.ts'
import {
  codeOf,
  type Find,
  holders,
  idMember,
  idOf,
  isNothing,
  isNumberedLabel,
  isOfPeople,
  labelOf,
  LEAST_ID,
  type LiteralObject,
  type ModFacts,
  type NamedMember,
  names,
  plainName,
  textIn,
  wholeOf,
  words,
} from './json-fields.ts'
import { LEAST_OLD } from '../words/bucket-names.ts'
import type { BucketCodes, Label } from '../words/labels.ts'
import {
  planReading,
  type Reading,
  reasons,
  refused,
  type RefusedReading,
  slotReading,
} from '../readings.ts'
import { holdsSets } from '../tables/column-names.ts'
import { isOfRounds } from './json-rounds.ts'
import {
  cutPlanned,
  fileLinkOf,
  isOfSet,
  isUndecided,
  linkOfSet,
  type Planned,
  plannedOf,
} from '../words/planned.ts'
import { type ImportMessage, say } from '../import-message.ts'

/** A slot without the id of a beatmap; the id of a set plans it, for a round. */
export function planFor(
  label: Label | null,
  filling: Planned,
  reason: ImportMessage,
): RefusedReading {
  if (!isOfSet(filling)) return planReading(label, filling, reason)
  const refusal = reasons.setId
  return { ...refused(refusal), plan: { label, filling, isSure: true, refusal } }
}

const fieldsOf = {
  artist: ['artist', 'songartist'],
  title: ['title', 'song', 'songname', 'songtitle'],
  difficulty: ['difficulty', 'version', 'diff', 'difficultyname', 'diffname'],
  mapper: ['mapper', 'creator', 'mappers'],
  placeholder: ['placeholder', 'note', 'notes', 'comment', 'status'],
} as const

/** Keys of objects about a map that is not on the platform. */
const ofPlans = new Set(words('details custombeatmap custommap'))

/** What the fields of an object without a beatmap say of the map. */
export function planOfFields(members: readonly NamedMember[]): Planned {
  const textOf = (wanted: readonly string[]): string | undefined =>
    wanted.flatMap((name) => {
      const value = members.find((member) => member.name === name)?.value
      return value?.kind === 'text' && value.value.trim() !== '' ? [value.value] : []
    })[0]
  const [inner] = members.flatMap(({ name, value }) =>
    (holders.has(name) || ofPlans.has(name)) && value.kind === 'object'
      ? [planOfFields(withNames(value))]
      : [],
  )
  const [artist, title] = [textOf(fieldsOf.artist), textOf(fieldsOf.title)]
  // The name of a file, or a song, in place of an id or as the only text.
  const inPlace = textOf(names.ids)
  const name = artist === undefined ? (title ?? inPlace) : inPlace
  const read = name === undefined ? {} : plannedOf(name)
  const isOpen = title !== undefined && isUndecided(title)
  const isWhole = read.details !== undefined && artist === undefined
  const links = members.flatMap(({ value }) =>
    value.kind === 'text' ? (fileLinkOf(value.value) ?? []) : [],
  )
  const known = {
    ...read.details,
    ...inner?.details,
    ...(artist !== undefined && { artist }),
    ...(title !== undefined && !isOpen && !isWhole && { title }),
    ...someOf('difficulty', textOf(fieldsOf.difficulty)),
    ...someOf('mapper', textOf(fieldsOf.mapper)),
  }
  const ownText = isOpen || title === undefined ? read.placeholder : undefined
  const placeholder = textOf(fieldsOf.placeholder) ?? ownText
  const [set] = members.flatMap(({ name, value }) =>
    holdsSets(name) && (value.kind === 'number' || value.kind === 'text')
      ? (linkOfSet(String(value.value)) ?? [])
      : [],
  )
  const link = set ?? links[0] ?? inner?.link
  return cutPlanned({
    ...(placeholder !== undefined && { placeholder }),
    details: known,
    ...(link !== undefined && { link }),
  })
}

function someOf(name: string, text: string | undefined): Record<string, string> {
  return text === undefined ? {} : { [name]: text }
}

/** @param nameOf what a key is called; by itself, unless its list says more. */
export function withNames(
  { members }: Pick<LiteralObject, 'members'>,
  nameOf: (key: string) => string = plainName,
): NamedMember[] {
  return members.map((member) => {
    const name = nameOf(member.key)
    // `{ "group": { "slot": "NM1", "id": 129891 } }` is about the beatmap inside.
    const isAround = members.length === 1 && isLabelled(member.value)
    const mayBe = !isAround && (mayBeObject.has(name) || isOfRounds(member.key))
    const text = mayBe ? textInside({ ...member, name }) : null
    return text === null
      ? { ...member, name, value: listedIn(member.value) }
      : { ...member, name, value: { ...member.value, kind: 'text' as const, value: text } }
  })
}

const likeLabel = /^(?:\p{L}{1,4}[ _-]?[0-9]{1,2}|TB)$/u
const isLabelled = (value: Literal): boolean =>
  value.kind === 'object' &&
  !isRowId(idOf(value) ?? 0) &&
  value.members.some(({ value: each }) => each.kind === 'text' && likeLabel.test(each.value))

/** What a value in the place of a beatmap's id plans; null if it says nothing of a map. */
export function planOfValue(value: Literal): Planned | null {
  if (isNothing(value) || (value.kind === 'object' && value.members.length === 0)) return {}
  if (value.kind === 'text') return typeof idOf(value) === 'string' ? null : plannedOf(value.value)
  if (value.kind !== 'object' || !isFlat(value)) return null
  const members = withNames(value)
  const isEmpty = members.some(({ name, value: each }) => isIdName(name) && isNothing(each))
  const planned = planOfFields(members)
  const isMap =
    planned.details?.title !== undefined || planned.placeholder !== undefined || isOfSet(planned)
  return idMember(value) === undefined || isEmpty ? (isMap || isEmpty ? planned : null) : null
}

/** As `planOfValue`, of a value that may as well be about something else. */
export function surePlanOf(value: Literal): Planned | null {
  const planned = planOfValue(value)
  if (planned === null || value.kind !== 'text') return planned
  const { placeholder = '', details, link } = planned
  return isUndecided(placeholder) || details !== undefined || link !== undefined ? planned : null
}

/** Whether an object has no parts of its own, details and people aside. */
export function isFlat({ members }: Pick<LiteralObject, 'members'>): boolean {
  const isScalar = ({ key, value: { kind } }: LiteralObject['members'][number]): boolean =>
    (kind !== 'object' && kind !== 'list') || isOfPeople(plainName(key))
  return members.every((member) => {
    const { key, value } = member
    const name = plainName(key)
    const isInner = value.kind === 'object' && (holders.has(name) || ofPlans.has(name))
    return key === 'details' || isScalar(member) || (isInner && value.members.every(isScalar))
  })
}

const isRowId = (id: unknown): boolean => typeof id === 'number' && id < LEAST_ID
const mayBeObject = new Set<string>([...names.labels, ...names.mods, ...names.roundsOfRows])
const ofTexts = [...names.mods, ...names.codes, ...names.labels, ...names.rounds, 'text', 'value']

/** What an object in the place of a label or a name says: `{ "name": "NoMod", "colour": "red" }`; null for others. */
function textInside({ key, name, value }: NamedMember): string | null {
  if (value.kind !== 'object' || !isFlat(value)) return null
  // Rounds and mods have ids of their own.
  const id = idOf(value)
  if (id !== null && (names.labels.includes(name) || typeof id === 'string') && !isRowId(id))
    return null
  if (value.members.some((each) => isNumberedLabel(each.key))) return null
  // `{ "name": "None", "short": "NM" }`
  const codes = value.members.flatMap(({ value: each }) =>
    each.kind === 'text' && isBuiltinCode(foldCode(each.value)) ? [each.value] : [],
  )
  const only = names.mods.includes(name) && new Set(codes).size === 1 ? codes[0]! : null
  const numbers = value.members.flatMap((each) => {
    const whole = wholeOf(each.value)
    return whole === null ? [] : [{ key: each.key, whole }]
  })
  const [number] = numbers
  const pair = number === undefined ? '' : `${number.key} ${number.whole}`
  if (value.members.length === 1 && isNumberedLabel(pair)) return pair
  const place = textIn(value, [...names.mods, ...names.codes])
  const text = place ?? only ?? textIn(value, ofTexts)
  // `"pool": { "mod": "NM", "number": 1 }` is a place in a pool, and no name of one.
  if (isOfRounds(key) && place !== null && isPlace(place)) return null
  if (isOfRounds(key)) return text ?? (number === undefined ? null : `${key} ${number.whole}`)
  const index = numbers.find((each) => names.indexes.includes(plainName(each.key)))
  return text === null || index === undefined || name === 'name' ? text : `${text} ${index.whole}`
}

const isPlace = (text: string): boolean => isBuiltinCode(foldCode(text)) || isNumberedLabel(text)

/** Keys of what is said of a group as a whole. */
export const ofFacts = new Set(
  words('info meta metadata details header properties attributes settings config'),
)

export const textsIn = (value: Literal, depth = 3): string[] => {
  if (value.kind === 'text') return [value.value]
  return value.kind === 'object' && depth > 0
    ? value.members.flatMap((member) => textsIn(member.value, depth - 1))
    : []
}

const isIdName = (name: string): boolean => names.ids.includes(name)

/** Whether an object has a field for an id in which there is none. */
export function lacksId(find: Find): boolean {
  return find(names.ids).some(({ value }) => isNothing(value) || value.kind === 'text')
}

/** `["NM1", 129891]`, in either order. */
export function readPairList(first: Literal, second: Literal, codes: BucketCodes): Reading | null {
  for (const [name, id] of [
    [first, second],
    [second, first],
  ] as const) {
    const label = name.kind === 'text' ? labelOf(name.value, codes) : null
    const beatmapId = label === null ? null : idOf(id)
    if (typeof beatmapId === 'number') return slotReading(label, beatmapId, 'pair')
    const planned = label === null || beatmapId !== null ? null : surePlanOf(id)
    if (planned !== null) return planFor(label, planned, say('noId'))
  }
  return null
}

/** As `readPairList`; where no pair of the list has a slot, its bucket: `["NM", 129891]`. */
export function readPairOf(
  [first, second, more]: readonly Literal[],
  codes: BucketCodes,
  { arePairs: areSlots = false, areIdPairs = false }: ModFacts,
): Reading | null {
  if (first === undefined || second === undefined || more !== undefined) return null
  const pair = readPairList(first, second, codes)
  if (pair !== null || areSlots) return pair
  const [name, id] = idOf(second) === null ? [second, first] : [first, second]
  const code = name.kind === 'text' ? codeOf(name.value, codes) : null
  const beatmapId = code === null ? null : idOf(id)
  // A low number is that of its mods, or of its beatmaps, unless others in its place are ids.
  const least = areIdPairs ? LEAST_OLD : LEAST_ID
  const isId = typeof beatmapId === 'number' && (beatmapId >= least || id.kind === 'text')
  if (areIdPairs && beatmapId !== null && !isId) return refused(reasons.noBeatmap)
  return isId ? slotReading({ code, index: null }, beatmapId, 'pair') : null
}

/** The fields of a round, each by itself, and why others are left out. */
export function ownFields(pool: object, prefix: string) {
  const notes: ImportMessage[] = []
  const leave = (problem: FormatError['problem']): void => {
    notes.push(say('fieldLeftOut', { problem: { message: problem } }))
  }
  const read = roundFields.names.map((field): SentRoundFields => {
    const value: unknown = Reflect.get(pool, field) ?? undefined
    try {
      const own = roundFields.read({ [field]: value }, (place, what) => {
        throw new FormatError(fault('mustBe', { place: prefix + place, what }))
      })
      const [problem] = inEnglishAll(roundFields.find(own))
      if (problem === undefined) return own
      leave(fault('notAPool', { ...problem, place: prefix + problem.place }))
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      leave(error.problem)
    }
    return {}
  })
  return { fields: Object.assign({}, ...read) as SentRoundFields, notes }
}

/** @throws FormatError with the path of what is of another type. */
export function fillingOf(slot: unknown, place: string): Planned {
  const { beatmapId: _, ...fields } = slot as Record<string, unknown>
  return cutPlanned(
    slotFields.read(fields, (field, what) => {
      throw new FormatError(fault('mustBe', { place: `${place}.${field}`, what }))
    }),
  )
}
