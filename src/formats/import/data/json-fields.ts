import { idInText } from './text-ids.ts'
import { findTargets } from '../../../pool/beatmap-links.ts'
import type { Literal, Member } from '../../json/parse-literal.ts'
import { codeOfBits, usualCode } from '../words/bucket-names.ts'
import {
  codeOfWords,
  type BucketCodes,
  isKnown,
  type Label,
  modsOfCode,
  readLabel,
  readWhole,
  readWords,
  texts,
  tidy,
} from '../words/labels.ts'
import { roleOf, type Role } from '../tables/column-names.ts'
import { reasons } from '../readings.ts'
import { type ImportMessage, say } from '../import-message.ts'

export const words = (text: string): readonly string[] => text.split(' ')

/** What fields are called, in lower case and without signs, the likeliest first. */
export const names = {
  ids: words(
    'beatmapid mapid bid beatmap diffid difficultyid beatmaplink maplink link url beatmapurl mapurl map id',
  ),
  labels: words(
    'code slot pick label sheetid slotname mapslot poolslot tag name identifier position modslot modid',
  ),
  mods: words(
    'mods mod modcombination modcomb modpool modname modtype modgroup modcategory modcode bucket category group type acronym',
  ),
  /** They hold a label and nothing else, even where the label is of no known form. */
  codes: words('code slot pick sheetid slotname mapslot poolslot identifier modslot modid'),
  indexes: words('index number order num slotnumber modindex slotindex position nr no'),
  /** They name the number where those of each bucket differ. */
  orders: words('maporder sortorder poolorder sort ordering'),
  /** They may hold the number alone. */
  bare: words('code slot pick identifier'),
  /** Their number counts within a bucket. */
  inBucket: words('index slotindex modindex slotnumber number num'),
  rounds: words(
    'name round roundname stage stagename title label pool tier nombre nome nom titulo titre titel',
  ),
  roundsOfRows: words('round roundname stage stagename'),
} as const

/** Keys of lists that hold beatmaps, and say nothing of where they belong. */
export const containers = new Set(
  words(
    'rounds round stages stage maps beatmaps beatmapsets map pool pools mappool mappools slots picks songs data values rows items entries list beatmapids mapids ids tournament tournaments packs pack sheets result results',
  ),
)
/** What only an object about one difficulty has: without a label, too, its `id` is a beatmap's. */
export const difficultySigns: ReadonlySet<string> = new Set(
  words('beatmapsetid setid difficultyrating starrating stars version checksum'),
)
/** What only an object about a beatmap has: its `id` is the beatmap's. */
export const signs: ReadonlySet<string> = new Set([
  ...difficultySigns,
  ...words('bpm ar od cs artist title mapper creator mode'),
])
/** What only an object about a set has, which is no round. */
export const setSigns = new Set(words('artist creator userid mapper ranked'))
/** Keys of lists of beatmaps: the `id` of an object in them is the beatmap's. */
export const beatmapLists = new Set(words('beatmaps maps'))
const people =
  '(?:[a-z]{0,10}?)(?:player|user|member|referee|ref|streamer|commentator|caster|mapper|host|staff|captain|team|modder|participant)s?'
/** Keys of what is never a beatmap. */
const others = new RegExp(
  `^(?:${people}(?:ids?|names?|numbers?)?|seeds?|seedingresults|scores?|score(?:ids?|v2)|bans?|picksbans|protects?|rolls?|match(?:es|ids?)?|lobb(?:y|ies)|setids?|beatmapsetids?|playcounts?|version|colou?rs?|rgb|tags?|years?|dates?|times?|schedules?|prizes?|ranks?)$`,
)
export const isOther = (name: string): boolean => others.test(name)
const ofPeople = new RegExp(`^${people}$`)
export const isOfPeople = (name: string): boolean => ofPeople.test(name)
export type LiteralObject = Extract<Literal, { kind: 'object' }>
export type Span = { readonly start: number; readonly end: number }
export type NamedMember = Member & { readonly name: string }
export type Find = (names: readonly string[]) => readonly NamedMember[]

/**
 * A label with a number: `NM1`, `Hidden 2`, `RC1`.
 *
 * @param isCode whether the text is a label if it can be one, in any case: `HiS1`, `special1`.
 */
