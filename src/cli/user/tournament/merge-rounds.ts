import type { Bucket } from '../../../contract/pools.ts'
import type { RoundSlot } from '../../../contract/rounds.ts'
import { roundFields, slotFields, slotWords } from '../../../pool/round-fields.ts'
import { isDefaultTable, placeKey, slotLabel, wholeTable } from '../../../pool/slots.ts'
import { compareRounds, type RoundDraft } from './round-text.ts'

// A round that has changed in a folder and on the service is merged part by part: slots, fields and buckets.

/** What both sides make of a round. */
type MergedRound = {
  /** For the service: what was changed in the folder alone is in it; where both have changed, it is as on the service. */
  readonly sent: RoundDraft
  /** For the folder: what was changed on the service alone is in it; where both have changed, it is as in the folder. */
  readonly kept: RoundDraft
  /** What both have changed, each in its own way, in words; empty if nothing. */
  readonly conflicts: readonly string[]
}

/**
 * Merges the two sides of a round.
 *
 * @param base what both were; null if that is not known: then all that differs is a conflict.
 */
export function mergeRound(
  base: RoundDraft | null,
  own: RoundDraft,
  theirs: RoundDraft,
): MergedRound {
  const [was, here, there] = [base && sideOf(base), sideOf(own, theirs, base), sideOf(theirs)]
  const [sent, kept]: [Parts, Parts] = [new Map(), new Map()]
  const conflicts: string[] = []
  for (const key of keysOf(there, here, was)) {
    const [mine, other] = [here.parts.get(key), there.parts.get(key)]
    const winner = decide(mine, other, was && { value: was.parts.get(key) })
    sent.set(key, winner === 'own' ? mine : other)
    kept.set(key, winner === 'theirs' ? other : mine)
    if (winner === 'conflict') conflicts.push(key)
  }
  const order = decideOrder(was, here, there)
  if (order.winner === 'conflict') conflicts.push('order')
  const sides = [there, here, ...(was === null ? [] : [was])]
  const both = {
    sent: roundOf(sent, order.sent, sides),
    kept: roundOf(kept, order.kept, sides),
  }
  return { ...both, conflicts: conflictWords(conflicts, both) }
}

/**
 * What the next merge begins with: what both sides agree on as it is now, and all else as it was.
 *
 * @returns null while that is not known.
 */
export function rebaseRound(
  base: RoundDraft | null,
  own: RoundDraft,
  theirs: RoundDraft,
): RoundDraft | null {
  if (base === null) return compareRounds(own, theirs).length === 0 ? theirs : null
  const [was, here, there] = [sideOf(base), sideOf(own, theirs, base), sideOf(theirs)]
  const parts: Parts = new Map()
  for (const key of keysOf(there, here, was)) {
    const now = there.parts.get(key)
    parts.set(key, isSame(here.parts.get(key), now) ? now : was.parts.get(key))
  }
  const { winner } = decideOrder(null, here, there)
  const isAgreed = winner !== 'conflict'
  const order = isAgreed ? weave(there.order, was.order) : weave(was.order, there.order)
  return roundOf(parts, order, [was, there, here])
}

/** The parts of a round that can change by themselves; undefined is one that is not there. */
type Parts = Map<string, unknown>
type Side = { readonly parts: Parts; readonly order: readonly string[] }

const [SLOT, BUCKET] = ['slot ', 'bucket ']

/** @param others what they say of buckets of which the draft has slots alone, before their colours are made up. */
function sideOf(draft: RoundDraft, ...others: readonly (RoundDraft | null)[]): Side {
  const table = wholeTable(draft)
  const listed = new Set(draft.buckets?.map(({ code }) => code))
  for (const [at, { code }] of table.entries()) {
    const known = listed.has(code) ? undefined : bucketIn(others, code)
    if (known !== undefined) table[at] = known
  }
  const fields = Object.entries(roundFields.stored(draft)).filter(([, value]) => value !== null)
  const slots = draft.slots.map((slot) => {
    const filling = slotFields.sent(slotFields.stored(slot))
    return [SLOT + placeKey(slot), { mod: slot.mod, index: slot.index, ...filling }] as const
  })
  const parts = new Map<string, unknown>([
    ['name', draft.name.trim()],
    ...fields,
    ...slots,
    ...table.map((bucket) => [BUCKET + bucket.code, bucket] as const),
  ])
  return { parts, order: table.map(({ code }) => code) }
}

