import type { Literal, Member } from '../../json/parse-literal.ts'
import {
  codeOf,
  idOf,
  isNothing,
  labelOf,
  type LiteralObject,
  type NamedMember,
  names,
  plainName,
  textIn,
  wholeOf,
  words,
} from './json-fields.ts'
import { inWords } from '../words/look-alikes.ts'
import { type BucketCodes, isKnown } from '../words/labels.ts'
import type { RoundStart } from '../readings.ts'
import { isRoundName, roundOfCell } from '../lines/round-names.ts'
import { roleOf } from '../tables/column-names.ts'

/** Keys of which each value is a pool of its own, whatever it is. */
const ofPools = new Set(words('mappool bracket'))
/** Keys that may hold the short name of a round, or one of the beatmap. */
const ofShort = new Set(words('abbreviation abbr'))
/** Their texts are labels, mods and beatmaps, also where they look like rounds; groups are none of mods alone. */
const ofOthers = new Set([
  ...[...names.labels, ...names.mods, ...names.ids].filter(
    (name) => !['name', 'category', 'group', 'type'].includes(name),
  ),
  ...words('version difficulty artist mapper creator'),
])
const shortRound = /^(?:ro[0-9]+|r[0-9]+|[qsg]?f|q|[uwl]b ?(?:r[0-9]+|[qsg]?f))$/i
const poolName = /^(?:(?:map ?)?pool [a-z0-9]{1,2}|(?:upper|lower|winners?|losers?)(?: bracket)?)$/i

export const namesRound = (text: string): boolean =>
  isRoundName(text) || shortRound.test(text) || poolName.test(text)

/** The key by whose values the objects of a list are of rounds, a usual one or any other; null for none. */
export function roundKeyOf(items: readonly Literal[], codes: BucketCodes): string | null {
  const values = new Map<string, Literal[]>()
  for (const item of items) {
    if (item.kind !== 'object') continue
    for (const { key, value } of item.members) {
      if (isNothing(value)) continue
      const own = values.get(key)
      if (own === undefined) values.set(key, [value])
      else own.push(value)
    }
  }
  const keys = [...values].flatMap(([key, all]) => {
    const texts = all.flatMap((value) =>
      value.kind === 'text' || value.kind === 'number' ? String(value.value).trim() : [],
    )
    const distinct = new Set(texts)
    return texts.length === all.length ? [{ key, texts, distinct }] : []
  })
  const [usual] = names.roundsOfRows.flatMap((name) =>
    keys.filter(({ key, texts }) => plainName(key) === name && texts.length > 1),
  )
  if (usual !== undefined) return usual.key
  const found = keys.find(({ key, texts, distinct }) => {
    const name = plainName(key)
    if (ofOthers.has(name) || distinct.size < 2) return false
    const all = [...distinct]
    if (all.every((text) => (name === 'name' ? isRoundName(text) : namesRound(text)))) return true
    const mayBe = ofPools.has(name) || (ofShort.has(name) && distinct.size < texts.length)
    const isOfSlot = (text: string): boolean =>
      codeOf(text, codes) !== null || labelOf(text, codes) !== null
    return mayBe && !all.some(isOfSlot)
  })
  return found?.key ?? partKey(items, keys)
}

type Values = { readonly key: string; readonly texts: readonly string[] }

const ofParts = new Set(
  words(
    'week division div tier day matchday stageid roundid poolid mappoolid phase leg league session season edition',
  ),
)

/** They part a list, or say of what kind a beatmap is. */
const ofGroups = new Set(words('pool group section'))
const groupName = /^[a-z0-9]{1,2}$|pool|group|bracket|league|lobby|week|day|gold|silver|bronze/i

/** Whether a key says round, stage or the like, in any language of the tables. */
export function isOfRounds(key: string): boolean {
  const text = inWords(key).toLowerCase()
  const name = text.replaceAll(/[^\p{L}]/gu, '').replace(/(?<=.)(?:name|nombre|nom|nome)$/, '')
  const role = roleOf(name) ?? roleOf(text)
  const isRole = role === 'round' || role === 'division'
  return isRole
}