export function labelOf(text: string, codes: BucketCodes, isCode = false): Label | null {
  if (text.length > 40) return null
  const words = texts(readWords(tidy(text)))
  const index = readWhole(words.at(-1))
  const named =
    words.length > 1 && index !== null && index <= 99 ? codeOfWords(words.slice(0, -1)) : null
  if (named !== null) return { code: named, index }
  if (codeOfWords(words) === 'TB') return { code: 'TB', index: null }
  const label = readLabel(words, codes)
  if (label?.code == null) return null
  if (label.index === null) return foldIsTb(label.code) ? label : null
  const { code } = label
  const isShort = code.length <= 4 && code === code.toUpperCase()
  const isCapital = code.length <= 4 && /^\p{Lu}/u.test(code)
  const isOwn =
    isShort ||
    isUsualLabel(label) ||
    (isCode && (isCapital || (label.index <= 99 && mayBeCode(words))))
  return isKnown(label, codes) || modsOfCode(code) !== null || isOwn ? label : null
}

/** Whether a label is of a bucket that nothing but maps has, in any case: `rc1`. */
function isUsualLabel({ code }: Label): boolean {
  return code?.length === 2 && usualCode(code) !== null
}

/** Words before a number that count things other than the slots of a bucket. */
const counted = new Set(
  words(
    'beatmap beatmaps bucket chart day diff entry game group id index item map mappool maps match mod mods nr no number pick picks pool position round slot song songs stage tier top track week',
  ),
)

/** Whether a key may be the name of a slot rather than of anything that is counted. */
export const mayNameSlot = (key: string): boolean =>
  mayBeCode(texts(readWords(tidy(key)))) && !counted.has(plainName(key))

function mayBeCode([first = '', ...others]: readonly string[]): boolean {
  const name = plainName(first).replace(/[0-9]+$/, '')
  // `Stage1` is how a bucket of that name is written, `stage1` and `Stage 1` are not.
  const isPlain = others.length > 0 || first === first.toLowerCase()
  return !(isPlain && counted.has(name)) && !isOther(name)
}

/** A name of a bucket, with or without a number, where others name slots: `Hidden`, `ex`, `Rice 1`. */
function bucketLabel(text: string, codes: BucketCodes): Label | null {
  const code = codeOf(text, codes) ?? usualCode(text)
  if (code !== null) return { code, index: null }
  const [, name = '', index] = /^(.{1,30}?)[ _-]?([0-9]{1,2})$/.exec(tidy(text)) ?? []
  const own = usualCode(name)
  return own === null ? null : { code: own, index: Number(index) }
}

/** A code of the usual buckets with a number: hardly anything else looks so. */
const numberedLabel = /^(?:(?:NM|HD|HR|DT|FM|EZ|HT|FL|LM)[ _-]?[0-9]{1,2}|TB[0-9]?)$/i
export const isNumberedLabel = (text: string): boolean => numberedLabel.test(text.trim())

/** The bucket that a text names without a number. */
export function codeOf(text: string, codes: BucketCodes): string | null {
  if (text.length > 40) return null
  const words = texts(readWords(tidy(text))).filter(
    (word) => !/^nf$/i.test(word) || text.length <= 2,
  )
  const named = codeOfWords(words)
  if (named !== null || words.length !== 1) return named
  const [word = ''] = words
  return codes.find(word) ?? (modsOfCode(word) === null ? null : word.toUpperCase())
}

function foldIsTb(code: string): boolean {
  return code.toUpperCase() === 'TB'
}

export function plainName(key: string): string {
  const name = key.toLowerCase().replaceAll(/[\s_-]/g, '')
  return isAscii.test(name) ? name : (nameOfRole[roleOf(key) ?? 'other'] ?? name)
}

const isAscii = /^[\x20-\x7e]*$/
/** What a key in another language is called in English, by what a column of that name holds. */
const nameOfRole: Readonly<Partial<Record<Role, string>>> = {
  slot: 'slot',
  mod: 'mod',
  index: 'index',
  beatmap: 'beatmapid',
  round: 'round',
}

/** The id of a beatmap that a value is: a number, one in quotes, a link, an object with one. A text says why it is none. */
export function idOf(value: Literal | undefined): number | ImportMessage | null {
  if (value?.kind === 'object') return idOf(idMember(value))
  if (value?.kind === 'number')
    return Number.isInteger(value.value) && value.value > 0 ? value.value : null
  if (value?.kind !== 'text') return null
  const whole = idInText(value.value.trim())
  if (whole !== null) return whole > 0 ? whole : null
  const [target, another] = findTargets(value.value)
  if (target === undefined || another !== undefined) return null
  return target.beatmapId ?? reasons.wholeSet
}

/** The value of an object's field for a beatmap's id, its own or that of the beatmap it holds. */
export function idMember(value: LiteralObject): Literal | undefined {
  const own = ownId(value)
  if (own !== undefined) return own
  const inner = value.members.find(
    (member) => member.value.kind === 'object' && holders.has(plainName(member.key)),
  )?.value
  return inner?.kind === 'object' ? ownId(inner) : undefined
}

