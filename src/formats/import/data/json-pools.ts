import type { Bucket } from '../../../contract/pools.ts'
import { isCustom } from '../../../pool/slots.ts'
import { roundFields, slotFields } from '../../../pool/round-fields.ts'
import { shown, tableInOrder } from '../../draft-builder.ts'
import { FormatError } from '../../format-error.ts'
import { type Literal, plainValue } from '../../json/parse-literal.ts'
import { poolOf } from '../../read-pool-json.ts'
import {
  codeOf,
  isNothing,
  labelOf,
  type LiteralObject,
  containers,
  type Find,
  isOther,
  names,
  setSigns,
  signs,
  type NamedMember,
  plainName,
  type Span,
  textIn,
  textOf,
  wholeOf,
} from './json-fields.ts'
import type { Context } from './json-found.ts'
import { numberedBuckets } from './json-tables.ts'
import { fillingOf, ofFacts, ownFields, textsIn, withNames } from './json-plans.ts'
import { hasPairs } from './json-slots.ts'
import { wrapperIn } from './json-inside.ts'
import { hasNumbers, holdsSlots, isIdPair, isPart } from './json-kinds.ts'
import { inWords } from '../words/look-alikes.ts'
import { roleOf } from '../tables/column-names.ts'
import { isName, isOfRounds, namesRound } from './json-rounds.ts'
import { ownCode } from '../words/bucket-names.ts'
import { type BucketCodes, modsOfCode, readWhole } from '../words/labels.ts'
import { planReading, type Reading, refused, skipped, slotReading } from '../readings.ts'
import { roundOfFile } from '../lines/round-names.ts'
import { type ImportMessage, say } from '../import-message.ts'

type ReadApiPool = {
  /** Where its parts are: in its round, unless the pool is refused. */
  readonly within: Context
  readonly parts: readonly { readonly span: Span; readonly reading: Reading }[]
  readonly notes: readonly ImportMessage[]
}

/**
 * Reads a pool as the API has it strictly, with its buckets: one wrong slot refuses the pool, by its path. Slots of a round
 * may have no beatmap (D-77). Fields of the round that are not as ours, as files of others may have them, are left out
 * with a note.
 *
 * @param context of the object; its path is empty at the top.
 */
export function readApiPool(value: LiteralObject, context: Context): ReadApiPool {
  const { path } = context
  const prefix = path === '' ? '' : `${path}.`
  const isOfRound = isRound(value, path)
  const items = slotsOf(value)?.items ?? []
  // In a pack, which has no such slots, one without a beatmap is left, to be refused.
  const isPlanned = (item: Literal | undefined): boolean =>
    item?.kind === 'object' &&
    !hasNumber(item, 'beatmapId') &&
    (['placeholder', 'details', 'link'].some((key) => has(item, key)) ||
      (isOfRound ? !has(item, 'beatmapId') : false) ||
      hasNothing(item, 'beatmapId'))
  try {
    const pool = plainValue(value) as { readonly slots?: unknown }
    const own: readonly unknown[] = Array.isArray(pool.slots) ? pool.slots : []
    // In the place of a beatmap that is not there, so that each slot keeps its number in messages.
    const whole = Array.isArray(pool.slots)
      ? pool.slots.map((slot, at) => (isPlanned(items[at]) ? { ...slot, beatmapId: 1 } : slot))
      : pool.slots
    const { draft, fields } = poolOf({ ...pool, slots: whole }, NAMELESS)
    const { name, slots, buckets = null } = draft
    const ofRound = isOfRound ? ownFields(pool, prefix) : null
    const notes = ofRound?.notes ?? []
    const facts = { buckets, fields, ...(ofRound && { roundFields: ofRound.fields }) }
    const round = roundOfFile(name === NAMELESS ? '' : name, facts)
    const within = { ...context, round }
    if (items.length === 0) return { within, parts: [{ span: value, reading: skipped }], notes }
    const parts = items.flatMap((item, at) => {
      if (item.kind !== 'object') return []
      const filling = fillingOf(own[at], `slots[${at}]`)
      const slot = isPlanned(item) ? undefined : slots[at]
      if (slot === undefined) {
        const label = { code: textIn(item, ['mod', 'code']), index: wholeIn(item, 'index') }
        const what = shown(`${label.code ?? ''}${label.index ?? ''}`)
        const reason = say('notYetAt', { what, place: `${prefix}slots[${at}]` })
        const { plan, ...reading } = planReading(label, filling, reason)
        const isInNone = label.code === null && label.index !== null
        return {
          span: item,
          reading: { ...reading, plan: { ...plan!, isInNone, isWritten: true } },
        }
      }
      const { mod: code, index, beatmapId } = slot
      const { placeholder: _, ...beside } = filling
      const reading = slotReading({ code, index }, beatmapId, 'fields')
      return { span: item, reading: { ...reading, filling: beside } }
    })
    return { within, parts, notes }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    const problem = { message: error.problem }
    const reason = say('inPart', { prefix: path === 'pack' ? '' : prefix, problem })
    return { within: context, parts: [{ span: value, reading: refused(reason) }], notes: [] }
  }
}