/** The key whose values part a list into groups in which the same slots or mods come again. */
function partKey(items: readonly Literal[], keys: readonly Values[]): string | null {
  const whole = keys.filter(({ texts }) => texts.length === items.length && texts.length > 1)
  const named = whole.find(({ key, texts }) => {
    const name = plainName(key).replace(/(?<=.)(?:name|number|num|no|nr|id|key|label|title)$/, '')
    const isGroup = ofGroups.has(name) && texts.every((text) => groupName.test(text))
    const isNamed = ofParts.has(name) || ofParts.has(plainName(key))
    if (!isGroup && !isNamed && (!isOfRounds(key) || name === 'group')) return false
    const others = [...names.codes, ...names.mods].filter((each) => each !== plainName(key))
    const marks = items.map((item) =>
      item.kind === 'object' ? (textIn(item, others)?.trim().toLowerCase() ?? '') : '',
    )
    const pairs = new Set(texts.map((text, at) => `${text}\n${marks[at]}`))
    const distinct = new Set(marks)
    return !distinct.has('') && distinct.size < marks.length && pairs.size > distinct.size
  })
  return named?.key ?? null
}

/** The labels, mods and buckets of the lists of an object. */
export const marksIn = (item: Literal, codes: BucketCodes): string[] =>
  item.kind !== 'object'
    ? []
    : item.members.flatMap(({ key, value }) => {
        if (value.kind !== 'list') return []
        if (codeOf(key, codes) !== null) return key
        return value.items.flatMap((each) =>
          each.kind === 'object' ? (textIn(each, [...names.codes, ...names.mods]) ?? []) : [],
        )
      })

/**
 * Whether the items of a list are pools without names: lists, or objects with one, in which the same buckets begin again,
 * each in one run. Slots with numbers of their own show it themselves.
 */
export function arePools(items: readonly Literal[], codes: BucketCodes): boolean {
  const all: string[] = []
  let parts = 0
  for (const item of items) {
    const runs = runsIn(item, codes)
    if (runs === null || new Set(runs).size !== runs.length) return false
    if (runs.length > 1) parts += 1
    // Pages of one list end within a bucket.
    all.push(...(all.at(-1) === runs[0] ? runs.slice(1) : runs))
  }
  return parts > 1 && new Set(all).size !== all.length
}

/** The buckets of the slots in a list, or in the lists of an object, by their runs; null if some have none or a number. */
function runsIn(value: Literal, codes: BucketCodes): string[] | null {
  const lists =
    value.kind === 'list'
      ? [value]
      : value.kind === 'object'
        ? value.members.flatMap(({ value: each }) => (each.kind === 'list' ? [each] : []))
        : []
  const keys = value.kind === 'object' ? value.members.map(({ key }) => codeOf(key, codes)) : []
  if (lists.length > 1 && keys.length === lists.length && !keys.includes(null))
    return keys as string[]
  const runs: string[] = []
  for (const item of lists.flatMap((list) => list.items)) {
    const text = item.kind === 'object' ? textIn(item, [...names.codes, ...names.mods]) : null
    const code = text === null ? null : codeOf(text, codes)
    if (code === null) return null
    if (runs.at(-1) !== code) runs.push(code)
  }
  return runs.length === 0 ? null : runs
}

/** What the objects of a list call their labels, their rounds and their lists of beatmaps. */
type OwnKeys = {
  readonly labels?: string | null
  readonly rounds?: string | null
  readonly content?: string | null
  readonly groups?: string | null
}

/** What a field is called in an object of a list of which is known which keys have the labels and the rounds. */
export function nameOfField(
  key: string,
  { labels = null, rounds = null, content = null, groups = null }: OwnKeys,
): string {
  if (key === labels) return 'slot'
  if (key === rounds) return 'round'
  if (key === content) return 'maps'
  if (key === groups) return 'bucket'
  const name = plainName(key)
  // The same of all.
  return rounds !== null && names.roundsOfRows.includes(name) ? '' : name
}

/** The rounds that fields of beatmaps name; the same name within another round, or another tournament, is another one. */
export class RowRounds {
  readonly #known = new Map<string, { round: RoundStart; within: RoundStart | null }>()

  of({ key, value }: NamedMember, within: RoundStart | null): RoundStart | null {
    const text =
      value.kind === 'number' ? `${key} ${value.value}` : value.kind === 'text' ? value.value : ''
    if (text.trim() === '') return null
    return this.#named(text, within) ?? this.#named(`${within?.name ?? ''} ${text}`, within)
  }

  #named(text: string, within: RoundStart | null): RoundStart | null {
    const known = this.#known.get(text)
    if (known !== undefined) return known.within === within ? known.round : null
    const round = roundOfCell(text)
    if (round !== null) this.#known.set(text, { round, within })
    return round
  }
}