/** Keys of objects about the beatmap of another one. */
export const holders: ReadonlySet<string> = new Set(words('beatmap map beatmapinfo mapinfo chart'))

function ownId(value: LiteralObject): Literal | undefined {
  const named = value.members.map((member) => ({ ...member, name: plainName(member.key) }))
  const [first] = names.ids.flatMap((name) =>
    named.filter(
      (each) => each.name === name && each.value.kind !== 'object' && each.value.kind !== 'list',
    ),
  )
  return first?.value
}

export function textIn(value: LiteralObject, names: readonly string[]): string | null {
  const texts = value.members.flatMap(({ key, value: each }) =>
    names.includes(plainName(key)) ? (textOf(each) ?? []) : [],
  )
  return texts[0] ?? null
}

/** A text, or a list of texts as one. */
export function textOf(value: Literal): string | null {
  if (value.kind === 'text') return value.value
  if (value.kind !== 'list') return null
  const parts = value.items.flatMap((item) => (item.kind === 'text' ? [item.value] : []))
  return parts.length === value.items.length && parts.length > 0 ? parts.join(' ') : null
}

/** The text of a label: `"NM1"`, `["NM1"]`, `["NM", 1]`. */
function labelText(value: Literal): string | null {
  if (value.kind !== 'list') return value.kind === 'text' ? value.value : null
  const [first, second, third] = value.items
  if (first?.kind !== 'text' || third !== undefined) return null
  if (second === undefined) return first.value
  const index = wholeOf(second)
  return index === null || index > 99 ? null : `${first.value} ${index}`
}

/** In data, lower numbers count something. */
export const LEAST_ID = 1000

export const isVagueId = (name: string): boolean => name === 'id' || name === 'map'

export function wholeOf(value: Literal): number | null {
  if (value.kind === 'number') return Number.isInteger(value.value) ? value.value : null
  return value.kind === 'text' ? readWhole(value.value.trim()) : null
}

/** Whether a value is what programs write where there is nothing. */
export function isNothing(value: Literal): boolean {
  if (value.kind === 'word') return /^(?:null|None|undefined|NaN)$/.test(value.value)
  return value.kind === 'number'
    ? value.value === 0
    : value.kind === 'text' && value.value.trim() === ''
}

/** What the fields of an object say of where its beatmap belongs: each null if they do not say it. */
export type FieldLabel = {
  readonly label: Label | null
  readonly key: string | null
  readonly text: string | null
  readonly note: ImportMessage | null
  /** Mods that are no known bucket. */
  readonly unknown: string | null
  /** Another label that the object has. */
  readonly other: { readonly label: Label; readonly key: string } | null
}

const nothing: FieldLabel = {
  label: null,
  key: null,
  text: null,
  note: null,
  unknown: null,
  other: null,
}

/** What is known of the mods of all objects of a list. */
export type ModFacts = {
  /** Whether numbers of them are bits, as the game has them. */
  readonly areBits?: boolean
  /** Whether each has a list of them, some of which name a bucket: an empty one is of those without a mod. */
  readonly areLists?: boolean
  /** Those that end in a digit and are the codes of buckets. */
  readonly buckets?: ReadonlySet<string>
  /** Those that end in a digit and may be so. */
  readonly doubted?: ReadonlySet<string>
  /** The key that names the slot of one of them, and so of each. */
  readonly named?: string | null
  /** Whether some have the id of a beatmap. */
  readonly haveIds?: boolean
  /** Whether its items are labels with their ids, and whether they are buckets with one each. */
  readonly arePairs?: boolean
  readonly areIdPairs?: boolean
  /** The number in its bucket that each value of a field for the order says. */
  readonly order?: ReadonlyMap<Literal, number>
}