/** A name that no pool has: a character for private use. */
const NAMELESS = '\u{E000}'

const isRound = (value: LiteralObject, path: string): boolean =>
  /(?:^|\.)rounds?(?:\[|$)/.test(path) || roundFields.names.some((key) => has(value, key))

const ownKeys: ReadonlySet<string> = new Set(['mod', 'index', ...slotFields.names])

/** Whether a slot of a round is as ours and has nothing else, where another program may have its beatmap. */
const isOwnSlot = (item: Literal): boolean =>
  item.kind === 'object' &&
  ['mod', 'index'].every((key) => has(item, key)) &&
  item.members.every(({ key }) => ownKeys.has(key))

/**
 * Whether an object is a pool as the API has it: one of its slots is as there, or its slots cannot be read at all, or it
 * is a round, which may have no beatmap or no slots.
 */
export function isApiPool(value: LiteralObject, path: string): boolean {
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
    (isRound(value, path) && slots.items.every(isOwnSlot)) ||
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

const valueOf = ({ members }: LiteralObject, key: string): Literal | undefined =>
  members.find((member) => member.key === key)?.value

function hasNumber(value: LiteralObject, key: string): boolean {
  const own = valueOf(value, key)
  return own?.kind === 'number' && own.value !== 0
}

/** Whether a field is there and says that there is nothing. */
function hasNothing(value: LiteralObject, key: string): boolean {
  const own = valueOf(value, key)
  return own !== undefined && isNothing(own)
}

function wholeIn(value: LiteralObject, name: string): number | null {
  const member = value.members.find(({ key }) => plainName(key) === name)
  return member === undefined ? null : wholeOf(member.value)
}

/** The bucket that an object with a list of beatmaps is, by its own fields. */
export function bucketOf(members: readonly NamedMember[], codes: BucketCodes) {
  const isGroup = members.some(
    ({ name, value }) => containers.has(name) && isPart(value) && holdsSlots(value),
  )
  const own = isGroup ? [...names.mods, ...names.labels, ...names.rounds] : []
  for (const wanted of own) {
    for (const { key, name, value } of members) {
      const text = name === wanted ? textOf(value) : null
      const code = text === null ? null : codeOf(text, codes)
      if (code !== null && !holdsOthers(members, code, codes)) return { code, key }
    }
  }
  for (const { key, name, value } of isGroup ? members : []) {
    const found = ofFacts.has(name) ? textsIn(value) : []
    const [code, other] = new Set(found.flatMap((text) => codeOf(text, codes) ?? []))
    if (code !== undefined && other === undefined) return { code, key }
  }
  return null
}

/** What is asked about slots of a bucket that is not known: numbers may be no ids. */
export const doubtOf = (name: string, parts: readonly Pick<NamedMember, 'value'>[]) =>
  say(parts.some(({ value }) => hasNumbers(value)) ? 'areIdsIn' : 'whichBucket', {
    what: shown(name),
  })

/** What the fields for the bucket say, also where it is none that is known. */
export function groupName(members: readonly NamedMember[]): string {
  const own = [...names.mods, ...names.codes, ...ofFacts]
  const [text] = members.flatMap(({ name, value }) => (own.includes(name) ? textsIn(value) : []))
  return text ?? ''
}

/** Whether a list of an object has slots of the bucket that a name says and of others: it is the name of a round. */
function holdsOthers(members: readonly NamedMember[], code: string, codes: BucketCodes): boolean {
  const codesOf = (item: Literal): string[] => {
    const text = item.kind === 'object' ? textIn(item, [...names.codes, ...names.mods]) : null
    const own = text === null ? null : (codeOf(text, codes) ?? labelOf(text, codes)?.code)
    return own == null ? [] : [own]
  }
  return members.some(({ value }) => {
    const own = new Set(value.kind === 'list' ? value.items.flatMap(codesOf) : [])
    return own.size > 1 && own.has(code)
  })
}

/** A bracket keeps the buckets of a round in the order in which they appear. */
export function bracketTable(members: readonly NamedMember[], codes: BucketCodes): Bucket[] | null {
  const list = members.find(({ key }) => key === 'Beatmaps')?.value
  if (list?.kind !== 'list') return null
  const mods = list.items.flatMap((item) =>
    item.kind === 'object' ? (textIn(item, ['mods']) ?? []) : [],
  )
  const numbered = numberedBuckets(mods, codes)
  const own = mods.flatMap((text) => {
    return numbered.has(text)
      ? text
      : (codeOf(text, codes) ?? labelOf(text, codes)?.code ?? ownCode(text) ?? [])
  })
  const table = tableInOrder([...new Set(own)].slice(0, MAX_TABLE))
  return (
    table?.map((bucket) => {
      const mods = isCustom(bucket) ? modsOfCode(bucket.code) : null
      return isCustom(bucket) && mods !== null ? { ...bucket, mods } : bucket
    }) ?? null
  )
}

const MAX_TABLE = 14

/** The name of the round that an object is, with the key of it; null where it is none, or has no name. */
export function nameOfRound(members: readonly NamedMember[], find: Find, codes: BucketCodes) {
  if (members.some(({ name }) => setSigns.has(name))) return null
  const pairs = members.filter(
    (member) => isIdPair(member, codes) || hasPairs({ members: [member] }, codes),
  )
  const wrapper = wrapperIn(members, codes)
  const isRound =
    pairs.length > 0 ||
    wrapper !== null ||
    members.some(
      ({ name, key, value }) =>
        holdsBuckets(value, codes) ||
        (isPart(value) &&
          (containers.has(name) || codeOf(key, codes) !== null) &&
          holdsSlots(value)),
    )
  if (!isRound) return null
  const own = [
    ...find(names.rounds),
    ...members.filter(({ name }) => name.endsWith('name') && !isOther(name)),
    ...members.filter(({ key }) => isOfRounds(key)),
  ].flatMap(({ key, value }) => {
    if (value.kind === 'text') return [{ key, text: value.value }]
    return value.kind === 'number' && roleOf(inWords(key)) === 'round'
      ? [{ key, text: `${key} ${value.value}` }]
      : []
  })
  const [named] = [...own, ...members.flatMap(nameInside)].filter(
    ({ text }) => text.trim() !== '' && !text.includes('://'),
  )
  // Beside one slot, it is the title of its beatmap.
  const isTitle = named !== undefined && !namesRound(named.text) && !isOfRounds(named.key)
  if ((pairs.length === 1 || wrapper !== null) && isTitle) return null
  return named ?? null
}

/** Whether objects in a list are buckets, each with a list of its beatmaps. */
const holdsBuckets = (value: Literal, codes: BucketCodes): boolean =>
  value.kind === 'list' &&
  value.items.some((item) => item.kind === 'object' && bucketOf(withNames(item), codes) !== null)

/** What says that an object is about one slot or beatmap. */
const ofMap = new Set([...names.mods, ...names.codes, ...signs].filter((name) => name !== 'title'))

/** The name of a round in an object beside its beatmaps: `"info": { "round": "Finals" }`. */
function nameInside({ key, value }: NamedMember) {
  const isOfGroup =
    value.kind === 'object' &&
    readWhole(key) === null &&
    !value.members.some((each) => isPart(each.value) || ofMap.has(plainName(each.key)))
  const found = (isOfGroup ? value.members : []).flatMap((each) => {
    const text = each.value.kind === 'text' ? each.value.value : ''
    const isNamed = isName(each.key, names.rounds) && namesRound(text)
    return isNamed || isOfRounds(each.key) ? { key: `${key}.${each.key}`, text } : []
  })
  return found.slice(0, 1)
}