/** The key in which one of the objects has its slot: what the others have there is theirs, whatever it is. */
export function namingKey(objects: readonly LiteralObject[], codes: BucketCodes): string | null {
  const found = (own: readonly string[]): string | null => {
    for (const { members } of objects) {
      for (const { key, value } of members) {
        if (value.kind !== 'text' || !isName(key, own)) continue
        const label = labelOf(value.value, codes)
        if (isKnown(label, codes) || codeOf(value.value, codes) !== null) return key
      }
    }
    return null
  }
  return (
    found(names.labels.filter((name) => name !== 'name')) ?? found(names.mods) ?? found(['name'])
  )
}

/** Numbers of slots by a field for the order, in which those of one bucket differ; from 0, they are one higher. */
export function orderOf(objects: readonly LiteralObject[]): Map<Literal, number> {
  const own = [...names.indexes, ...names.orders]
  const member = objects[0]!.members.find(({ key }) => isName(key, own))
  const rows = objects.flatMap((object) => {
    const value = object.members.find(({ key }) => key === member?.key)?.value
    const index = value === undefined ? null : wholeOf(value)
    const mods = textIn(object, names.mods)
    return value === undefined || index === null || mods === null ? [] : [{ value, index, mods }]
  })
  const numbers = rows.map(({ index }) => index)
  const least = numbers.reduce((all, each) => Math.min(all, each), Infinity)
  const areDistinct =
    new Set(rows.map(({ index, mods }) => `${index} ${mods}`)).size === rows.length
  const isNamed = member !== undefined && isName(member.key, names.orders)
  if (rows.length !== objects.length || !areDistinct || (!isNamed && least !== 0)) return new Map()
  // In the order of the file, that is told with the counts of all (`evidence.ts`).
  const last = new Map<string, number>()
  const isCounted = rows.every(({ index, mods }) => {
    last.set(mods, (last.get(mods) ?? -1) + 1)
    return index === last.get(mods)
  })
  if (!isNamed && isCounted && rows.length >= LEAST_COUNTED) return new Map()
  const most = numbers.reduce((all, each) => Math.max(all, each), 0)
  const goesOn = new Set(numbers).size === rows.length && most - least === rows.length - 1
  const shift = least === 0 ? 1 : 0
  if (!goesOn) return new Map(rows.map(({ value, index }) => [value, index + shift]))
  // One order of all: the slots of a bucket are in it.
  const counts = new Map<string, number>()
  return new Map(
    rows
      .toSorted((a, b) => a.index - b.index)
      .map(({ value, mods }) => {
        counts.set(mods, (counts.get(mods) ?? 0) + 1)
        return [value, counts.get(mods)!]
      }),
  )
}

/** Fewer may begin with 0 by chance. */
const LEAST_COUNTED = 3

export const isName = (key: string, own: readonly string[]): boolean => own.includes(plainName(key))

/**
 * Below a bucket, an object whose keys count from 0 is a list, as programs write one; elsewhere, a list of names with a
 * list or an object each is an object: `[["NM", [129891, 75]], ["HD", [76]]]`.
 */
export function asMeant(value: Literal, { code }: { readonly code: string | null }): Literal {
  if (code === null) return value.kind === 'list' ? (asObject(value.items, value) ?? value) : value
  if (value.kind !== 'object' || value.members.length === 0) return value
  const isCounted = value.members.every(({ key }, at) => key === String(at))
  if (!isCounted) return value
  const items = value.members.map((member) => member.value)
  return { kind: 'list', items, start: value.start, end: value.end }
}

function asObject(items: readonly Literal[], { start, end }: Literal): LiteralObject | null {
  const members = items.flatMap((item) => {
    if (item.kind !== 'list' || item.items.length !== 2) return []
    const [key, value] = item.items as [Literal, Literal]
    // Shown as it is written, to the end of the pair.
    const whole = { ...value, end: item.end }
    return key.kind === 'text' ? [{ key: key.value, start: item.start, value: whole }] : []
  })
  const isPart = ({ value }: Member): boolean =>
    value.kind === 'list' || (value.kind === 'object' && idOf(value) === null)
  const isWhole = members.length === items.length && members.some(isPart)
  return isWhole ? { kind: 'object', members, start, end } : null
}
