import * as fields from '#texts/fields'
import * as names from '#texts/input-names'
import * as inputs from '#texts/inputs'
import { invalidPool } from '#texts/refusals'
import * as remedies from '#texts/remedies'
import type { ErrorReason } from '../contract/error-reasons.ts'
import type { SentProblem } from '../contract/errors.ts'
import type { InputMessage, InputWords } from '../pool/input-words.ts'
import { type Wording, worded, type WordsWith } from '../pool/message.ts'
import { slotLabel } from '../pool/slots.ts'
import { join, rulesetTexts } from './format.ts'

const sentences: WordsWith<InputWords, { place: string }> = {
  ...remedies,
  ...inputs,
  ...rulesetTexts,
}
const wording = { words: sentences as unknown as InputWords, join } satisfies Wording<InputWords>

/**
 * What is wrong with what a page sent, in whole sentences that name each field as pages do; null where it is wrong only in
 * fields that people do not fill in.
 *
 * @param body what was sent, as JSON.
 */
export function wordRefusal(
  reason: ErrorReason | undefined,
  problems: readonly SentProblem[],
  body: unknown,
): string | null {
  const sent: unknown = typeof body === 'string' ? JSON.parse(body) : undefined
  const all = problems.flatMap(({ place, what }) => {
    const name = nameOf(place, sent)
    return name === null ? [] : [sentenceOf(what, name, place, sent)]
  })
  if (all.length === 0) return null
  const whole = reason === 'invalid_pool' ? [invalidPool, ...all] : all
  return whole.reduce((one, other) => names.andThen({ one, other }))
}

function sentenceOf(what: string, place: string, path: string, sent: unknown): string {
  // A server may be newer than the page.
  const isKnown = Object.hasOwn(sentences, what.split('{', 1)[0] ?? '')
  const message = isKnown ? (what as InputMessage) : 'notValid'
  const text = worded(message as InputMessage, wording, { place })
  // Places within the same round, where there are several.
  const around = /^rounds\[\d+\]\./.exec(path)?.[0] ?? ''
  return text.replace(
    /\b(?:slots|buckets|changes)\[\d+\]/g,
    (other) => itemName(around + other, sent) ?? names.aSlot,
  )
}

/** `Name`, `NM1: The number`, `Finals: NM1: The number`; null for a field without a name. */
function nameOf(place: string, sent: unknown): string | null {
  const items = [...place.matchAll(/\b(?:slots|changes|candidates|buckets|rounds)\[\d+\]/g)]
  const last = items.at(-1)
  const end = last === undefined ? 0 : last.index + last[0].length
  const owners = items.flatMap(
    ({ index, 0: item }) => itemName(place.slice(0, index) + item, sent) ?? [],
  )
  if (end === place.length && owners.length === items.length) return owners.reduceRight(ofItem)
  const field = fieldName(place)
  return field && [...owners, field].reduceRight(ofItem)
}

const ofItem = (field: string, item: string): string => names.ofItem({ item, field })

/** `slots[3]` → `NM1`, `buckets[2]` → `Bucket RC`, `rounds[0]` → its name, as they were sent; null for what has none. */
function itemName(place: string, sent: unknown): string | null {
  const { mod = null, index, code, name } = Object(valueAt(place, sent)) as Item
  if (typeof index === 'number') return isText(mod ?? '') ? slotLabel({ mod, index }) : null
  if (isText(code)) return names.bucket({ code })
  return isText(name) ? name : null
}

/** Of any type: it was refused. */
type Item = {
  readonly mod?: string | null
  readonly index?: number
  readonly code?: string
  readonly name?: string
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** A pack that is replaced is within what was sent, and its places are not. */
function valueAt(place: string, sent: unknown): unknown {
  const { pack = sent } = (sent ?? {}) as { readonly pack?: unknown }
  const steps = place.match(/[^.[\]]+/g) ?? []
  return steps.reduce<unknown>((from, step) => Reflect.get(Object(from), step), pack)
}

/** By the longest end of its path that has a name. */
function fieldName(place: string): string | null {
  const steps = place.replaceAll(/\[\d+\]/g, '').split('.')
  const ends = steps.map((_, at) => steps.slice(at).join('.'))
  const end = ends.find((each) => Object.hasOwn(fieldNames, each)) ?? ''
  const name = fieldNames[end]
  return isText(name) ? name : null
}

const rangeNames = (range: string, what: string) => ({
  [`${range}.min`]: names.lowerEnd({ what }),
  [`${range}.max`]: names.upperEnd({ what }),
})

/** What people fill in; what has no text under its own name is below. */
const fieldNames: Readonly<Record<string, unknown>> = {
  ...fields,
  ...names,
  changes: fields.slots,
  mod: names.bucketOfSlot,
  index: names.number,
  'slots.link': names.linkToFile,
  'to.link': names.linkToFile,
  rankMin: names.rankFrom,
  rankMax: names.rankTo,
  discordUrl: names.webhookUrl,
  ...rangeNames('stars', names.stars),
  ...rangeNames('length', names.length),
  ...rangeNames('bpm', names.bpm),
  ...rangeNames('keys', names.keys),
  note: names.why,
  text: names.remark,
  at: names.releaseTime,
  url: names.magnetLink,
  q: names.search,
  query: names.search,
}