const bucketIn = (drafts: readonly (RoundDraft | null)[], code: string): Bucket | undefined =>
  drafts.flatMap((draft) => draft?.buckets?.find((bucket) => bucket.code === code) ?? [])[0]

const keysOf = (...sides: readonly (Side | null)[]): Set<string> =>
  new Set(sides.flatMap((side) => [...(side?.parts.keys() ?? [])]))

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

type Winner = 'own' | 'theirs' | 'conflict'

function decide(own: unknown, theirs: unknown, was: { readonly value: unknown } | null): Winner {
  if (isSame(own, theirs)) return 'theirs'
  if (was === null) return 'conflict'
  if (isSame(own, was.value)) return 'theirs'
  return isSame(theirs, was.value) ? 'own' : 'conflict'
}

/** The order of buckets, of which both sides may have added some. */
function decideOrder(was: Side | null, { order: own }: Side, { order: theirs }: Side) {
  const base = was?.order ?? null
  const isShared = (code: string) =>
    own.includes(code) && theirs.includes(code) && (base?.includes(code) ?? true)
  const [mine, other, old] = [own, theirs, base].map((codes) => codes?.filter(isShared))
  const winner = decide(mine, other, base && { value: old })
  const [first, second] = [weave(own, theirs), weave(theirs, own)]
  return {
    winner,
    sent: winner === 'own' ? first : second,
    kept: winner === 'theirs' ? second : first,
  }
}

/** The codes of the first list, and those that only the second has, after what they follow there. */
function weave(order: readonly string[], others: readonly string[]): string[] {
  const woven = [...order]
  for (const [at, code] of others.entries()) {
    if (woven.includes(code)) continue
    const before = others[at - 1]
    woven.splice(before === undefined ? 0 : woven.indexOf(before) + 1, 0, code)
  }
  return woven
}

/** @param sides where a bucket is looked for that one side has removed while the other put a slot into it. */
function roundOf(parts: Parts, order: readonly string[], sides: readonly Side[]): RoundDraft {
  const slots = [...parts].flatMap(([key, value]) =>
    key.startsWith(SLOT) && value !== undefined ? [value as RoundSlot] : [],
  )
  const needed = new Set(slots.map(({ mod }) => mod))
  const buckets = order.flatMap((code) => {
    const bucket = parts.get(BUCKET + code)
    if (bucket !== undefined) return [bucket as Bucket]
    const found = needed.has(code)
      ? sides.map((side) => side.parts.get(BUCKET + code)).find((each) => each !== undefined)
      : undefined
    return found === undefined ? [] : [found as Bucket]
  })
  const fields = Object.fromEntries(
    roundFields.names.flatMap((field) => {
      const value = parts.get(field)
      return value === undefined ? [] : [[field, value]]
    }),
  )
  const table = wholeTable({ buckets, slots })
  return {
    name: parts.get('name') as string,
    ...fields,
    slots,
    ...(!isDefaultTable(table) && { buckets: table }),
  }
}

function conflictWords(
  keys: readonly string[],
  { sent, kept }: Pick<MergedRound, 'sent' | 'kept'>,
): string[] {
  const slotIn = ({ slots }: RoundDraft, key: string) =>
    slots.find((slot) => SLOT + placeKey(slot) === key)
  const ofSlots = keys.flatMap((key) => {
    const [mine, other] = [slotIn(kept, key), slotIn(sent, key)]
    const slot = mine ?? other
    if (slot === undefined) return []
    const words = (side: RoundSlot | undefined) => (side ? slotWords(side) : 'no slot')
    return [sidesText(slotLabel(slot), words(mine), words(other))]
  })
  if (keys.every((key) => key.startsWith(SLOT))) return ofSlots
  const ofOthers = compareRounds({ ...sent, slots: [] }, { ...kept, slots: [] }).map(
    ({ what, from, to }) => sidesText(what, to ?? 'none', from ?? 'none'),
  )
  return [...ofOthers, ...ofSlots]
}

export const sidesText = (what: string, here: string, there: string): string =>
  `${what} was changed on both sides: here ${here}, on the service ${there}`