/** Where the fields of an object put its beatmap. A label has priority over the name of a mod. */
export function labelIn(
  find: Find,
  codes: BucketCodes,
  { areBits = false, areLists = false, buckets, named, order }: ModFacts = {},
): FieldLabel {
  const mods = find(names.mods).flatMap(({ key, value }) => {
    const isEmpty = areLists && value.kind === 'list' && value.items.length === 0
    const written = isEmpty ? 'NM' : modsText(value)
    const text = areBits ? (codeOfBits(wholeOf(value) ?? -1) ?? '') : written
    if (text.trim() === '') return []
    if (buckets?.has(text) === true) return [{ key, text, code: text, own: null }]
    const own = labelOf(text, codes) ?? (key === named ? bucketLabel(text, codes) : null)
    return [{ key, text, code: codeOf(text, codes), own }]
  })
  const [mod] = mods.filter(({ code, own }) => code !== null || own !== null)
  for (const member of find(names.labels)) {
    const text = labelText(member.value)
    const isCode = names.codes.includes(member.name)
    const label = text === null ? null : labelOf(text, codes, isCode)
    if (text === null || label === null) continue
    if (member.name === 'name' && !isKnown(label, codes) && !isUsualLabel(label)) continue
    const differs = mod?.code != null && mod.code !== label.code && member.name !== 'name'
    const note = differs
      ? say('labelTaken', {
          field: mod.key,
          mods: mod.text.slice(0, 24),
          label: text.slice(0, 24),
        })
      : null
    const other = otherLabel(find, member.name, label, codes)
    return { ...nothing, label, key: member.key, text, note, other }
  }
  const [code] = find(names.codes).flatMap(({ key, value }) =>
    value.kind === 'text' && likeCode.test(value.value) && !isRoundWord(value.value)
      ? [{ key, text: value.value }]
      : [],
  )
  if (code !== undefined && mod?.own?.index == null) {
    const isPlainCode = /^[A-Za-z]+$/.test(code.text)
    if (isPlainCode) return { ...nothing, ...code, label: { code: code.text, index: null } }
    return { ...nothing, ...code, unknown: code.text }
  }
  const [bare] = find(names.bare)
    .map(({ key, name, value }) => ({ key, name, value, index: wholeOf(value) ?? 0 }))
    .filter(({ index }) => index >= 1 && index <= 99)
  if (mod === undefined && bare !== undefined) {
    return { ...nothing, label: { code: null, index: bare.index }, key: bare.key }
  }
  if (mod === undefined) {
    const hasId = find(names.ids).some(({ value }) => typeof idOf(value) === 'number')
    for (const { key, name, value } of hasId ? find([...names.labels, ...names.mods]) : []) {
      if (value.kind !== 'text' || (key !== named && !names.codes.includes(name))) continue
      const label = bucketLabel(value.value, codes)
      if (label !== null) return { ...nothing, label, key, text: value.value }
      const isMods = names.mods.includes(name)
      if (key === named && !isNothing(value))
        return { ...nothing, unknown: value.value, key: isMods ? null : key }
    }
    return { ...nothing, unknown: mods.find(({ key }) => /^mods?$/i.test(key))?.text ?? null }
  }
  const [number] = find([...names.indexes, ...names.orders])
    .map(
      ({ name, value }) =>
        order?.get(value) ?? (names.orders.includes(name) ? null : wholeOf(value)),
    )
    .filter((each) => each !== null)
  const label =
    mod.own !== null && mod.own.index !== null
      ? mod.own
      : { code: mod.code ?? mod.own?.code ?? null, index: number ?? bare?.index ?? null }
  // Overlays of Mapcrate write no bucket as NM, others NM4 so.
  const isDouble = bare?.name === 'pick' && bare.value.kind === 'text' && number === undefined
  const other = isDouble ? { label: { code: null, index: bare.index }, key: bare.key } : null
  return { ...nothing, label, key: mod.key, text: mod.text, other }
}

/** The text of mods; `None`, and a list that has no fail alone, are of those without a mod. */
export function modsText(value: Literal): string {
  const text = textOf(value) ?? modsOfObjects(value)
  return /^none$/i.test(text) || (value.kind === 'list' && /^NF$/i.test(text)) ? 'NM' : text
}

/** `[{"acronym": "HD"}]`, as the platform has them. */
const modsOfObjects = (value: Literal): string =>
  (value.kind === 'list' ? value.items : [])
    .map((item) => (item.kind === 'object' ? (textIn(item, ['acronym']) ?? '') : ''))
    .join(' ')
    .trim()

/** What begins with a capital in the place of a label: a bucket of its own. */
const likeCode = /^(?:[A-Z][A-Za-z]{1,3}|(?=.*[A-Z])[A-Z0-9]{2,6})$/
const isRoundWord = (text: string): boolean => /^(?:RO?[0-9]+|QF|SF|GF|F|Q)$/.test(text)

function otherLabel(find: Find, own: string, { code, index }: Label, codes: BucketCodes) {
  for (const { name, key, value } of find(names.labels)) {
    if (name === own || name === 'name' || name === 'tag' || value.kind !== 'text') continue
    const label = labelOf(value.value, codes)
    if (isKnown(label, codes) && (label.code !== code || label.index !== index))
      return { label, key }
  }
  return null
}
